//! The flow LP: a linear program whose dual is the best potential, cost partition and goal prices for given positions.
//!
//! The program counts what a solution does and forgets the order, as operator-counting heuristics do (Pommerening, Röger,
//! Helmert and Bonet 2014), with flow constraints as in the state equation (van den Briel, Benton, Kambhampati and Vossen
//! 2007):
//!
//! * The player makes each directed step some number of times; these numbers are a flow from his cell to where he ends.
//! * Each push is made some number of times; the pushes carry boxes from their squares to the goals, one to each.
//! * Between its arrival on a square, or now, and its next push a box rests, and the player walks from one side of it, or
//!   from where he is, to another side, round it: a flow on the floor without that square.
//! * He makes every step at least as often as pushes need it and, for each square alone, at least as often as the walks
//!   round boxes on that square need it. Where squares never hold boxes together while he is there
//!   ([`exclusive`](crate::exclusive)), their walks happen at different times and are added up; so is the push by that step,
//!   if its box excludes them.
//!
//! Every solution satisfies this, so the fewest steps that it allows are a bound. The search uses the dual: a potential for
//! every cell (from the flow of the player), for every step the partition of its cost `1 + gain` between boxes on squares
//! and the box pushed by it (from "at least as often"), and a price for each goal (from "one to each"). The solver's answer
//! is only a proposal: rounded to whole units, and cut where a step is shared out for more than it costs, any dual solution
//! is sound ([`dual_bound`](crate::dual_bound)). It is optimal for the position it is made for, and good for similar ones.
//! Where the player and the boxes begin enters only the right-hand sides, so their mean over many positions gives a program
//! whose dual is optimal for the mean of the bounds of these positions, as potential heuristics are optimised for samples
//! (Seipp, Pommerening and Helmert 2015).
//!
//! New here: flows round resting boxes, which make the walks between two pushes of a box part of the count, and mutually
//! exclusive squares whose walks are added up in one constraint.

use crate::box_paths::BoxPaths;
use crate::exclusive::Exclusive;
use crate::potential::Position;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use lurd_base::Budget;
use lurd_rules::dense::board::{DenseBoard, NONE, Side};

/// The dual solution, in moves.
#[derive(Debug)]
pub(crate) struct DualSolution {
    /// By cell.
    pub(crate) potential: Vec<f64>,
    /// For each step, its shares, the largest first.
    pub(crate) shares: Vec<Vec<(Holder, f64)>>,
    /// By goal, the value of a box on it.
    pub(crate) prices: Vec<f64>,
}

/// The holder of a share of a step: the squares of a clique of its cell, and perhaps the box pushed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) clique: usize,
    pub(crate) and_pushed: bool,
}

/// About how many columns the program of a level has.
pub(crate) fn size(board: &DenseBoard) -> usize {
    4 * board.live_count() * board.floor_cells().count()
}

/// About how many bytes the solver takes for it.
pub(crate) fn bytes(board: &DenseBoard) -> usize {
    3_000 * size(board)
}

/// Shares up to this are zero: an interior-point solver never reaches zero itself.
const TOLERANCE: f64 = 1e-4;

/// The most iterations of the solver; it needs about twenty.
const MOST_ITERATIONS: u32 = 60;

const NO_COLUMN: usize = usize::MAX;

/// A linear program: rows are sums of columns that equal a limit, the first ones, or are at most that.
#[derive(Default)]
struct Program {
    columns: usize,
    entries: (Vec<usize>, Vec<usize>, Vec<f64>),
    limits: Vec<f64>,
    /// How many rows are equations.
    equations: usize,
    /// How many columns, the first ones, are steps of the player and cost 1; the others cost nothing.
    steps: usize,
    /// The row of the first goal.
    first_goal: usize,
    /// For each row after the equations that shares a step: the step, and the holder of the share; `None` for the box
    /// pushed alone.
    shares: Vec<(usize, Option<Holder>)>,
}

impl Program {
    fn row(&mut self, limit: f64) -> usize {
        self.limits.push(limit);
        self.limits.len() - 1
    }

    fn column(&mut self) -> usize {
        self.columns += 1;
        self.columns - 1
    }

    fn add(&mut self, row: usize, column: usize, factor: f64) {
        self.entries.0.push(row);
        self.entries.1.push(column);
        self.entries.2.push(factor);
    }

