// Made from the description of the API by crates/web/src/types.rs; not to be edited.

export type About = {
  formats: Array<Format>;
  library: LibraryAccess;
  limits: HostLimits;
  name: string;
  options: Array<RequestOption>;
  strategies: Array<string>;
  tiles: Tiles;
  version: string;
};

export type Added = {
  defects: Array<string>;
  known: boolean;
  levels: number;
  name: string;
  new_best: number;
  new_levels: number;
};

export type Advice = {
  best: RatedMove | null;
  method: string;
  moves: Array<RatedMove>;
  nodes: number;
  plies: number | null;
  principal_variation: Array<CseMove>;
  value: number;
};

export type AskedWish = {
  boxes?: [number, number] | null;
  grade?: [number, number] | null;
  height?: [number, number] | null;
  number?: number | null;
  seed?: number;
  style?: string | null;
  width?: [number, number] | null;
};

export type Best = { board: string; g: number | null; h: number; in_place: number };

export type Chart = { levels: number; lines: Array<CurveLine> };

export type Checked = {
  boxes: number;
  column: number | null;
  flaw: string | null;
  goals: number;
  playable: boolean;
  row: number | null;
  squares: number;
};

export type CheckedTiles = {
  goal: Array<number>;
  reason: string | null;
  side: number;
  solvable: boolean;
  start: Array<number>;
};

export type Collection = {
  author: string | null;
  defects: Array<string>;
  format: string;
  left_out: number;
  levels: Array<Level>;
  notes: Array<string>;
  title: string | null;
  warnings: Array<string>;
};

export type CollectionRow = {
  added: number;
  author: string | null;
  levels: number;
  name: string;
  solved: number;
  source: string;
  title: string | null;
};

export type Corral = { cells: Array<number>; fence: Array<number> };

export type CseAsking = {
  costs?: boolean;
  first: string;
  moves?: Array<CseEntry>;
  start: string;
  strategy?: string | null;
  tree?: number | null;
};

export type CseEntry = { column: number; letter: string; row: number };

export type CseMove = { column: number; letter: string; row: number };

export type CsePosition = {
  advice: Advice;
  board: Array<string>;
  costs: Array<MethodCost> | null;
  ending: string | null;
  lines: Array<Array<number>>;
  to_move: string;
  tree: SearchTree | null;
};

export type CurveLine = { name: string; points: Array<[number, number]> };

export type Deadlock = { about: string; boxes: Array<number>; rule: string };

export type DegreeName = "where" | "box" | "push" | "way";

export type Drawing = { board: string };

export type EndName = "solved" | "unsolvable" | "exhausted" | "cut" | "depth" | "time" | "memory" | "nodes" | "disk";

export type Ending = "solved" | "unsolvable" | "stopped" | "cancelled" | "failed";

export type Entry = {
  author: string | null;
  board: string;
  collection: string;
  grade: number | null;
  notes: Array<string>;
  number: number;
  title: string | null;
  turn: number;
};

export type Error = { error: string };

export type EstimateQuality = {
  above: StateCase | null;
  admissible: boolean;
  consistent: boolean;
  counts: Array<[number, number, number]>;
  dead_found: number;
  exact: number;
  mean_error: number;
  name: string;
  worst: StateCase | null;
};

export type Expansion = {
  boxes: Array<number>;
  g: number;
  h: number;
  iteration: number;
  limit: number | null;
  node: number;
  parent: number | null;
  player: number;
  successors: Array<Successor>;
  waiting: number;
};

export type FateName = "new" | "cheaper" | "known" | "beyond" | "cut" | "dead";

export type Format = { about: string; extension: string; name: string };

export type Found = { levels: Array<Hit>; total: number };

export type Goal = { boxes: Array<number>; g: number; node: number | null; parent: number | null; player: number };

export type Grade = { fine: number; number: number; reasons: Array<string> };

export type Group = "search" | "limits" | "work";

export type HintDegree = {
  cells: Array<number>;
  degree: DegreeName;
  moves: string | null;
  to: number | null;
  words: string;
};

export type Hinting = { board: string; solution: string };

export type Hints = { degrees: Array<HintDegree> };

export type Hit = Proved & { best_moves: number | null; best_pushes: number | null; boxes: number; collection: string | null; grade: number | null; key: string; number: number | null; picture: string | null; squares: number; title: string | null; turn: number };

