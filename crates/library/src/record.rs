//! Taking in what was found: a solution joins the front, a bound replaces a lower one.

use crate::form::LevelKey;
use crate::knowledge::word;
use crate::store::{Trouble, now};
use crate::{Form, Library, LibraryError, Origin};
use lurd::improve::Metric;
use lurd::{Map, Outcome, Report};
use rusqlite::{OptionalExtension, Transaction, params};

/// What a search, a player or a file says of a level, in the orientation of the map at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// A solution in LURD.
    pub solution: Option<String>,
    /// No solution is below this.
    pub bound: Option<(Metric, u32)>,
    /// It is proved that there is no solution.
    pub unsolvable: bool,
}

impl Finding {
    /// A solution and nothing else.
    pub fn solution(lurd: impl Into<String>) -> Self {
        Self { solution: Some(lurd.into()), ..Self::default() }
    }

    /// What a report proves; `None` if there is nothing to remember.
    pub fn of_report(report: &Report) -> Option<Self> {
        let solution = report.solution.as_ref().map(|solution| solution.lurd.clone());
        let unsolvable = report.outcome == Outcome::Unsolvable;
        Self::of_search(solution, &report.formulation, report.lower_bound, unsolvable)
    }

    /// The same of a report that has crossed a border.
    pub fn of_record(record: &lurd::Record) -> Option<Self> {
        let unsolvable = record.outcome == lurd::Ending::Unsolvable;
        Self::of_search(record.solution.clone(), &record.formulation, record.lower_bound, unsolvable)
    }

    /// What a search proves whose bound is in the count that it minimises: that of its formulation. `None` if there is
    /// nothing to remember.
    pub fn of_search(
        solution: Option<String>,
        formulation: &str,
        bound: Option<u32>,
        unsolvable: bool,
    ) -> Option<Self> {
        let metric = if formulation == "push" { Metric::Pushes } else { Metric::Moves };
        let bound = bound.filter(|&bound| bound > 0).map(|bound| (metric, bound));
        let finding = Self { solution, bound, unsolvable };
        (finding != Self::default()).then_some(finding)
    }
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The level.
    pub key: LevelKey,
    /// The level was not there before.
    pub new_level: bool,
    /// The solution has fewer pushes or fewer moves than all before.
    pub new_best: bool,
    /// The solution was not as good as one that is there.
    pub dominated: bool,
    /// A stored bound or verdict was wrong, because the solution is below it: it is gone.
    pub refuted: bool,
}

impl Library {
    /// Stores what was found about a level; the level itself is stored if it is not there.
    ///
    /// # Errors
    /// When the solution does not solve the level, and when the file cannot be written.
    pub fn record(&mut self, map: &Map, finding: &Finding, origin: &Origin) -> Result<Recorded, LibraryError> {
        self.record_all([(map, finding, origin)]).map(|mut all| all.remove(0))
    }

    /// Stores several findings in one transaction.
    ///
    /// # Errors
    /// As [`record`](Self::record); then nothing is stored.
    pub fn record_all<'a>(
        &mut self,
        findings: impl IntoIterator<Item = (&'a Map, &'a Finding, &'a Origin)>,
    ) -> Result<Vec<Recorded>, LibraryError> {
        self.write(|transaction| {
            findings
                .into_iter()
                .map(|(map, finding, origin)| {
                    let form = Form::of(map);
                    let (id, new_level) = insert_level(transaction, &form)?;
                    let on_form = Finding {
                        solution: finding.solution.as_deref().map(|lurd| form.symmetry.apply_to_lurd(lurd)),
                        ..*finding
                    };
                    Ok(Recorded {
                        new_level,
                        ..record_on_form(transaction, id, &form.text, form.key, &on_form, origin)?
                    })
                })
                .collect()
        })
    }
}

/// The row of a level, made if need be, and whether it was made.
pub(crate) fn insert_level(transaction: &Transaction<'_>, form: &Form) -> Result<(i64, bool), Trouble> {
    let mut find = transaction.prepare_cached("SELECT id FROM level WHERE key = ?1")?;
    if let Some(id) = find.query_row([form.key.bytes()], |row| row.get(0)).optional()? {
        return Ok((id, false));
    }
    let census = lurd::validity::check(&form.map).map_err(LibraryError::from)?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO level (key, form, width, height, boxes, squares, added) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    insert.execute(params![
        form.key.bytes(),
        form.text,
        form.map.width(),
        form.map.height(),
        census.reachable_boxes,
        census.squares,
        now()
    ])?;
    Ok((transaction.last_insert_rowid(), true))
}