    /// The program of a position, or of the mean of several.
    fn new(board: &DenseBoard, paths: &BoxPaths, exclusive: &Exclusive, positions: &[Position]) -> Self {
        let cells = board.cells();
        let steps = (0..4 * cells).filter(|&step| paths.next[step] != NONE).collect();
        let mut writer = Writer {
            board,
            paths,
            positions,
            cells,
            steps,
            made: vec![NO_COLUMN; 4 * cells],
            pushed_by: vec![None; 4 * cells],
            walked: vec![NO_COLUMN; board.live_count() * 4 * cells],
            program: Self::default(),
        };
        let half = writer.equations();
        writer.flow_of_the_player(half);
        writer.pushes_and_walks();
        writer.ends_of_boxes();
        writer.inequalities(exclusive);
        writer.program
    }

    /// The dual solution by row, by Clarabel's interior-point method (Goulart and Chen 2024). It checks the budget between
    /// two iterations only. `None` if there is no solution, or the budget ends first.
    fn dual(self, budget: &Budget) -> Option<Vec<f64>> {
        let mut cost = vec![0.0; self.columns];
        cost[..self.steps].fill(1.0);
        let count = self.limits.len();
        let (rows, columns, factors) = self.entries;
        let matrix = CscMatrix::new_from_triplets(count, self.columns, rows, columns, factors);
        let quadratic = CscMatrix::zeros((self.columns, self.columns));
        let cones =
            [SupportedConeT::ZeroConeT(self.equations), SupportedConeT::NonnegativeConeT(count - self.equations)];
        let settings = DefaultSettings { verbose: false, max_iter: MOST_ITERATIONS, ..DefaultSettings::default() };
        let mut solver = DefaultSolver::new(&quadratic, &cost, &matrix, &self.limits, &cones, settings).ok()?;
        let budget = budget.clone();
        solver.set_termination_callback(move |_| budget.is_over());
        solver.solve();
        matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved).then_some(solver.solution.z)
    }
}

/// Writes the program of a level.
struct Writer<'a> {
    board: &'a DenseBoard,
    paths: &'a BoxPaths,
    positions: &'a [Position],
    cells: usize,
    /// The steps of the player on the floor.
    steps: Vec<usize>,
    /// The column of each step.
    made: Vec<usize>,
    /// By step, the squares of the box pushed by it, and the column of that push.
    pushed_by: Vec<Option<([usize; 2], usize)>>,
    /// By square and step, the column of the walks round a box on that square.
    walked: Vec<usize>,
    program: Program,
}