export type HostLimits = {
  grace_seconds: number;
  mebibytes: number;
  running: number;
  seconds: number;
  waiting: number;
};

export type Inspecting = { board: string; nodes?: number | null; request?: Request };

export type InspectingTiles = {
  algorithm?: string | null;
  goal?: string | null;
  heuristic?: string | null;
  moves?: string | null;
  nodes?: number | null;
  start: string;
};

export type Job = {
  cancelled_because: string | null;
  history: Array<[number, number, number, number, number, number | null]> | null;
  id: string;
  kind: string;
  live: Live;
  phase: string | null;
  result: JobResult | null;
  status: Status;
};

export type JobEnd = "solved" | "unsolvable" | "open" | "failed";

export type JobResult = Record & { made: Made | null; rating: Rating | null };

export type JobSummary = { id: string; kind: string; outcome: Ending | null; status: Status; watchers: number };

export type Judged = {
  fault: string | null;
  legal: boolean;
  lurd: string | null;
  moves: number;
  pushes: number;
  solves: boolean;
};

export type Judgement = { solutions: Array<Judged> };

export type Judging = { board: string; solutions: Array<string> };

export type KindName = "choice" | "several" | "sum" | "switch" | "count" | "number" | "seconds" | "bytes" | "text";

export type KnownBest = { lower_bound: KnownBound | null; proof: string; solution: number | null };

export type KnownBound = Origin & { value: number };

export type KnownSolution = Origin & { lurd: string; moves: number; pushes: number };

export type Length = { best: number; lower: number };

export type Lesson = {
  board: string | null;
  name: string;
  options: Array<string>;
  picture: PictureKind | null;
  task: string;
  text: string;
  title: string;
};

export type LessonAnswer = { lesson: string; moves?: string | null; option?: number | null };

export type LessonPicture = { methods: Array<MethodCost>; searches: Array<SearchPicture> };

export type LessonVerdict = { done: boolean; words: string };

export type Level = {
  author: string | null;
  board: string;
  boxes: number;
  games: Array<SavedGame>;
  height: number;
  notes: Array<string>;
  number: number;
  title: string | null;
  width: number;
};

export type LevelFilter = {
  boxes?: string | null;
  collection?: string | null;
  grades?: string | null;
  squares?: string | null;
  state?: string | null;
  text?: string | null;
};

export type LibraryAccess = { open: boolean; why_not: string | null };

export type LibraryFigures = Stats & { path: string };

export type LibraryLevel = {
  board: string;
  boxes: number;
  entries: Array<Entry>;
  key: string;
  moves: KnownBest;
  pushes: KnownBest;
  runs: Array<Tried>;
  solutions: Array<KnownSolution>;
  squares: number;
  turn: number;
  unsolvable: Origin | null;
};

export type Live = {
  best: Best | null;
  bytes: number;
  expanded: number;
  frontier: number;
  generated: number;
  heat: Array<number> | null;
  lower_bound: number | null;
  pruned: { [name: string]: number };
  seconds: number;
  strategies: Array<Strategy>;
};

export type Looking = { board: string; goal?: number | null };

export type Loss = { reason: LossReason | null; words: string };

export type LossAsking = { board: string };

export type LossReason = { boxes: Array<number>; home: number; line: string; positions: number };

export type Made = { as_wished: boolean; boards: number; level: Level; series: Series | null };

export type Measured = {
  estimates: Array<EstimateQuality>;
  formulation: string;
  height: number;
  player_term: string | null;
  solvable: number;
  start: number | null;
  states: number;
  width: number;
};

export type Measuring = { board: string; request?: Request };

export type MethodCost = { cutoffs: number; memo_entries: number; memo_hits: number; method: string; nodes: number };

export type Named = { about: string; name: string };

export type Origin = { finder: string; found: number; method: string };

export type PictureAsking = { lesson: string };

export type PictureKind = "searches" | "estimates" | "methods";

export type Plan = {
  algorithm: string;
  deadlocks: Array<string>;
  factor: number | null;
  formulation: string;
  heuristic: string;
  notes: Array<string>;
  promise: string;
  sentence: string;
  tie_break: string;
};

export type Proved = { fewest_moves: boolean; fewest_pushes: boolean; unsolvable: boolean };

export type RatedMove = { move: CseMove; plies: number | null; value: number };

