use crate::incumbent::Incumbent;
use crate::{
    Board, Cancel, Goal, Level, Limits, Outcome, Progress, Proof, Report, Request, Share, Solution, Stop, Task, Watch,
    solve_with as solve, watch,
};
use lurd_base::Budget;
use lurd_improve::Metric;
use lurd_level::Map;
use lurd_rules::oracle::{fewest_by_pushes, levels};
use std::sync::Arc;
use std::time::Duration;

/// A wide room that is easy to solve, but whose fewest moves no search of a few million positions proves.
const WIDE: &str = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############";

fn wide() -> Level {
    Level::parse(WIDE).unwrap()
}

fn solved(level: &Level, config: &Request) -> Report {
    solve(level, config, &Cancel::new(), &mut |_| ()).unwrap()
}

/// Finding and shortening a solution counts against the node limit and in the statistics.
#[test]
fn work_on_the_incumbent_is_counted() {
    const NODES: u64 = 4_000_000;
    let level = wide();
    let board = &Arc::new(Board::new(&level.map).unwrap());
    let budget = &Budget::new(Limits { nodes: Some(NODES), ..Limits::default() }, Cancel::new());
    let task = Task { level: &level, board, config: &Request { goal: Goal::Moves, ..Request::default() }, budget };
    let incumbent = Incumbent::new(task, Metric::Moves, &|_, _| ());
    let raced = incumbent.race(Limits { nodes: Some(NODES / 4), ..Limits::default() }, 1_000, &mut Quiet).unwrap();
    let spent = incumbent.spent();
    assert!(incumbent.is_known() && spent.expanded > 0);
    assert_eq!((spent.generated, spent.peak_bytes), (raced.statistics.generated, raced.statistics.peak_bytes + 1_000));
    let before = incumbent.length();
    incumbent.improve(Limits { nodes: Some(10_000), ..Limits::default() }, 1, 0, None);
    assert!(incumbent.length() <= before && incumbent.spent().generated > spent.generated);
    assert_eq!(budget.left().nodes, Some(NODES - incumbent.spent().generated));
}

struct Quiet;

impl Watch for Quiet {
    fn progress(&mut self, _: &Progress) {}
}

/// The limit that ended an answer without proof is named.
#[test]
fn an_unproved_answer_names_its_limit() {
    // A box is pushed there and back first, so that the bounds do not meet at once.
    let known = solved(&wide(), &Request::default()).solution.map(|solution| format!("ruRdrruLdlll{}", solution.lurd));
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let memory = Limits { memory: Some(40 << 20), ..Limits::default() };
    for (goal, known, limits, name) in [
        (Goal::Moves, None, nodes(500_000), "nodes"),
        (Goal::Moves, None, memory, "memory"),
        (Goal::Pushes, known, nodes(10_000), "nodes"),
    ] {
        let report = solved(&wide(), &Request { goal, limits, known, ..Request::default() });
        assert_eq!(report.outcome, Outcome::Solved, "{goal}");
        assert!(!matches!(report.proof, Proof::OptimalMoves | Proof::OptimalPushes), "{goal}");
        if let Some(nodes) = limits.nodes {
            assert_eq!(report.statistics.generated, nodes, "{goal}: {:?}", report.statistics);
        }
        let note = report.notes.iter().find(|note| note.contains("not proved")).expect("a note about the limit");
        assert!(note.contains(&format!("the limit on {name} was reached")), "{note}");
        assert_eq!(report.stopped_by.map(Stop::name), Some(name), "{goal}");
    }
}

/// A budget that ends while the board is compiled says so, whatever is to be proved; what was known before is an answer.
#[test]
fn a_budget_that_ends_before_the_proof_begins_is_named() {
    let level = Level::parse("#######\n#@ $ .#\n#######").unwrap();
    for goal in [Goal::Moves, Goal::Pushes] {
        let late = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let config = Request { goal, limits: late, ..Request::default() };
        let report = solved(&level, &config);
        let engine = super::names(goal).algorithm;
        assert_eq!((report.outcome, report.stopped_by), (Outcome::Stopped(Stop::Time), Some(Stop::Time)), "{goal}");
        assert_eq!(report.algorithm, engine, "{goal}: no other search has run");
        let cancelled = Cancel::new();
        cancelled.cancel();
        let report = solve(&level, &Request { goal, ..Request::default() }, &cancelled, &mut |_| ()).unwrap();
        assert_eq!((report.outcome, report.algorithm.as_str()), (Outcome::Cancelled, engine), "{goal}");
        let report = solved(&level, &Request { known: Some("rRR".into()), ..config });
        assert_eq!((report.outcome, report.stopped_by), (Outcome::Solved, Some(Stop::Time)), "{goal}");
        assert_eq!(report.proof, Proof::None, "{goal}");
    }
}

