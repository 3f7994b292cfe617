//! Checking a certificate: the solution is replayed, the work done again, and the claim must follow from both.

use crate::SolveError;
use crate::certificate::{Certificate, Claim};
use crate::report::{Progress, judged};
use lurd_prove_pushes::{Control, Halt, Options, Unconfirmed, said};
use lurd_rules::Board;
use lurd_search::{Budget, Cancel, Limits, Stop};

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// Everything is as the certificate says.
    Confirmed {
        /// Positions in all layers that were compared.
        positions: u64,
        /// How many layers.
        layers: usize,
    },
    /// Something is not; the sentence says what came out differently first.
    Differs(String),
    /// A limit ended it.
    Stopped(Stop),
    /// Somebody ended it.
    Cancelled,
}

/// Does the work of a certificate again, on so many threads.
///
/// # Errors
/// When the level in it cannot be played or is too large; the sentence says why.
pub fn recheck(
    certificate: &Certificate,
    threads: usize,
    limits: Limits,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Recheck, SolveError> {
    let level = certificate.level().map_err(SolveError::Certificate)?;
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
    if let Some(sentence) = overclaims(certificate) {
        return Ok(Recheck::Differs(sentence));
    }
    let budget = Budget::new(limits, cancel.clone());
    let control = Control::new(&budget);
    let options = Options { strict: true, ..Options::new(threads) };
    let ended = |halt: Halt| match halt {
        Halt::Stop(stop) => Recheck::Stopped(stop),
        Halt::Cancelled | Halt::Met => Recheck::Cancelled,
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
    // Tables only come in addition, so whatever needs fewer of them is done first.
    let mut start_first = Some(&certificate.start);
    let mut confirmed = Ok(());
    for record in &certificate.limits {
        if let Some(start) = start_first.take_if(|start| start.tables.len() <= record.tables.len()) {
            confirmed = confirmed.and_then(|()| prover.confirm_start(start, &control));
        }
        confirmed = confirmed.and_then(|()| prover.confirm(record, &control, &mut tick));
    }
    if let Some(start) = start_first {
        confirmed = confirmed.and_then(|()| prover.confirm_start(start, &control));
    }
    match confirmed {
        Ok(()) => {}
        Err(Unconfirmed::Differs(sentence)) => return Ok(Recheck::Differs(sentence)),
        Err(Unconfirmed::Halted(halt)) => return Ok(ended(halt)),
    }
    Ok(Recheck::Confirmed {
        positions: certificate
            .limits
            .iter()
            .map(lurd_prove_pushes::LimitRecord::positions)
            .fold(0, u64::saturating_add),
        layers: certificate.limits.iter().map(|limit| limit.layers.len()).sum(),
    })
}

/// Whether a certificate claims more than its own records prove, in a sentence.
fn overclaims(certificate: &Certificate) -> Option<String> {
    let (proved, claimed) = (certificate.proved(), certificate.lower_bound);
    let pushes = certificate.solution.as_ref().map(|solution| solution.pushes as u32);
    match certificate.claim {
        Claim::Unsolvable if proved.is_some() || claimed.is_some() => {
            Some("it calls the level unsolvable, and its records do not show that".into())
        }
        Claim::Unsolvable => pushes.map(|_| "it calls the level unsolvable and has a solution".into()),
        _ if claimed.is_none() || proved != claimed => Some(format!(
            "it claims that no solution has fewer than {} pushes, and its records prove {}",
            said(claimed),
            said(proved)
        )),
        Claim::Optimal if pushes != claimed => {
            Some(format!("its solution of {} pushes does not meet its lower bound {}", said(pushes), said(claimed)))
        }
        _ => None,
    }
}
