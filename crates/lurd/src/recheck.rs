//! Checking a certificate: the solution is replayed, the proof is repeated, and the claim must follow from both.

use crate::SolveError;
use crate::certificate::{Certificate, Claim, strongest};
use crate::report::{Progress, judged};
use lurd_base::{Budget, Cancel, Limits, Stop};
use lurd_prove_pushes::{Confirmed, Control, Halt, LimitRecord, Options, Prover, Unconfirmed, bound_text};
use lurd_rules::Board;

/// The result of a check.
///
/// ```
/// let ended = lurd::Recheck::Confirmed { positions: 2_000, layers: 12 };
/// if let lurd::Recheck::Confirmed { positions, layers } = ended {
///     println!("{positions} positions in {layers} layers are the same");
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// The certificate is right.
    Confirmed {
        /// Positions in all layers that were compared.
        positions: u64,
        /// How many layers.
        layers: usize,
    },
    /// The certificate is wrong; the sentence gives the first difference.
    Differs(String),
    /// A limit ended the check.
    Stopped(Stop),
    /// The check was cancelled.
    Cancelled,
}

/// Repeats the work of a certificate.
///
/// # Errors
/// When its level is damaged, cannot be played, or is too large.
///
/// ```
/// # use lurd::{Cancel, Goal, Level, Solver};
/// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// # let certificate = Solver::new().goal(Goal::Pushes).certify(&level)?.1.ok_or("a proof leaves a certificate")?;
/// let ended = lurd::recheck(&certificate, 1, lurd::Limits::default(), &Cancel::new(), &mut |_| ())?;
/// assert!(matches!(ended, lurd::Recheck::Confirmed { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn recheck(
    certificate: &Certificate,
    threads: usize,
    limits: Limits,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Recheck, SolveError> {
    let level = certificate.level()?;
    let board = Board::new(&level.map)?;
    if let Some(solution) = &certificate.solution {
        match judged(&level, solution.lurd.clone()) {
            Err(_) => return Ok(Recheck::Differs("the referee does not accept its solution".into())),
            Ok(found) if (found.pushes, found.moves) != (solution.pushes, solution.moves) => {
                return Ok(Recheck::Differs(format!(
                    "its solution has {} pushes and {} moves, not {} and {}",
                    found.pushes, found.moves, solution.pushes, solution.moves
                )));
            }
            Ok(_) => {}
        }
    }
    // A claim that its own records do not support needs no work.
    if let Some(difference) = overclaim(certificate, certificate.proved()) {
        return Ok(Recheck::Differs(difference));
    }
    let budget = Budget::new(limits, cancel.clone());
    let control = Control::new(&budget);
    let options = Options { reproducible: true, ..Options::new(threads) };
    let ended = |halt: Halt| match halt {
        Halt::Limit(stop) => Recheck::Stopped(stop),
        Halt::Cancelled | Halt::BoundsMet => Recheck::Cancelled,
    };
    let Ok(prover) = lurd_prove_pushes::prover(&board, options, &budget) else {
        return Ok(ended(control.halt().unwrap_or(Halt::Cancelled)));
    };
    let mut prover = prover.ok_or(SolveError::TooLargeForProof)?;
    let mut tick = || {
        progress(&Progress {
            seconds: budget.elapsed().as_secs_f64(),
            expanded: control.expanded(),
            generated: control.generated(),
            bytes: control.peak(),
            ..Progress::default()
        });
    };
    Ok(match confirm(&mut *prover, certificate, &control, &mut tick) {
        Ok(proved) => match overclaim(certificate, proved) {
            Some(difference) => Recheck::Differs(difference),
            None => Recheck::Confirmed {
                positions: certificate.limits.iter().map(LimitRecord::positions).fold(0, u64::saturating_add),
                layers: certificate.limits.iter().map(|limit| limit.layers.len()).sum(),
            },
        },
        Err(Unconfirmed::Differs(difference)) => Recheck::Differs(difference),
        Err(Unconfirmed::Halted(halt)) => ended(halt),
    })
}

/// Confirms all records, and returns the lower bound that the repeated work proves; `None` if there is no solution. Tables
/// are never removed, so a record that needs fewer of them comes first.
fn confirm(
    prover: &mut dyn Prover,
    certificate: &Certificate,
    control: &Control<'_>,
    tick: &mut dyn FnMut(),
) -> Confirmed {
    let mut start = Some(&certificate.start);
    let mut proved = Vec::new();
    for record in &certificate.limits {
        if let Some(start) = start.take_if(|start| start.tables.len() <= record.tables.len()) {
            proved.push(prover.confirm_start(start, control)?);
        }
        proved.push(prover.confirm(record, control, tick)?);
    }
    if let Some(start) = start {
        proved.push(prover.confirm_start(start, control)?);
    }
    Ok(strongest(proved))
}

/// The first claim of a certificate that goes beyond what is proved, in a sentence.
fn overclaim(certificate: &Certificate, proved: Option<u32>) -> Option<String> {
    let claimed = certificate.lower_bound;
    let pushes = certificate.solution.as_ref().map(|solution| solution.pushes as u32);
    match certificate.claim {
        Claim::Unsolvable if proved.is_some() || claimed.is_some() => {
            Some("it calls the level unsolvable, but its records do not prove that".into())
        }
        Claim::Unsolvable => pushes.map(|_| "it calls the level unsolvable, but has a solution".into()),
        _ if claimed.is_none() || proved != claimed => {
            let (claimed, proved) = (bound_text(claimed), bound_text(proved));
            Some(format!("its lower bound is {claimed}, but its records prove {proved}"))
        }
        Claim::Optimal if pushes != claimed => Some(match pushes {
            Some(pushes) => {
                format!("its solution of {pushes} pushes does not meet its lower bound {}", bound_text(claimed))
            }
            None => "it claims an optimal solution, but has none".into(),
        }),
        _ => None,
    }
}
