//! The best heights and shares for a position: a linear program of flows.
//!
//! Forget the order of things and count. In a solution the player makes each directed step some number of times, and these
//! numbers are a flow from where he stands to where he ends. Each push is done some number of times; the pushes carry
//! boxes from their squares to the goals, one to each. Between its arrival on a square, or now, and its next push a box
//! stands still, and the player walks from one side of it, or from where he stands, to another, round it: a flow on the floor
//! without that square. He makes every step at least as often as pushes need it, and, for each square taken alone, at
//! least as often as the walks round boxes on that square need it. Where squares never hold boxes together while he is there
//! ([`exclusive`](crate::exclusive)), their walks happen at different times and are added up; so is the push by that step, if
//! its box excludes them. The fewest steps that all this allows are a bound.
//!
//! The dual of this program is what the search can use: a height for every cell (from the flow of the player), for
//! every step how its cost of `1 + gain` is shared between boxes on squares and the box pushed by it (from "at least as
//! often"), and a price for each goal (from "one to each"). Whatever the solver says is only a proposal: rounded to
//! whole units, and cut where a step is shared out for more than it costs, any of it is sound
//! ([`dual_bound`](crate::dual_bound)). It is the best for the position it is made for, and good for those not far from it. Where the
//! player and the boxes begin is only in the limits of the rows, so their mean over many positions makes a program whose
//! dual is the best for the mean of these.

use crate::box_paths::BoxPaths;
use crate::exclusive::Exclusive;
use crate::potential::Pose;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use lurd_search::Budget;

/// What the dual says, in moves.
#[derive(Debug)]
pub(crate) struct Prices {
    /// By cell.
    pub(crate) heights: Vec<f64>,
    /// For each step, who gets what share of it, the largest first.
    pub(crate) shares: Vec<Vec<(Sharer, f64)>>,
    /// What bringing a box to a goal is worth.
    pub(crate) goals: Vec<f64>,
}

/// Who gets a share of a step: the squares of a clique of its cell, and perhaps the box pushed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sharer {
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

/// A share as small as this is none: the solver's way of saying nought.
const NOTHING: f64 = 1e-4;

/// Rounds of the solver; it needs about twenty.
const MOST_ROUNDS: u32 = 60;

/// The rows of the program, a row being a sum of variables that equals a number or is at most that.
#[derive(Default)]
struct Rows {
    row: Vec<usize>,
    column: Vec<usize>,
    factor: Vec<f64>,
    limit: Vec<f64>,
}

impl Rows {
    fn begin(&mut self, limit: f64) -> usize {
        self.limit.push(limit);
        self.limit.len() - 1
    }

    fn add(&mut self, row: usize, column: usize, factor: f64) {
        self.row.push(row);
        self.column.push(column);
        self.factor.push(factor);
    }
}

/// The variables of the program.
#[derive(Default)]
struct Columns(usize);

impl Columns {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0 - 1
    }
}

/// No variable.
const NO_COLUMN: usize = usize::MAX;

