//! One level being played: the game, its record, the deadlock watch and the solver.
//!
//! The screen and the line-based mode both stand on this. Every change goes to the
//! store at once, and a finished game is taken in after the referee has replayed it.

use crate::game::{Game, Stepped};
use crate::level_id::{LevelId, normal_form};
use crate::path;
use crate::progress::{Record, Store};
use crate::solver::{Answer, Solver};
use crate::watch::{Finding, Watch};
use lurd::{Bits, Board, BoardError, Direction, Level, Square};
use std::sync::Arc;

/// What a solver was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The next push.
    Hint,
    /// The whole way.
    Solve,
}

/// The next push on a way to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) stand: Square,
    pub(crate) boxed: Square,
    pub(crate) direction: Direction,
}

/// A solution that was found, with the moves that led to where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) before: String,
    pub(crate) lurd: String,
    pub(crate) pushes: usize,
    plan: Vec<(Bits, Hint)>,
}

/// What came of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finished {
    /// The referee agrees; the flag says whether it has fewer pushes or fewer moves than ever.
    Kept { new_best: bool },
    /// The referee does not agree, and the reason. It would be a fault of this program.
    Refused(String),
}

/// What has happened in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The last push, or the start, turned out to be lost.
    Lost,
    /// The solver has ended: what it found can be had from the session, or a sentence says why
    /// there is nothing.
    Answered(Request, Result<(), String>),
}

/// One level being played.
#[derive(Debug)]
pub(crate) struct Session {
    id: LevelId,
    level: Level,
    game: Game,
    record: Record,
    watch: Watch,
    solver: Option<(Solver, Request, String)>,
    found: Option<Found>,
    finished: Option<Finished>,
}

impl Session {
    /// Opens a level where its record left it.
    pub(crate) fn open(level: &Level, store: &mut Store) -> Result<Self, BoardError> {
        let board = Arc::new(Board::new(&level.map)?);
        let id = LevelId::of(&board);
        let record = store.record(id, &normal_form(&board));
        let mut watch = Watch::start(board.clone());
        let mut game = Game::new(board);
        watch.ask(Game::START, game.boxes(), None, game.player());
        for direction in record.current.chars().filter_map(Direction::from_letter) {
            let Some(stepped) = game.step(direction) else { break };
            ask_about(&mut watch, &game, stepped);
        }
        let finished = (game.is_solved() && game.moves() > 0).then_some(Finished::Kept { new_best: false });
        Ok(Self { id, level: level.clone(), game, record, watch, solver: None, found: None, finished })
    }

    pub(crate) fn level(&self) -> &Level {
        &self.level
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// What came of it, once the level is solved.
    pub(crate) fn finished(&self) -> Option<&Finished> {
        self.finished.as_ref()
    }

    pub(crate) fn step(&mut self, direction: Direction, store: &mut Store) -> bool {
        let Some(stepped) = self.game.step(direction) else { return false };
        ask_about(&mut self.watch, &self.game, stepped);
        self.changed(store);
        true
    }

    /// Undoes, redoes or jumps; `change` says whether anything moved.
    pub(crate) fn change(&mut self, store: &mut Store, change: impl FnOnce(&mut Game) -> bool) -> bool {
        let changed = change(&mut self.game);
        if changed {
            self.changed(store);
        }
        changed
    }

    fn changed(&mut self, store: &mut Store) {
        self.record.set_current(self.game.lurd());
        self.finished = None;
        if self.game.is_solved() && self.game.moves() > 0 {
            self.finished = Some(match self.record.finish(&self.record.current.clone()) {
                Ok(new_best) => {
                    store.solved(&self.level.map, &self.record.current);
                    Finished::Kept { new_best }
                }
                Err(reason) => Finished::Refused(reason),
            });
        }
        store.keep(self.id, self.record.clone());
        // Nobody is told of a new best that a kill in the next moment would lose.
        if let Some(Finished::Kept { new_best: true }) = self.finished {
            store.flush();
        }
    }

    /// Sets the solver to work on the position, unless what it found before still serves.
    /// Returns whether the answer is there already.
    pub(crate) fn ask(&mut self, request: Request) -> bool {
        let known = match request {
            Request::Hint => self.hint().is_some(),
            Request::Solve => self.found_begins_here(),
        };
        if known {
            return true;
        }
        let map = self.game.board().picture(self.game.boxes(), self.game.player());
        self.solver = Some((Solver::start(Level::new(map)), request, self.game.lurd()));
        false
    }

    /// The solver at work, if one is.
    pub(crate) fn solver(&self) -> Option<&Solver> {
        self.solver.as_ref().map(|(solver, _, _)| solver)
    }

    /// Stops the solver; says whether one was at work.
    pub(crate) fn stop_solver(&mut self) -> bool {
        self.solver.take().is_some()
    }

    pub(crate) fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// Whether the solution found last begins exactly here.
    pub(crate) fn found_begins_here(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.before == self.game.lurd())
    }