impl Writer<'_> {
    /// The row of the flow round a box on a square, at a cell.
    fn around(&self, square: usize, cell: usize) -> usize {
        (square + 1) * self.cells + cell
    }

    /// The rows of the equations: the player's flow by cell, then each square's flow by cell, then the goals. Half of the
    /// player ends on cells of the one colour, the other half on cells of the other, so that the potential serves the bounds
    /// for both parities: that is the row returned.
    fn equations(&mut self) -> Option<usize> {
        let Self { positions, program, .. } = self;
        let mean = |count: usize| count as f64 / positions.len() as f64;
        for cell in 0..self.cells {
            program.row(mean(positions.iter().filter(|position| position.player == cell).count()));
        }
        for square in 0..self.board.live_count() {
            for cell in 0..self.cells {
                let starts = |position: &&Position| position.player == cell && position.boxes.contains(&square);
                program.row(mean(positions.iter().filter(starts).count()));
            }
        }
        program.first_goal = program.limits.len();
        self.board.goals().iter().for_each(|_| _ = program.row(1.0));
        let colour = |cell: usize| self.board.colour_of_cell(cell);
        let ends = &self.paths.ends;
        let both = ends.iter().any(|&cell| colour(cell) != colour(ends[0]));
        let half = both.then(|| program.row(0.5));
        program.equations = program.limits.len();
        half
    }

    fn flow_of_the_player(&mut self, half: Option<usize>) {
        let program = &mut self.program;
        for &step in &self.steps {
            let column = program.column();
            self.made[step] = column;
            program.add(step / 4, column, 1.0);
            program.add(self.paths.next[step].into(), column, -1.0);
        }
        program.steps = program.columns;
        for &cell in &self.paths.ends {
            let ended = program.column();
            program.add(cell, ended, 1.0);
            if let Some(row) = half.filter(|_| self.board.colour_of_cell(cell) == 0) {
                program.add(row, ended, 1.0);
            }
        }
    }

    fn pushes_and_walks(&mut self) {
        let pushes = &self.board.way(Side::Forward).steps;
        for (number, push) in pushes.iter().enumerate().filter(|(_, push)| push.to != NONE) {
            let pushed = self.program.column();
            let (from, to) = (number / 4, usize::from(push.to));
            let (reach, lands) = (self.around(from, push.reach.into()), self.around(to, push.lands.into()));
            self.program.add(reach, pushed, 1.0);
            self.program.add(lands, pushed, -1.0);
            self.pushed_by[4 * usize::from(push.reach) + number % 4] = Some(([from, to], pushed));
        }
        for square in 0..self.board.live_count() {
            let taken = self.board.cell(square);
            for at in 0..self.steps.len() {
                let step = self.steps[at];
                let next = usize::from(self.paths.next[step]);
                if step / 4 != taken && next != taken {
                    let column = self.program.column();
                    self.walked[square * 4 * self.cells + step] = column;
                    let (from, to) = (self.around(square, step / 4), self.around(square, next));
                    self.program.add(from, column, 1.0);
                    self.program.add(to, column, -1.0);
                }
            }
        }
    }

    /// A box ends on a goal where it arrives by a push, or where it is and stays.
    fn ends_of_boxes(&mut self) {
        for (goal, &square) in self.board.goals().iter().enumerate() {
            let (square, goal_row) = (usize::from(square), self.program.first_goal + goal);
            let mut end = |cell: usize| {
                let row = (square + 1) * self.cells + cell;
                let ended = self.program.column();
                self.program.add(row, ended, 1.0);
                self.program.add(goal_row, ended, 1.0);
            };
            for arrival in (4 * square..4 * square + 4).filter(|&arrival| self.paths.push_to(arrival).is_some()) {
                end(self.board.beside(arrival).into());
            }
            let there = self.positions.iter().filter(|position| position.boxes.contains(&square));
            let mut players: Vec<usize> = there.map(|position| position.player).collect();
            players.sort_unstable();
            players.dedup();
            players.into_iter().for_each(end);
        }
    }

    /// Each step is made as often as all that need it at different times, and nothing is made less than never.
    fn inequalities(&mut self, exclusive: &Exclusive) {
        let program = &mut self.program;
        for &step in &self.steps {
            let mut push_is_in = false;
            let next = usize::from(self.paths.next[step]);
            for (number, clique) in exclusive.cliques[step / 4].iter().enumerate() {
                let needs = clique.iter().map(|&square| self.walked[square * 4 * self.cells + step]);
                let needs: Vec<usize> = needs.filter(|&column| column != NO_COLUMN).collect();
                if needs.is_empty() {
                    continue;
                }
                let row = program.row(0.0);
                program.add(row, self.made[step], -1.0);
                needs.iter().for_each(|&column| program.add(row, column, 1.0));
                // The box pushed is on `from` before the step and on `to` after it.
                let excluded = |square: usize, [from, to]: [usize; 2]| {
                    square == from
                        || square == to
                        || exclusive.exclude(step / 4, square, from)
                        || exclusive.exclude(next, square, to)
                };
                let push =
                    self.pushed_by[step].filter(|(squares, _)| clique.iter().all(|&square| excluded(square, *squares)));
                if let Some((_, pushed)) = push {
                    program.add(row, pushed, 1.0);
                    push_is_in = true;
                }
                program.shares.push((step, Some(Holder { clique: number, and_pushed: push.is_some() })));
            }
            if let (Some((_, pushed)), false) = (self.pushed_by[step], push_is_in) {
                let row = program.row(0.0);
                program.add(row, self.made[step], -1.0);
                program.add(row, pushed, 1.0);
                program.shares.push((step, None));
            }
        }
        for column in 0..program.columns {
            let row = program.row(0.0);
            program.add(row, column, -1.0);
        }
    }
}

/// Solves the program of a position, or of the mean of several. `None` if it has no solution, or the budget ends first.
pub(crate) fn solve(
    board: &DenseBoard,
    paths: &BoxPaths,
    exclusive: &Exclusive,
    positions: &[Position],
    budget: &Budget,
) -> Option<DualSolution> {
    let mut program = Program::new(board, paths, exclusive, positions);
    let (equations, first_goal) = (program.equations, program.first_goal);
    let rows = std::mem::take(&mut program.shares);
    let dual = program.dual(budget)?;
    let mut shares: Vec<Vec<(Holder, f64)>> = vec![Vec::new(); 4 * board.cells()];
    for (&(step, holder), &share) in rows.iter().zip(&dual[equations..]) {
        if let Some(holder) = holder.filter(|_| share > TOLERANCE) {
            shares[step].push((holder, share));
        }
    }
    shares.iter_mut().for_each(|of| of.sort_by(|a, b| b.1.total_cmp(&a.1)));
    Some(DualSolution {
        potential: dual[..board.cells()].iter().map(|price| -price).collect(),
        shares,
        prices: dual[first_goal..][..board.goals().len()].iter().map(|price| -price).collect(),
    })
}