/// Stores a finding whose moves are those of the normal form.
pub(crate) fn record_on_form(
    transaction: &Transaction<'_>,
    id: i64,
    form: &str,
    key: LevelKey,
    finding: &Finding,
    origin: &Origin,
) -> Result<Recorded, Trouble> {
    let mut recorded = Recorded { key, new_level: false, new_best: false, dominated: false, refuted: false };
    if let Some(lurd) = &finding.solution {
        offer(transaction, id, form, lurd, origin, &mut recorded)?;
    }
    // A proof is taken only where no solution contradicts it.
    let best = |metric| -> rusqlite::Result<Option<u32>> {
        let sql = format!("SELECT min({}) FROM solution WHERE level = ?1", word(metric));
        transaction.query_row(&sql, [id], |row| row.get(0))
    };
    if let Some((metric, value)) = finding.bound
        && best(metric)?.is_none_or(|best| value <= best)
    {
        raise(transaction, id, word(metric), value, origin)?;
    }
    if finding.unsolvable && best(Metric::Pushes)?.is_none() {
        raise(transaction, id, "none", 0, origin)?;
    }
    transaction
        .prepare_cached(
            "UPDATE level SET proved = coalesce((SELECT sum(CASE metric
                 WHEN 'pushes' THEN value >= best_pushes WHEN 'moves' THEN 2 * (value >= best_moves) ELSE 4 END)
                 FROM bound WHERE bound.level = level.id), 0) WHERE id = ?1",
        )?
        .execute([id])?;
    Ok(recorded)
}

