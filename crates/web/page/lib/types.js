// The shapes that the API and the page share. Nothing here runs.

/**
 * @typedef {{name: string, about: string}} Choice
 * @typedef {{
 *   name: string, version: string,
 *   solver: {goals: Choice[], algorithms: Choice[], formulations: Choice[], estimates: Choice[],
 *            player_terms: Choice[], detectors: Choice[], tie_breaks: Choice[]},
 *   formats: {name: string, about: string, extension: string}[],
 *   tiles: {algorithms: string[], heuristics: {name: string, classic: string, diagonal: string}[]},
 *   strategies: string[],
 *   limits: {running: number, waiting: number, seconds: number, mebibytes: number, grace_seconds: number},
 *   library: {open: boolean, why_not: string|null}
 * }} About
 *
 * @typedef {{title: string, moves: string, solves: boolean}} SavedGame
 * @typedef {{number: number, title: string|null, author: string|null, notes: string[], board: string,
 *            width: number, height: number, boxes: number, games: SavedGame[]}} Level
 * @typedef {{title: string|null, author: string|null, notes: string[], format: string, levels: Level[],
 *            left_out: number, defects: string[], warnings: string[]}} Collection
 *
 * @typedef {{goal?: string, then?: string, algorithm?: string, formulation?: string, heuristic?: string,
 *            deadlocks?: string[], tie_break?: string, reverse?: boolean, fallback_after?: number,
 *            weight?: number, depth_limit?: number}} Config The part of a request that says how to search.
 * @typedef {{time_limit?: number, memory_limit?: number, node_limit?: number}} JobLimits The part that says how long.
 * @typedef {{algorithm: string, formulation: string, heuristic: string, deadlocks: string[], tie_break: string,
 *            promise: string, factor: number|null, sentence: string, notes: string[]}} Plan
 *
 * @typedef {{board: string, g: number|null, h: number, in_place: number}} Best
 * @typedef {{name: string, state: "later"|"waiting"|"working"|"spent"|"dropped"|"answered", expanded: number,
 *            generated: number, bytes: number, backwards: boolean, best: Best|null}} Strategy
 * @typedef {{seconds: number, expanded: number, generated: number, frontier: number, bytes: number,
 *            lower_bound: number|null, pruned: Record<string, number>, best: Best|null, heat: number[]|null,
 *            strategies: Strategy[]}} Live
 * @typedef {{level: number|null, title: string, goal_proof: string|null, then_proof: string|null,
 *            outcome: string, stopped_by: string|null, proof: string, solution: string|null, moves: number|null,
 *            pushes: number|null, lower_bound: number|null, algorithm: string, formulation: string, heuristic: string,
 *            deadlocks: string[], expanded: number, generated: number, duplicates: number, reopened: number,
 *            peak_frontier: number, peak_bytes: number, heuristic_bytes: number, pruned: Record<string, number>,
 *            seconds: number, notes: string[], rating?: Rating, made?: Made}} JobResult
 * @typedef {[number, number, number, number, number, number|null]} Point
 * @typedef {{id: string, kind: string, status: "waiting"|"running"|"done", phase: string|null, live: Live,
 *            history?: Point[], result: JobResult|null, cancelled_because: string|null}} Job
 *
 * @typedef {{rule: string, about: string, boxes: number[]}} Deadlock
 * @typedef {{width: number, height: number, dead: number[], tunnels: number[], rooms: number[][], zone: number[],
 *            corrals: {cells: number[], fence: number[]}[], pushed_first: number[], frozen: number[],
 *            distances: [number, number][], deadlock: Deadlock|null, solved: boolean}} Seen
 *
 * @typedef {{degree: "where"|"box"|"push"|"way", words: string, cells: number[], to: number|null, moves: string|null}} HintDegree
 * @typedef {{reason: {boxes: number[], line: string, home: number, positions: number}|null, words: string}} Loss
 * @typedef {{name: string, title: string, text: string, board: string|null, task: string, options: string[],
 *            picture: "searches"|"estimates"|"methods"|null}} Lesson
 * @typedef {{done: boolean, words: string}} LessonVerdict
 * @typedef {{name: string, expanded: number, pushes: number, visits: [number, number][], layers: number[]}} SearchPicture
 * @typedef {{searches: SearchPicture[], methods: MethodCost[]}} LessonPicture
 *
 * @typedef {{best: number, lower: number}} Length
 * @typedef {{expanded: number, finished: boolean}} SearchCost
 * @typedef {{pushes: Length, moves: Length, boxes: number, squares: number, box_lines: number, box_changes: number,
 *            pushing_sessions: number, player_lines: number, boxes_pushed: number, counterintuitive_pushes: number,
 *            switches_between_halves: number, choice: number, traps: number, losing_pushes: number, dead_share: number,
 *            breadth_first: SearchCost|null, student_a_star: SearchCost|null,
 *            grade: {number: number, fine: number, reasons: string[]}}} Rating
 * @typedef {{seed: number, number?: number, strength?: number|null}} Series
 * @typedef {{level: Level, as_wished: boolean, boards: number, series: Series|null}} Made
 *
 * @typedef {{legal: boolean, solves: boolean, moves: number, pushes: number, lurd: string|null, fault: string|null}} Judged
 * @typedef {{playable: boolean, flaw: string|null, row: number|null, column: number|null, boxes: number, goals: number,
 *            squares: number}} Checked
 *
 * @typedef {"new"|"cheaper"|"known"|"beyond"|"cut"|"dead"} FateName
 * @typedef {"solved"|"unsolvable"|"exhausted"|"cut"|"depth"|"time"|"memory"|"nodes"} EndName
 * @typedef {{node: number|null, g: number, h: number|null, fate: FateName, rule?: string|null, goal: boolean}} AnySuccessor
 * @typedef {AnySuccessor & {from: number|null, to: number|null, player: number}} Successor
 * @typedef {AnySuccessor & {direction: string, board: number[]|null}} TileSuccessor
 * @typedef {{node: number, parent: number|null, g: number, h: number, waiting: number, iteration: number, limit: number|null}} AnyExpansion
 * @typedef {AnyExpansion & {boxes: number[], player: number, successors: Successor[]}} Expansion
 * @typedef {AnyExpansion & {board: number[], successors: TileSuccessor[]}} TileExpansion
 * @typedef {{node: number|null, parent: number|null, g: number}} AnyGoal
 * @typedef {{width: number, height: number, algorithm: string, formulation: string, heuristic: string, end: EndName,
 *            goal: (AnyGoal & {boxes: number[], player: number})|null, expansions: Expansion[]}} Trace
 * @typedef {{side: number, algorithm: string, heuristic: string|null, end: EndName,
 *            goal: (AnyGoal & {board: number[]})|null, expansions: TileExpansion[]}} TileTrace
 *
 * @typedef {{boxes: number[], player: number, h: number|null, distance: number}} StateCase
 * @typedef {{name: string, admissible: boolean, consistent: boolean, exact: number, mean_error: number, dead_found: number,
 *            counts: [number, number, number][], worst: StateCase|null, above: StateCase|null}} EstimateQuality
 * @typedef {{width: number, height: number, formulation: string, player_term: string|null, states: number, solvable: number,
 *            start: number|null, estimates: EstimateQuality[]}} Measured
 *
 * @typedef {{row: number, column: number, letter: string}} CseMove
 * @typedef {{move: CseMove, value: number, plies: number|null}} RatedMove
 * @typedef {{value: number, plies: number|null, best: RatedMove|null, moves: RatedMove[],
 *            principal_variation: CseMove[], method: string, nodes: number}} Advice
 * @typedef {{move: CseMove|null, board: string[], side: string, value: number|null, plies: number|null,
 *            bound: "at-least"|"at-most"|null, alpha: string|null, beta: string|null, fate: string, unrecorded: number, children: TreeNode[]}} TreeNode
 * @typedef {{method: string, nodes: number, cutoffs: number, memo_hits: number, memo_entries: number}} MethodCost
 * @typedef {{board: string[], to_move: "max"|"min", ending: "max"|"min"|"draw"|null, lines: number[][],
 *            advice: Advice, tree: {root: TreeNode, cost: MethodCost}|null, costs: MethodCost[]|null}} CsePosition
 *
 * @typedef {{key: string, turn: number, boxes: number, squares: number, best_pushes: number|null, best_moves: number|null,
 *            fewest_pushes: boolean, fewest_moves: boolean, unsolvable: boolean, collection: string|null, number: number|null,
 *            title: string|null, grade: number|null, picture: string|null}} Hit
 * @typedef {{total: number, levels: Hit[]}} Found
 * @typedef {{finder: string, method: string, found: number}} Origin
 * @typedef {Origin & {lurd: string, pushes: number, moves: number}} KnownSolution
 * @typedef {{solution: number|null, proof: string, lower_bound: (Origin & {value: number})|null}} KnownBest
 * @typedef {{collection: string, number: number, title: string|null, author: string|null, notes: string[], grade: number|null,
 *            turn: number, board: string}} Entry
 * @typedef {{run: string, name: string, outcome: string, pushes: number|null, moves: number|null, seconds: number, reason: string|null}} Tried
 * @typedef {{key: string, turn: number, board: string, boxes: number, squares: number, solutions: KnownSolution[], pushes: KnownBest,
 *            moves: KnownBest, unsolvable: Origin|null, entries: Entry[], runs: Tried[]}} LibraryLevel
 * @typedef {{name: string, title: string|null, author: string|null, source: string, added: number, levels: number, solved: number}} CollectionRow
 * @typedef {{name: string, levels: number, new_levels: number, new_best: number, known: boolean, defects: string[]}} Added
 * @typedef {{round: number, waiting: number, done: number, rate: number, seconds: number, seconds_left: number|null, jobs: number}} RunProgress
 * @typedef {{id: string, name: string, state: "running"|"elsewhere"|"interrupted"|"ended", created: number, ended: number|null,
 *            version: string, machine: string, seconds: (number|null)[],
 *            request: {goal?: string, algorithm?: string, node_limit?: number},
 *            levels: number, solved: number, unsolvable: number, open: number, failed: number, progress: RunProgress|null,
 *            why_not: string|null, trouble: string|null}} Run
 * @typedef {{name: string, points: [number, number][]}} CurveLine
 * @typedef {{columns: {name: string, figure: boolean}[], rows: string[][], levels: string[], more: number}} ReportTable
 * @typedef {{heading: string, text: string, chart: {levels: number, lines: CurveLine[]}|null, table: ReportTable|null,
 *            boards: {key: string, label: string, remark: string, board: string}[]}} ReportSection
 * @typedef {{title: string, sections: ReportSection[]}} Report
 *
 * A way to ask: over HTTP or of workers. `follow` calls back with every state of a job until the function it gives is called.
 * @typedef {{ask: (method: string, path: string, body?: BodyInit|null, type?: string) => Promise<any>,
 *            follow: (id: string, onstate: (job: Job) => void, onbroken: () => void) => () => void}} Transport
 */

export {};