/// The fewest pushes, and among these the fewest moves, agree with brute force, and a note says that they are proved.
#[test]
fn pushes_then_moves_agree_with_brute_force() {
    let config = Request { goal: Goal::Pushes, then: Some(Goal::Moves), ..Request::default() };
    let mut checked = 0;
    for map in levels(76, 1_500) {
        let board = Board::new(&map).unwrap();
        let Some((pushes, moves)) = fewest_by_pushes(&board).filter(|&(pushes, _)| pushes > 0) else { continue };
        let report = solved(&Level::new(map.clone()), &config);
        let solution = report.solution.expect("it can be solved");
        assert_eq!((solution.pushes as u32, solution.moves as u32), (pushes, moves), "{map}");
        assert_eq!(report.proof, Proof::OptimalPushes, "{map}");
        assert!(report.notes.iter().any(|note| note.contains("which is proved")), "{:?}\n{map}", report.notes);
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

/// A solved level needs no search and gets no note.
#[test]
fn a_solved_level_stays_as_it_is() {
    let config = Request { goal: Goal::Pushes, then: Some(Goal::Moves), ..Request::default() };
    let report = solved(&Level::new(Map::from_xsb("#####\n#@* #\n#####").unwrap()), &config);
    let solution = report.solution.expect("it is solved");
    assert_eq!((solution.pushes, solution.moves), (0, 0));
    assert!(!report.notes.iter().any(|note| note.contains("fewest moves")), "{:?}", report.notes);
}

/// Where a limit ends the search, a note says so, and nothing is claimed about the moves.
#[test]
fn an_unproved_second_goal_says_so() {
    let limits = Limits { nodes: Some(1_500_000), ..Limits::default() };
    let config = Request { goal: Goal::Pushes, then: Some(Goal::Moves), limits, ..Request::default() };
    let report = solved(&wide(), &config);
    assert!(report.solution.is_some());
    assert!(!report.notes.iter().any(|note| note.contains("which is proved")), "{:?}", report.notes);
    assert!(report.notes.iter().any(|note| note.contains("not proved") || note.contains("not searched for")));
}

/// Keeps what is found and tells it to the next search.
#[derive(Default)]
struct Messenger {
    found: Vec<String>,
    told: Vec<String>,
}

impl Watch for Messenger {
    fn progress(&mut self, _: &Progress) {}

    fn found(&mut self, solution: &Solution) {
        self.found.push(solution.lurd.clone());
    }

    fn told(&mut self) -> Option<String> {
        self.told.pop()
    }
}

/// The first share proves with what the second has found; a false message changes nothing.
#[test]
fn a_proof_takes_what_another_share_has_found() {
    let level = wide();
    for goal in [Goal::Pushes, Goal::Moves] {
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let config = |index| Request { goal, limits, share: Share::new(index, 2).unwrap(), ..Request::default() };
        let mut seeker = Messenger::default();
        let sought = watch(&level, &config(1), &Cancel::new(), &mut seeker).unwrap();
        assert_eq!((sought.outcome, sought.proof), (Outcome::Solved, Proof::None), "{goal}");
        let best = seeker.found.last().expect("a solution is found").clone();
        assert!(seeker.found.iter().all(|lurd| crate::check(&level, lurd).is_ok()), "{goal}");
        let mut prover = Messenger { told: vec![best, "rrr".into()], ..Messenger::default() };
        let proved = watch(&level, &config(0), &Cancel::new(), &mut prover).unwrap();
        assert!(proved.solution.is_some(), "{goal}: {proved:?}");
        assert!(proved.notes.iter().any(|note| note.contains("beside the proof")), "{goal}: {:?}", proved.notes);
        assert!(prover.told.is_empty(), "{goal}: messages are read");
    }
}