    /// The next push, if the solution found last comes through this position.
    pub(crate) fn hint(&self) -> Option<Hint> {
        let plan = &self.found.as_ref()?.plan;
        let fits =
            |(boxes, hint): &&(Bits, Hint)| boxes == self.game.boxes() && self.game.walk_to(hint.stand).is_some();
        plan.iter().rev().find(fits).map(|(_, hint)| *hint)
    }

    /// The steps that follow the hint.
    pub(crate) fn hint_steps(&self) -> Option<Vec<Direction>> {
        let hint = self.hint()?;
        let mut steps = path::walk(self.game.board(), self.game.boxes(), self.game.player(), hint.stand)?;
        steps.push(hint.direction);
        Some(steps)
    }

    /// Whether anything is under way in the background.
    pub(crate) fn is_busy(&self) -> bool {
        self.solver.is_some() || self.watch.is_busy()
    }

    /// Takes in what has happened in the background.
    pub(crate) fn poll(&mut self) -> Vec<Event> {
        self.take_in(Watch::poll, |solver| solver.work.poll())
    }

    /// As [`poll`](Self::poll), but waits until nothing is left to happen.
    pub(crate) fn settle(&mut self) -> Vec<Event> {
        self.take_in(Watch::wait, |solver| Some(solver.work.wait()))
    }

    fn take_in(
        &mut self,
        finding: fn(&mut Watch) -> Option<Finding>,
        answer: fn(&Solver) -> Option<Answer>,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(finding) = finding(&mut self.watch) {
            events.extend(self.take_finding(finding));
        }
        let answer = self.solver().and_then(answer);
        events.extend(answer.and_then(|answer| self.take_answer(answer)));
        events
    }

    fn take_finding(&mut self, (serial, deadlock): Finding) -> Option<Event> {
        let before = self.game.deadlock().is_some();
        self.game.blame(serial, deadlock?);
        (!before && self.game.deadlock().is_some()).then_some(Event::Lost)
    }

    fn take_answer(&mut self, answer: Answer) -> Option<Event> {
        let (_, request, before) = self.solver.take()?;
        let result = match answer {
            Ok(Some(solution)) => {
                let plan = plan(self.game.board(), &before, &solution.lurd);
                self.found = Some(Found { before, lurd: solution.lurd, pushes: solution.pushes, plan });
                Ok(())
            }
            Ok(None) => Err("There is no solution from here: that is proved.".to_owned()),
            Err(reason) => Err(format!("No answer: {reason}.")),
        };
        Some(Event::Answered(request, result))
    }
}

/// Asks the watch about a step that pushed a box.
fn ask_about(watch: &mut Watch, game: &Game, stepped: Stepped) {
    if stepped.pushed.is_some() {
        watch.ask(stepped.serial, game.boxes(), stepped.pushed, game.player());
    }
}