/// Puts a solution into the front of its level, if no other is as good in both counts.
fn offer(
    transaction: &Transaction<'_>,
    id: i64,
    form: &str,
    lurd: &str,
    origin: &Origin,
    recorded: &mut Recorded,
) -> Result<(), Trouble> {
    let wrong = |reason: String| LibraryError::WrongSolution { level: recorded.key, reason };
    let verdict = match lurd_referee::judge(form, lurd) {
        Ok(verdict) if verdict.solved => verdict,
        Ok(_) => return Err(wrong("it leaves boxes off the goals".into()).into()),
        Err(fault) => return Err(wrong(fault.to_string()).into()),
    };
    let (pushes, moves) = (verdict.pushes, verdict.moves);
    let (fewest_pushes, fewest_moves): (Option<usize>, Option<usize>) =
        transaction.query_row("SELECT best_pushes, best_moves FROM level WHERE id = ?1", [id], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let as_good: i64 = transaction.query_row(
        "SELECT count(*) FROM solution WHERE level = ?1 AND pushes <= ?2 AND moves <= ?3",
        params![id, pushes, moves],
        |row| row.get(0),
    )?;
    if as_good > 0 {
        recorded.dominated = true;
        return Ok(());
    }
    recorded.new_best =
        fewest_pushes.is_none_or(|fewest| pushes < fewest) || fewest_moves.is_none_or(|fewest| moves < fewest);
    transaction.execute(
        "DELETE FROM solution WHERE level = ?1 AND pushes >= ?2 AND moves >= ?3",
        params![id, pushes, moves],
    )?;
    transaction.execute(
        "INSERT INTO solution (level, pushes, moves, lurd, finder, method, found) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![id, pushes, moves, verdict.lurd, origin.finder, origin.method, origin.found],
    )?;
    transaction.execute(
        "UPDATE level SET best_pushes = min(coalesce(best_pushes, ?2), ?2),
             best_moves = min(coalesce(best_moves, ?3), ?3) WHERE id = ?1",
        params![id, pushes, moves],
    )?;
    // The referee has replayed the solution: whatever it contradicts is wrong.
    let refuted = transaction.execute(
        "DELETE FROM bound WHERE level = ?1 AND
             (metric = 'none' OR metric = 'pushes' AND value > ?2 OR metric = 'moves' AND value > ?3)",
        params![id, pushes, moves],
    )?;
    recorded.refuted = refuted > 0;
    Ok(())
}

fn raise(transaction: &Transaction<'_>, id: i64, metric: &str, value: u32, origin: &Origin) -> rusqlite::Result<usize> {
    transaction.execute(
        "INSERT INTO bound (level, metric, value, finder, method, found) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (level, metric) DO UPDATE SET value = excluded.value, finder = excluded.finder,
             method = excluded.method, found = excluded.found WHERE excluded.value > bound.value",
        params![id, metric, value, origin.finder, origin.method, origin.found],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::{Proof, Symmetry};
    use proptest::prelude::*;

    const ROOM: &str = "########\n#      #\n# @$ . #\n#      #\n########";

    fn room() -> Map {
        Map::from_xsb(ROOM).unwrap()
    }

    fn origin() -> Origin {
        Origin::new("a test", "by hand")
    }

    /// The counts of a front.
    fn counts(library: &Library) -> Vec<(usize, usize)> {
        let known = library.knowledge(&room()).unwrap().unwrap();
        known.front.iter().map(|solution| (solution.pushes, solution.moves)).collect()
    }

    #[test]
    fn only_the_front_is_kept() {
        let mut library = Library::in_memory().unwrap();
        let mut record = |lurd: &str| library.record(&room(), &Finding::solution(lurd), &origin()).unwrap();
        let first = record("udRR");
        assert!(first.new_level && first.new_best && !first.dominated);
        assert!(record("RrlR").dominated || record("uddulrRR").dominated);
        let better = record("RR");
        assert!(better.new_best && !better.new_level);
        assert!(record("RR").dominated);
        assert_eq!(counts(&library), [(2, 2)]);
    }

    #[test]
    fn wrong_moves_are_refused_and_leave_nothing() {
        let mut library = Library::in_memory().unwrap();
        for wrong in ["R", "lll", "x"] {
            let refused = library.record(&room(), &Finding::solution(wrong), &origin());
            assert!(matches!(refused, Err(LibraryError::WrongSolution { .. })), "{refused:?}");
        }
        assert_eq!(library.knowledge(&room()).unwrap(), None);
    }

    #[test]
    fn bounds_rise_and_solutions_refute_them() {
        let mut library = Library::in_memory().unwrap();
        let bound = |value| Finding { bound: Some((Metric::Pushes, value)), ..Finding::default() };
        library.record(&room(), &bound(1), &origin()).unwrap();
        library.record(&room(), &bound(9), &origin()).unwrap();
        library.record(&room(), &bound(3), &origin()).unwrap();
        let value =
            |library: &Library| library.knowledge(&room()).unwrap().unwrap().pushes_bound.map(|bound| bound.value);
        assert_eq!(value(&library), Some(9));
        let recorded = library.record(&room(), &Finding::solution("RR"), &origin()).unwrap();
        assert!(recorded.refuted);
        assert_eq!(value(&library), None);
        library.record(&room(), &bound(3), &origin()).unwrap();
        assert_eq!(value(&library), None, "a bound above a solution is wrong");
        library.record(&room(), &bound(2), &origin()).unwrap();
        assert_eq!(library.knowledge(&room()).unwrap().unwrap().proof(Metric::Pushes), Proof::OptimalPushes);
        let unsolvable = Finding { unsolvable: true, ..Finding::default() };
        library.record(&room(), &unsolvable, &origin()).unwrap();
        assert_eq!(library.knowledge(&room()).unwrap().unwrap().unsolvable, None);
    }

    #[test]
    fn a_report_is_remembered_for_what_it_proves() {
        let level = lurd::Level::new(room());
        let proved = lurd::prove(&level, lurd::Goal::Moves).unwrap();
        let finding = Finding::of_report(&proved).unwrap();
        assert_eq!(finding.bound, Some((Metric::Moves, 2)));
        let dead = lurd::Level::parse("#####\n#$  #\n#@ .#\n#####").unwrap();
        assert!(Finding::of_report(&lurd::solve(&dead).unwrap()).unwrap().unsolvable);
        let mut library = Library::in_memory().unwrap();
        library.record(&dead.map, &Finding { unsolvable: true, ..Finding::default() }, &origin()).unwrap();
        assert!(library.knowledge(&dead.map).unwrap().unwrap().unsolvable.is_some());
    }

    /// Games that solve the room: detours of the player around a solution, in any order.
    fn games() -> impl Strategy<Value = Vec<(String, usize)>> {
        let detour = proptest::sample::select(vec!["", "ud", "lr", "uudd", "ddlruu"]);
        let way = proptest::sample::select(vec!["RR", "RurdldrlR", "urdRlldRrR", "RuRdrddL"]);
        proptest::collection::vec((detour, way, 0..8_usize), 1..12).prop_map(|games| {
            games.into_iter().map(|(detour, way, symmetry)| (format!("{detour}{way}"), symmetry)).collect()
        })
    }

    proptest! {
        /// Whatever comes in, in whatever orientation, the front is that of all right games.
        #[test]
        fn the_front_is_that_of_brute_force(games in games()) {
            let mut library = Library::in_memory().unwrap();
            let mut all = Vec::new();
            for (game, symmetry) in games {
                let symmetry = Symmetry::ALL[symmetry];
                let image = symmetry.apply(&room());
                if let Ok(verdict) = lurd::check(&lurd::Level::new(room()), &game)
                    && verdict.solved
                {
                    all.push((verdict.pushes, verdict.moves));
                }
                let _ = library.record(&image, &Finding::solution(symmetry.apply_to_lurd(&game)), &origin());
            }
            let dominated = |&(pushes, moves): &(usize, usize)| {
                all.iter().any(|&other| other != (pushes, moves) && other.0 <= pushes && other.1 <= moves)
            };
            let mut front: Vec<_> = all.iter().copied().filter(|counts| !dominated(counts)).collect();
            front.sort_unstable();
            front.dedup();
            if front.is_empty() {
                prop_assert_eq!(library.knowledge(&room()).unwrap(), None);
            } else {
                prop_assert_eq!(counts(&library), front);
                let known = library.knowledge(&room()).unwrap().unwrap();
                for solution in &known.front {
                    prop_assert!(lurd::check(&lurd::Level::new(room()), &solution.lurd).unwrap().solved);
                }
            }
        }
    }
}