export type Rating = {
  box_changes: number;
  box_lines: number;
  boxes: number;
  boxes_pushed: number;
  breadth_first: SearchCost | null;
  choice: number;
  counterintuitive_pushes: number;
  dead_share: number;
  grade: Grade;
  losing_pushes: number;
  moves: Length;
  player_lines: number;
  pushes: Length;
  pushing_sessions: number;
  squares: number;
  student_a_star: SearchCost | null;
  switches_between_halves: number;
  traps: number;
};

export type Record = {
  algorithm: string;
  deadlocks: Array<string>;
  duplicates: number;
  expanded: number;
  formulation: string;
  generated: number;
  goal_proof: string | null;
  heuristic: string;
  heuristic_bytes: number;
  level: number | null;
  lower_bound: number | null;
  moves: number | null;
  notes: Array<string>;
  outcome: Ending;
  peak_bytes: number;
  peak_frontier: number;
  proof: string;
  pruned: { [name: string]: number };
  pushes: number | null;
  reopened: number;
  seconds: number;
  solution: string | null;
  stopped_by: string | null;
  then_proof: string | null;
  title: string;
};

export type Report = { sections: Array<ReportSection>; title: string };

export type ReportBoard = { board: string; key: string; label: string; remark: string };

export type ReportColumn = { figure: boolean; name: string };

export type ReportSection = {
  boards: Array<ReportBoard>;
  chart: Chart | null;
  heading: string;
  table: ReportTable | null;
  text: string;
};

export type ReportTable = {
  columns: Array<ReportColumn>;
  levels: Array<string>;
  more: number;
  rows: Array<Array<string>>;
};

export type Request = {
  algorithm?: "breadth-first" | "uniform-cost" | "depth-first" | "depth-limited" | "iterative-deepening" | "greedy" | "a-star" | "weighted-a-star" | "ida-star" | "memory-bounded-a-star" | "bidirectional" | null;
  deadlocks?: "all" | "none" | null | Array<"corner" | "corridor" | "wall-line" | "dead-square" | "freeze" | "pattern" | "bipartite" | "corral" | "tunnel">;
  depth_limit?: number | null;
  fallback_after?: number | null;
  formulation?: "push" | "move" | "walk" | null;
  goal?: "any" | "pushes" | "moves" | null;
  heuristic?: "zero" | "nearest-manhattan" | "nearest-push" | "manhattan-matching" | "greedy-matching" | "matching" | "zero+player-ids" | "zero+player-bfs" | "zero+player-classic" | "nearest-manhattan+player-ids" | "nearest-manhattan+player-bfs" | "nearest-manhattan+player-classic" | "nearest-push+player-ids" | "nearest-push+player-bfs" | "nearest-push+player-classic" | "manhattan-matching+player-ids" | "manhattan-matching+player-bfs" | "manhattan-matching+player-classic" | "greedy-matching+player-ids" | "greedy-matching+player-bfs" | "greedy-matching+player-classic" | "matching+player-ids" | "matching+player-bfs" | "matching+player-classic" | null;
  known?: string | null;
  memory_limit?: number | string | null;
  node_limit?: number | null;
  reverse?: boolean | null;
  seed?: number | null;
  then?: "any" | "pushes" | "moves" | null;
  threads?: number | null;
  tie_break?: "lifo" | "fifo" | "inertia" | null;
  time_limit?: number | null;
  weight?: number | null;
};

export type RequestOption = {
  about: string;
  choices: Array<Named>;
  concerns: string;
  default: string;
  group: Group;
  kind: KindName;
  least: number | null;
  most: number | null;
  name: string;
  parts: Array<Named>;
};

export type ResumeRun = { jobs?: number | null };

export type Run = {
  created: number;
  ended: number | null;
  failed: number;
  id: string;
  levels: number;
  machine: string;
  name: string;
  open: number;
  progress: RunProgress | null;
  request: Request;
  seconds: Array<number | null>;
  solved: number;
  state: RunState;
  trouble: string | null;
  unsolvable: number;
  version: string;
  why_not: string | null;
};

export type RunProgress = {
  done: number;
  jobs: number;
  rate: number;
  round: number;
  seconds: number;
  seconds_left: number | null;
  waiting: number;
};

export type RunState = "running" | "elsewhere" | "interrupted" | "ended";

export type SavedGame = { moves: string; solves: boolean; title: string };

export type SearchCost = { expanded: number; finished: boolean };

export type SearchPicture = {
  expanded: number;
  layers: Array<number>;
  name: string;
  pushes: number;
  visits: Array<[number, number]>;
};