/// The pushes of a solution, each with the boxes as they stand before it.
fn plan(board: &Arc<Board>, before: &str, lurd: &str) -> Vec<(Bits, Hint)> {
    let mut game = Game::new(board.clone());
    game.play(before);
    let mut plan = Vec::new();
    for direction in lurd.chars().filter_map(Direction::from_letter) {
        let (boxes, stand) = (game.boxes().clone(), game.player());
        let Some(stepped) = game.step(direction) else { break };
        if stepped.pushed.is_some() {
            plan.push((boxes, Hint { stand, boxed: game.player(), direction }));
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Map;

    const CORNER: &str = "######\n#    #\n# @$.#\n#    #\n######";

    fn open(level: &str, store: &mut Store) -> Session {
        Session::open(&Level::new(Map::from_xsb(level).unwrap()), store).unwrap()
    }

    #[test]
    fn a_finished_game_is_kept_and_found_again() {
        let mut store = Store::forgetful();
        let mut session = open(CORNER, &mut store);
        for direction in [Direction::Up, Direction::Down, Direction::Right] {
            assert!(session.step(direction, &mut store));
        }
        assert_eq!(session.finished(), Some(&Finished::Kept { new_best: true }));
        assert!(session.change(&mut store, |game| game.undo()));
        assert_eq!(session.finished(), None);
        let again = open(CORNER, &mut store);
        assert_eq!(again.game().lurd(), "ud", "the game goes on where it was");
        assert_eq!(again.record().best_moves.as_ref().unwrap().lurd, "udR");
    }

    #[test]
    fn a_lost_push_is_told_and_forgotten_on_undo() {
        let mut store = Store::forgetful();
        let mut session = open("######\n#    #\n# @$ #\n#  . #\n######", &mut store);
        session.step(Direction::Right, &mut store);
        assert_eq!(session.settle(), [Event::Lost]);
        let (moves, deadlock) = session.game().deadlock().unwrap();
        assert_eq!((moves, deadlock.boxes.len()), (1, 1));
        session.change(&mut store, |game| game.undo());
        assert!(session.game().deadlock().is_none());
    }

    #[test]
    fn hints_serve_until_the_player_leaves_the_way() {
        let mut store = Store::forgetful();
        let mut session = open("########\n#      #\n# @$  .#\n#      #\n########", &mut store);
        assert!(!session.ask(Request::Hint));
        assert_eq!(session.settle(), [Event::Answered(Request::Hint, Ok(()))]);
        let first = session.hint().unwrap();
        assert_eq!(first.direction, Direction::Right);
        // A walk elsewhere changes nothing, the push itself leads to the next hint.
        session.step(Direction::Up, &mut store);
        assert!(session.ask(Request::Hint), "no new search is needed");
        for direction in session.hint_steps().unwrap() {
            session.step(direction, &mut store);
        }
        assert!(session.ask(Request::Hint));
        assert_ne!(session.hint(), Some(first));
        session.change(&mut store, |game| game.undo());
        for direction in [Direction::Down, Direction::Down, Direction::Right, Direction::Up] {
            session.step(direction, &mut store);
        }
        assert_eq!(session.hint(), None, "the box went another way");
    }

    #[test]
    fn a_lost_position_is_proved_so() {
        let mut store = Store::forgetful();
        let mut session = open("######\n#    #\n# @$ #\n#  . #\n######", &mut store);
        session.step(Direction::Right, &mut store);
        assert!(!session.ask(Request::Solve));
        let events = session.settle();
        let Some(Event::Answered(Request::Solve, Err(reason))) = events.last() else { panic!("{events:?}") };
        assert!(reason.ends_with("that is proved."), "{reason}");
    }

    #[test]
    fn the_referee_refuses_what_the_program_would_believe() {
        let mut store = Store::forgetful();
        let mut session = open(CORNER, &mut store);
        // A record of another board stands in for a fault of the program.
        session.record = Record::new("######\n#@ $.#\n######\n");
        session.step(Direction::Right, &mut store);
        assert!(matches!(session.finished(), Some(Finished::Refused(_))));
        assert!(session.record().best_pushes.is_none());
    }
}
