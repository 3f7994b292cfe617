//! What a config comes to, told before anything runs: the choices made for the user, what the
//! answer will be worth, and what to know about it.

use crate::{Goal, Request, SolveError, prove, race};
use lurd_classic::{AlgorithmName, EstimateName, FormulationName, Plan, PlayerTerm, informed, looks_for_optimum};

/// What an answer will be worth, if one is found.
///
/// ```
/// use lurd::{Request, Goal, Promise};
/// let promise = |goal| lurd::explain(&Request { goal, ..Request::default() }).map(|told| told.promise);
/// assert_eq!(promise(Goal::Any)?, Promise::Nothing);
/// assert_eq!(promise(Goal::Pushes)?, Promise::FewestPushes);
/// # Ok::<(), lurd::SolveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// No solution has fewer pushes.
    FewestPushes,
    /// No solution has fewer moves.
    FewestMoves,
    /// At most this factor above the fewest.
    AtMost(f64),
    /// Nothing, unless a bound happens to meet it.
    Nothing,
}

/// A config with every open choice made.
///
/// ```
/// let explanation = lurd::explain(&lurd::Request::default())?;
/// assert_eq!(explanation.algorithm, "portfolio");
/// # Ok::<(), lurd::SolveError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The algorithm.
    pub algorithm: String,
    /// The formulation.
    pub formulation: String,
    /// The heuristic, player term included.
    pub heuristic: String,
    /// The detectors at work.
    pub detectors: Vec<&'static str>,
    /// The tie-break.
    pub tie_break: &'static str,
    /// What the answer will be worth.
    pub promise: Promise,
    /// How many programs that share no memory can divide the work at most, each with a [`Share`](crate::Share) of it.
    pub most_shares: usize,
    /// Choices that cost optimality or have no effect, in sentences.
    pub notes: Vec<String>,
}

/// Says what a config comes to.
///
/// # Errors
/// When its parts do not go together.
///
/// ```
/// use lurd::{AlgorithmName, Choices, Request, Promise, explain};
/// let classic = Choices { algorithm: Some(AlgorithmName::WeightedAStar), weight: 2.0, ..Choices::default() };
/// let explanation = explain(&Request { classic, ..Request::default() })?;
/// assert_eq!(explanation.promise, Promise::AtMost(2.0));
/// # Ok::<(), lurd::SolveError>(())
/// ```
pub fn explain(config: &Request) -> Result<Explanation, SolveError> {
    crate::config::check_second_goal(config)?;
    let plan = Plan::new(&config.classic, config.goal)?;
    let mut explanation = Explanation {
        algorithm: plan.algorithm.to_string(),
        formulation: plan.formulation.to_string(),
        heuristic: plan.heuristic_name(),
        detectors: plan.detectors.iter().map(|name| name.name()).collect(),
        tie_break: plan.tie_break.name(),
        promise: promise(&plan),
        most_shares: 1,
        notes: plan.notes.clone(),
    };
    let (names, promise, note) = if race::applies(config) {
        let note = "everything is left to the portfolio: several strategies race, and the first answer counts";
        (&race::NAMES, Promise::Nothing, note)
    } else if prove::applies(config) && config.goal == Goal::Moves {
        let note = "a level too large for this search is left to the classic one";
        (prove::names(config.goal), Promise::FewestMoves, note)
    } else if prove::applies(config) {
        let note = "everything is left to the push-optimal engine: layers of positions under a rising limit, and \
                    solutions made shorter, until both bounds meet; levels too large for it go to A*";
        (prove::names(config.goal), Promise::FewestPushes, note)
    } else {
        explanation.notes.extend(plan.fallback_after.map(|after| {
            format!("after {after} expansions the search goes on greedily: its answer may be longer than need be")
        }));
        return Ok(explanation);
    };
    // A proof takes what one other program finds.
    explanation.most_shares = if race::applies(config) { lurd_race::STRATEGIES } else { 2 };
    explanation.algorithm = names.algorithm.into();
    explanation.heuristic = names.heuristic.into();
    explanation.detectors = names.deadlocks.to_vec();
    explanation.promise = promise;
    explanation.notes.push(note.into());
    Ok(explanation)
}

fn promise(plan: &Plan) -> Promise {
    let admissible = plan.estimate != EstimateName::GreedyMatching && plan.player_term != Some(PlayerTerm::ClassicIds);
    let misled = informed(plan.algorithm) && !admissible;
    if misled || plan.fallback_after.is_some() || !looks_for_optimum(plan.algorithm, plan.formulation) {
        Promise::Nothing
    } else if plan.algorithm == AlgorithmName::WeightedAStar {
        Promise::AtMost(plan.weight)
    } else if plan.formulation == FormulationName::Push {
        Promise::FewestPushes
    } else {
        Promise::FewestMoves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choices;
    use crate::{Goal, Outcome, Proof, solve_with as solve};
    use lurd_base::Cancel;
    use lurd_level::{Level, Map};

    /// What is promised beforehand is what is proved afterwards, for every algorithm and formulation.
    #[test]
    fn promises_are_kept() {
        let level = Level::new(Map::from_xsb("#######\n#  .  #\n# $@$ #\n#  .  #\n#######").unwrap());
        for &algorithm in AlgorithmName::ALL {
            for &formulation in FormulationName::ALL {
                for &estimate in EstimateName::ALL {
                    let config = Request {
                        goal: Goal::Any,
                        classic: Choices {
                            algorithm: Some(algorithm),
                            formulation: Some(formulation),
                            estimate: Some(estimate),
                            ..Choices::default()
                        },
                        ..Request::default()
                    };
                    let Ok(explanation) = explain(&config) else { continue };
                    let report = solve(&level, &config, &Cancel::new(), &mut |_| {}).unwrap();
                    assert_eq!(report.outcome, Outcome::Solved);
                    let kept = match explanation.promise {
                        Promise::FewestPushes => report.proof == Proof::OptimalPushes,
                        Promise::FewestMoves => report.proof == Proof::OptimalMoves,
                        Promise::AtMost(_) => report.proof != Proof::None,
                        Promise::Nothing => true,
                    };
                    assert!(kept, "{algorithm} {formulation} {estimate}: {:?} {:?}", explanation.promise, report.proof);
                }
            }
        }
    }

    #[test]
    fn what_loses_optimality_promises_nothing() {
        let promise = |classic| explain(&Request { classic, ..Request::default() }).unwrap().promise;
        let a_star = Choices { algorithm: Some(AlgorithmName::AStar), ..Choices::default() };
        assert_eq!(promise(a_star.clone()), Promise::FewestPushes);
        for lost in [
            Choices { fallback_after: Some(9), ..a_star.clone() },
            Choices { estimate: Some(EstimateName::GreedyMatching), ..a_star.clone() },
            Choices { algorithm: Some(AlgorithmName::Greedy), ..a_star },
            Choices::default(),
        ] {
            assert_eq!(promise(lost), Promise::Nothing);
        }
    }
}