/// Solves the program of a position, or of the mean of several. `None` if it has no solution, or the budget ends before the
/// solver does.
pub(crate) fn prices(
    board: &DenseBoard,
    slopes: &BoxPaths,
    exclusive: &Exclusive,
    poses: &[Pose],
    budget: &Budget,
) -> Option<Prices> {
    let (cells, live) = (board.cells(), board.live_count());
    let pushes = &board.way(Side::Forward).steps;
    let steps: Vec<usize> = (0..4 * cells).filter(|&step| slopes.next[step] != NONE).collect();
    let mut columns = Columns::default();
    let mut rows = Rows::default();

    // Equations: the player's flow by cell, then each square's flow by cell, then the goals.
    let share = |count: usize| count as f64 / poses.len() as f64;
    let there = |cell: usize| share(poses.iter().filter(|pose| pose.player == cell).count());
    (0..cells).for_each(|cell| _ = rows.begin(there(cell)));
    let around = |square: usize, cell: usize| (square + 1) * cells + cell;
    for square in 0..live {
        let starts = |cell| poses.iter().filter(|pose| pose.player == cell && pose.boxes.contains(&square)).count();
        (0..cells).for_each(|cell| _ = rows.begin(share(starts(cell))));
    }
    let first_goal = rows.limit.len();
    board.goals().iter().for_each(|_| _ = rows.begin(1.0));
    // One half of the player ends on cells of the one colour, and what remains on those of the other: so heights are good
    // for both.
    let colour = |cell: usize| board.colour_of_cell(cell);
    let both = slopes.ends.iter().any(|&cell| colour(cell) != colour(slopes.ends[0]));
    let halved = both.then(|| rows.begin(0.5));
    let equations = rows.limit.len();

    let mut made = vec![NO_COLUMN; 4 * cells];
    for &step in &steps {
        made[step] = columns.next();
        rows.add(step / 4, made[step], 1.0);
        rows.add(slopes.next[step].into(), made[step], -1.0);
    }
    let cost_columns = columns.0;
    for &cell in &slopes.ends {
        let ended = columns.next();
        rows.add(cell, ended, 1.0);
        if let Some(row) = halved.filter(|_| colour(cell) == 0) {
            rows.add(row, ended, 1.0);
        }
    }
    // By step, the push that is done by it, and its variable.
    let mut pushed_by = vec![None; 4 * cells];
    for (number, push) in pushes.iter().enumerate().filter(|(_, push)| push.to != NONE) {
        let done = columns.next();
        let (from, to) = (number / 4, usize::from(push.to));
        rows.add(around(from, push.reach.into()), done, 1.0);
        rows.add(around(to, push.lands.into()), done, -1.0);
        pushed_by[4 * usize::from(push.reach) + number % 4] = Some(([from, to], done));
    }
    let mut walked = vec![NO_COLUMN; live * 4 * cells];
    for square in 0..live {
        let taken = board.cell(square);
        for &step in &steps {
            let next = usize::from(slopes.next[step]);
            if step / 4 != taken && next != taken {
                let column = columns.next();
                walked[square * 4 * cells + step] = column;
                rows.add(around(square, step / 4), column, 1.0);
                rows.add(around(square, next), column, -1.0);
            }
        }
    }
    for (goal, &square) in board.goals().iter().enumerate() {
        let square = usize::from(square);
        for arrival in (4 * square..4 * square + 4).filter(|&arrival| slopes.is_arrival(arrival)) {
            let ended = columns.next();
            rows.add(around(square, board.beside(arrival).into()), ended, 1.0);
            rows.add(first_goal + goal, ended, 1.0);
        }
        let mut players: Vec<usize> =
            poses.iter().filter(|pose| pose.boxes.contains(&square)).map(|pose| pose.player).collect();
        players.sort_unstable();
        players.dedup();
        for player in players {
            let stays = columns.next();
            rows.add(around(square, player), stays, 1.0);
            rows.add(first_goal + goal, stays, 1.0);
        }
    }

    // Limits: each step is made as often as those who need it at different times.
    let mut shared: Vec<(usize, Option<Sharer>)> = Vec::new();
    for &step in &steps {
        let mut push_is_in = false;
        let next = usize::from(slopes.next[step]);
        for (number, clique) in exclusive.cliques[step / 4].iter().enumerate() {
            let needs = clique.iter().map(|&square| walked[square * 4 * cells + step]);
            let needs: Vec<usize> = needs.filter(|&column| column != NO_COLUMN).collect();
            if needs.is_empty() {
                continue;
            }
            let row = rows.begin(0.0);
            rows.add(row, made[step], -1.0);
            needs.iter().for_each(|&column| rows.add(row, column, 1.0));
            // The box pushed is on the one square before the step and on the other after it.
            let parted = |square: usize, [from, to]: [usize; 2]| {
                let (before, after) = (step / 4, next);
                square == from
                    || square == to
                    || exclusive.exclude(before, square, from)
                    || exclusive.exclude(after, square, to)
            };
            let push = pushed_by[step].filter(|(squares, _)| clique.iter().all(|&square| parted(square, *squares)));
            if let Some((_, done)) = push {
                rows.add(row, done, 1.0);
                push_is_in = true;
            }
            shared.push((step, Some(Sharer { clique: number, and_pushed: push.is_some() })));
        }
        if let (Some((_, done)), false) = (pushed_by[step], push_is_in) {
            let row = rows.begin(0.0);
            rows.add(row, made[step], -1.0);
            rows.add(row, done, 1.0);
            shared.push((step, None));
        }
    }
    for column in 0..columns.0 {
        let row = rows.begin(0.0);
        rows.add(row, column, -1.0);
    }

    let mut cost = vec![0.0; columns.0];
    cost[..cost_columns].fill(1.0);
    let count = rows.limit.len();
    let matrix = CscMatrix::new_from_triplets(count, columns.0, rows.row, rows.column, rows.factor);
    let nothing = CscMatrix::zeros((columns.0, columns.0));
    let cones = [SupportedConeT::ZeroConeT(equations), SupportedConeT::NonnegativeConeT(count - equations)];
    let settings = DefaultSettings { verbose: false, max_iter: MOST_ROUNDS, ..DefaultSettings::default() };
    let mut solver = DefaultSolver::new(&nothing, &cost, &matrix, &rows.limit, &cones, settings).ok()?;
    let budget = budget.clone();
    solver.set_termination_callback(move |_| budget.out_of_time() || budget.cancel().is_cancelled());
    solver.solve();
    if !matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved) {
        return None;
    }
    let dual = &solver.solution.z;
    let mut shares: Vec<Vec<(Sharer, f64)>> = vec![Vec::new(); 4 * cells];
    for (&(step, sharer), &share) in shared.iter().zip(&dual[equations..]) {
        if let Some(sharer) = sharer.filter(|_| share > NOTHING) {
            shares[step].push((sharer, share));
        }
    }
    shares.iter_mut().for_each(|of| of.sort_by(|a, b| b.1.total_cmp(&a.1)));
    Some(Prices {
        heights: dual[..cells].iter().map(|price| -price).collect(),
        shares,
        goals: dual[first_goal..][..board.goals().len()].iter().map(|price| -price).collect(),
    })
}
