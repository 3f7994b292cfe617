//! Solving a level, watched closely.

use super::state::{Best, JobResult, Live, Strategy};
use super::{Job, Work};
use lurd::{Bits, Board, Level, Map, Nearest, Progress, Race, Record, Report, Request, Solution, State, Watch};
use lurd_search::Statistics;
use std::collections::BTreeMap;

/// Larger boards are not worth the traffic of a heat map.
const CELLS_WITH_HEAT: usize = 20_000;
/// The scale of a heat map: what is visited by so many powers of ten less than the hottest square is as good as cold.
const HEAT_DECADES: f64 = 3.0;
/// Larger boards are not told once for each strategy, ten times a second.
const CELLS_WITH_BOARDS: usize = 2_000;

/// A level to be solved.
pub(super) struct SokobanJob {
    level: Level,
    request: Request,
    /// Whether the player's square is told in every state, or only his zone.
    steps: bool,
    most_shares: usize,
}

impl SokobanJob {
    /// Fails where the request contradicts itself or the level cannot be played.
    pub(super) fn new(level: Level, request: Request) -> Result<Self, String> {
        Board::new(&level.map).map_err(|error| error.to_string())?;
        let explanation = lurd::explain(&request).map_err(|error| error.to_string())?;
        Ok(Self { level, request, steps: explanation.formulation != "push", most_shares: explanation.most_shares })
    }
}

impl Work for SokobanJob {
    fn kind(&self) -> &'static str {
        "sokoban"
    }

    fn most_shares(&self) -> usize {
        self.most_shares
    }

    fn map(&self) -> Option<&Map> {
        Some(&self.level.map)
    }

    fn run(&mut self, job: &Job) -> JobResult {
        let Ok(board) = Board::new(&self.level.map) else { return Record::failed("the level cannot be played").into() };
        let mut watcher = Watcher::new(job, &board, self.steps);
        match lurd::watch(&self.level, &self.request, job.cancelled(), &mut watcher) {
            Ok(report) => {
                watcher.last(&report);
                report.record(&self.level).into()
            }
            Err(error) => Record::failed(error.to_string()).into(),
        }
    }
}

/// Where the search has been and how near it came.
struct Watcher<'j> {
    job: &'j Job,
    board: &'j Board,
    steps: bool,
    visits: Vec<u64>,
    best: Option<(State, Option<u32>, u32, usize)>,
    strategies: Vec<Strategy>,
    frontier: u64,
    pruned: BTreeMap<&'static str, u64>,
}

impl<'j> Watcher<'j> {
    fn new(job: &'j Job, board: &'j Board, steps: bool) -> Self {
        Self {
            job,
            board,
            steps,
            visits: vec![0; board.len()],
            best: None,
            strategies: Vec::new(),
            frontier: 0,
            pruned: BTreeMap::new(),
        }
    }

    fn heat(&self) -> Option<Vec<u8>> {
        let map = self.board.map();
        if map.width() * map.height() > CELLS_WITH_HEAT {
            return None;
        }
        let most = self.visits.iter().copied().max().filter(|&most| most > 0)?;
        let mut heat = vec![0; map.width() * map.height()];
        for square in self.board.squares() {
            let (row, column) = self.board.place(square);
            let visits = self.visits[usize::from(square)];
            if visits > 0 {
                let part = 1.0 + (visits as f64 / most as f64).log10() / HEAT_DECADES;
                heat[row * map.width() + column] = (part.max(0.0) * 254.0).round() as u8 + 1;
            }
        }
        Some(heat)
    }

    fn best(&self) -> Option<Best> {
        self.best.as_ref().map(|(state, g, h, in_place)| Best {
            board: self.board.picture(&state.boxes, state.player).to_string(),
            g: *g,
            h: *h,
            in_place: *in_place,
        })
    }

    /// A position of a racing strategy, and how many of its boxes are on goals.
    fn position(&self, nearest: &Nearest) -> (State, usize) {
        let boxes = Bits::of(self.board.len(), nearest.boxes.iter().copied());
        let in_place = nearest.boxes.iter().filter(|&&square| self.board.is_goal(square)).count();
        (State { boxes, player: nearest.player }, in_place)
    }

    /// The state of the search at its end; short searches are over before their first tick.
    fn last(&mut self, report: &Report) {
        let statistics = &report.statistics;
        self.job.update(Live {
            frontier: self.frontier.max(statistics.frontier),
            best: self.best(),
            heat: self.heat(),
            strategies: std::mem::take(&mut self.strategies),
            ..Live::of(statistics, report.lower_bound)
        });
    }
}

impl Watch for Watcher<'_> {
    fn closely(&self) -> bool {
        true
    }

    fn counted(&mut self, statistics: &Statistics) {
        self.frontier = statistics.frontier;
        self.pruned.clone_from(&statistics.pruned);
    }

    fn progress(&mut self, progress: &Progress) {
        self.job.update(Live {
            seconds: progress.seconds,
            expanded: progress.expanded,
            generated: progress.generated,
            frontier: self.frontier,
            bytes: progress.bytes,
            lower_bound: progress.lower_bound,
            pruned: self.pruned.clone(),
            best: self.best(),
            heat: self.heat(),
            strategies: self.strategies.clone(),
        });
    }

    fn found(&mut self, solution: &Solution) {
        self.job.host.found(&solution.lurd);
    }

    fn told(&mut self) -> Option<String> {
        self.job.host.told()
    }

    fn raced(&mut self, race: &Race) {
        self.visits.clone_from(&race.visits);
        let map = self.board.map();
        let small = map.width() * map.height() <= CELLS_WITH_BOARDS;
        let mut strategies = Vec::with_capacity(race.racers.len());
        for racer in &race.racers {
            let nearest = racer.nearest.as_ref();
            let seen = nearest.map(|nearest| (self.position(nearest), nearest));
            let best = seen.as_ref().filter(|_| small).map(|((state, in_place), nearest)| Best {
                board: self.board.picture(&state.boxes, state.player).to_string(),
                g: None,
                h: nearest.to_go,
                in_place: *in_place,
            });
            strategies.push(Strategy {
                name: racer.name,
                state: racer.state.name(),
                expanded: racer.expanded,
                generated: racer.generated,
                bytes: racer.bytes,
                backwards: nearest.is_some_and(|nearest| nearest.backwards),
                best,
            });
            // What was reached by pulls has its boxes on goals to begin with.
            if let Some(((state, in_place), nearest)) = seen
                && !nearest.backwards
                && self
                    .best
                    .as_ref()
                    .is_none_or(|&(_, _, h, placed)| in_place > placed || (in_place == placed && nearest.to_go < h))
            {
                self.best = Some((state, None, nearest.to_go, in_place));
            }
        }
        self.strategies = strategies;
    }

    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        let mut in_place = 0;
        for square in state.boxes.iter() {
            let visits = &mut self.visits[usize::from(square)];
            *visits = visits.saturating_add(1);
            in_place += usize::from(self.board.is_goal(square));
        }
        if self.steps {
            let visits = &mut self.visits[usize::from(state.player)];
            *visits = visits.saturating_add(1);
        }
        let nearer = self
            .best
            .as_ref()
            .is_none_or(|&(_, _, nearest, placed)| h < nearest || (h == nearest && in_place > placed));
        if nearer {
            self.best = Some((state.clone(), Some(g), h, in_place));
        }
    }
}