export type SearchTree = { cost: MethodCost; root: TreeNode };

export type Seen = {
  corrals: Array<Corral>;
  dead: Array<number>;
  deadlock: Deadlock | null;
  distances: Array<[number, number]>;
  frozen: Array<number>;
  height: number;
  pushed_first: Array<number>;
  rooms: Array<Array<number>>;
  solved: boolean;
  tunnels: Array<number>;
  width: number;
  zone: Array<number>;
};

export type Series = { number?: number; seed: number; strength?: number | null };

export type Shuffled = { board: Array<number> };

export type Shuffling = {
  goal?: string | null;
  moves?: string | null;
  seed?: number | null;
  side: number;
  steps?: number | null;
};

export type StartRun = {
  collections?: Array<string> | null;
  filter?: LevelFilter | null;
  jobs?: number | null;
  name?: string | null;
  request?: Request;
  seconds?: Array<number> | null;
};

export type Starting = { board: string; kind: "sokoban"; request?: Request } | { board: string; kind: "improve"; request?: Request; solution: string } | { board: string; kind: "rate"; request?: Request } | { kind: "generate"; request?: Request; wish?: AskedWish } | { date: string; kind: "daily"; request?: Request } | { kind: "endless"; played?: string | null; request?: Request; series: Series } | { board: string; harder?: boolean; kind: "like"; request?: Request; seed?: number } | { algorithm?: string | null; depth_limit?: number | null; goal?: string | null; heuristic?: string | null; kind: "tiles"; moves?: string | null; request?: Request; start: string; weight?: number | null };

export type StateCase = { boxes: Array<number>; distance: number; h: number | null; player: number };

export type Stats = {
  bytes: number;
  collections: number;
  entries: number;
  levels: number;
  optimal_moves: number;
  optimal_pushes: number;
  results: number;
  runs: number;
  solutions: number;
  solved: number;
  unsolvable: number;
};

export type Status = "waiting" | "running" | "done";

export type Strategy = {
  backwards: boolean;
  best: Best | null;
  bytes: number;
  expanded: number;
  generated: number;
  name: string;
  state: string;
};

export type Successor = {
  fate: FateName;
  from: number | null;
  g: number;
  goal: boolean;
  h: number | null;
  node: number | null;
  player: number;
  rule: string | null;
  to: number | null;
};

export type Text = { extension: string; text: string };

export type TileExpansion = {
  board: Array<number>;
  g: number;
  h: number;
  iteration: number;
  limit: number | null;
  node: number;
  parent: number | null;
  successors: Array<TileSuccessor>;
  waiting: number;
};

export type TileGoal = { board: Array<number>; g: number; node: number | null; parent: number | null };

export type TileHeuristic = { classic: string; diagonal: string; name: string };

export type TileSuccessor = {
  board: Array<number> | null;
  direction: string;
  fate: FateName;
  g: number;
  goal: boolean;
  h: number | null;
  node: number | null;
};

export type TileTrace = {
  algorithm: string;
  end: EndName;
  expansions: Array<TileExpansion>;
  goal: TileGoal | null;
  heuristic: string | null;
  side: number;
};

export type Tiles = { algorithms: Array<string>; heuristics: Array<TileHeuristic> };

export type TilesChecking = { goal?: string | null; moves?: string | null; start: string };

export type Tour = { lessons: Array<Lesson> };

export type Trace = {
  algorithm: string;
  complete: boolean;
  end: EndName;
  expansions: Array<Expansion>;
  formulation: string;
  goal: Goal | null;
  height: number;
  heuristic: string;
  solved: boolean;
  width: number;
};

export type TreeNode = {
  alpha: string | null;
  beta: string | null;
  board: Array<string>;
  bound: string | null;
  children: Array<TreeNode>;
  fate: string;
  move: CseMove | null;
  plies: number | null;
  side: string;
  unrecorded: number;
  value: number | null;
};

export type Tried = {
  moves: number | null;
  name: string;
  outcome: JobEnd;
  pushes: number | null;
  reason: string | null;
  run: string;
  seconds: number;
};

export type Writing = { format: string; levels: Array<WrittenLevel> };

export type WrittenLevel = {
  author?: string | null;
  board: string;
  notes?: Array<string>;
  solutions?: Array<WrittenSolution>;
  title?: string | null;
};

export type WrittenSolution = string | { moves: string; title: string };
