//! Certificates under attack: genuine ones are confirmed, and whatever else is confirmed is true.
//!
//! Every field of a certificate is changed, the checksums are put right, and the result is checked. A changed certificate may
//! still be right, when it claims less or tells the same in another way; brute force decides.

use crate::{Certificate, Claim, Recheck, SolveError, Solver, recheck};
use lurd_base::random::SplitMix64;
use lurd_base::{Cancel, Limits};
use lurd_level::Level;
use lurd_rules::oracle::{fewest_by_pushes, levels};
use lurd_rules::{Board, Goal};
use serde_json::Value;

fn certified(level: &Level, nodes: Option<u64>) -> Certificate {
    let mut solver = Solver::new().goal(Goal::Pushes);
    if let Some(nodes) = nodes {
        solver = solver.node_limit(nodes);
    }
    let (_, certificate) = solver.certify(level).expect("it can be played");
    certificate.expect("something is proved")
}

fn checked(certificate: &Certificate) -> Result<Recheck, SolveError> {
    recheck(certificate, 1, Limits::default(), &Cancel::new(), &mut |_| ())
}

/// Whether the claim is true of a level with these fewest pushes.
fn is_true(certificate: &Certificate, fewest: Option<u32>) -> bool {
    let solution = certificate.solution.as_ref().map(|solution| solution.pushes as u32);
    match (certificate.claim, fewest) {
        (Claim::Unsolvable, fewest) => fewest.is_none() && certificate.lower_bound.is_none(),
        (Claim::LowerBound, fewest) => {
            certificate.lower_bound.is_some_and(|lower| fewest.is_none_or(|fewest| lower <= fewest))
        }
        (Claim::Optimal, Some(fewest)) => certificate.lower_bound == Some(fewest) && solution == Some(fewest),
        (Claim::Optimal, None) => false,
    }
}

/// The values of a document that hold no others, by their paths.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| leaves(item, &format!("{path}/{place}"), found));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, item)| leaves(item, &format!("{path}/{name}"), found)),
        _ => {}
    }
}

/// Another value of a field.
fn changed(value: &Value, random: &mut SplitMix64) -> Value {
    match value {
        Value::Null => 7.into(),
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or(0);
            let other = [1, 2, 3, 4, u64::from(u32::MAX) - 1, u64::from(u32::MAX), u64::from(u32::MAX) + 1];
            let step = other[random.below(other.len())];
            if random.below(9) == 0 {
                Value::Null
            } else {
                let less = number.checked_sub(step).filter(|_| random.below(2) == 0);
                less.unwrap_or(number.wrapping_add(step)).into()
            }
        }
        Value::String(text) if text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            let number = u64::from_str_radix(text, 16).unwrap_or(0);
            format!("{:016x}", number ^ 1 << random.below(64)).into()
        }
        Value::String(text) => {
            let words =
                ["optimal", "lower-bound", "unsolvable", "exhausted", "solved", "pairs", "triples", "", "rRuLdD"];
            let mut letters: Vec<char> = text.chars().collect();
            if letters.is_empty() || random.below(2) == 0 {
                return words[random.below(words.len())].into();
            }
            let place = random.below(letters.len());
            letters[place] = b"# $.@*+lurdLURD"[random.below(15)].into();
            letters.into_iter().collect::<String>().into()
        }
        Value::Array(items) => {
            let mut items = items.clone();
            match random.below(3) {
                0 => drop(items.pop()),
                1 => items.extend(items.first().cloned()),
                _ => items.reverse(),
            }
            items.into()
        }
        other => other.clone(),
    }
}

/// A certificate of this document with the right checksums, if it has the form of one.
fn forged(document: Value) -> Option<Certificate> {
    let mut certificate: Certificate = serde_json::from_value(document).ok()?;
    certificate.correct_checksums();
    // It is read as a file would be.
    Certificate::read(&certificate.text()).ok()
}

/// What came of some forgeries.
#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    /// Confirmed, because what they claim is true.
    confirmed: usize,
}

impl Tally {
    /// Checks a forgery. `fewest` are the fewest pushes of the level, unless the forgery has another.
    fn check(&mut self, genuine: &Certificate, forgery: &Certificate, fewest: Option<u32>) {
        if !matches!(checked(forgery), Ok(Recheck::Confirmed { .. })) {
            self.refused += 1;
            return;
        }
        let same = forgery.level == genuine.level;
        let level = forgery.level().expect("it was confirmed");
        let fewest = if same {
            fewest
        } else {
            fewest_by_pushes(&Board::new(&level.map).expect("it was confirmed")).map(|(pushes, _)| pushes)
        };
        assert!(is_true(forgery, fewest), "fewest pushes {fewest:?}, but confirmed: {}", forgery.text());
        self.confirmed += 1;
    }

    /// One random change after the other.
    fn attack(&mut self, genuine: &Certificate, fewest: Option<u32>, changes: usize, random: &mut SplitMix64) {
        let document = serde_json::to_value(genuine).unwrap();
        let mut paths = Vec::new();
        leaves(&document, "", &mut paths);
        // Rows of a large level are left alone: brute force could not judge them.
        let small = genuine.level.iter().map(String::len).sum::<usize>() < 70;
        paths.retain(|path| small || !path.starts_with("/level"));
        for number in 0..changes {
            let mut forgery = document.clone();
            for _ in 0..1 + number % 3 {
                let path = &paths[random.below(paths.len())];
                if let Some(value) = forgery.pointer_mut(path) {
                    *value = changed(value, random);
                }
            }
            if let Some(forgery) = forged(forgery) {
                self.check(genuine, &forgery, fewest);
            }
        }
    }
}

/// Claims of more pushes than the last limit proves: each must be refused.
fn raised(genuine: &Certificate) -> Vec<Certificate> {
    let Some(last) = genuine.limits.last() else { return Vec::new() };
    let far = u32::MAX - last.limit;
    let steps = [1, 2, 3, far - 3, far - 2, far - 1, far];
    let forge = |&step: &u32| {
        let mut forgery = genuine.clone();
        let last = forgery.limits.last_mut()?;
        last.limit = last.limit.checked_add(step)?;
        last.at_least = last.at_least.wrapping_add(step);
        forgery.claim = Claim::LowerBound;
        forgery.lower_bound = Some(last.at_least);
        forgery.solution = None;
        forgery.correct_checksums();
        Some(forgery)
    };
    steps.iter().filter_map(forge).collect()
}

/// Levels with their fewest pushes, `None` for one without a solution: our own, and random small ones.
fn judged_levels(own: usize, random: usize, seed: u64) -> Vec<(Level, Option<u32>)> {
    let collection = lurd_formats::read(include_bytes!("../../../levels/lurd.xsb"), None).unwrap();
    let pushes = |level: &Level| level.notes.iter().find_map(|note| note.strip_prefix("Pushes: ")?.parse().ok());
    let own = collection.levels.into_iter().take(own).map(|level| {
        let pushes: Option<u32> = pushes(&level);
        assert!(pushes.is_some());
        (level, pushes)
    });
    let small = levels(seed, usize::MAX).map(|map| {
        let fewest = fewest_by_pushes(&Board::new(&map).unwrap()).map(|(pushes, _)| pushes);
        (Level::new(map), fewest)
    });
    // Most random levels have no solution, or a trivial one: at most one of these after each other level.
    let mut trivial = 0;
    let small = small.filter(|(_, fewest)| {
        trivial = if fewest.is_some_and(|pushes| pushes > 2) { 0 } else { trivial + 1 };
        trivial < 2
    });
    own.chain(small.take(random)).collect()
}

fn attack(own: usize, random: usize, changes: usize, seed: u64) {
    let mut chance = SplitMix64::new(seed);
    let mut tally = Tally::default();
    let [mut genuine, mut limits, mut raises] = [0; 3];
    let mut claims = std::collections::HashSet::new();
    for (level, fewest) in judged_levels(own, random, seed) {
        // A proof that is cut claims a lower bound.
        for nodes in [None, Some(200)] {
            let certificate = certified(&level, nodes);
            assert!(matches!(checked(&certificate), Ok(Recheck::Confirmed { .. })), "{}", certificate.text());
            assert!(is_true(&certificate, fewest), "{fewest:?}: {}", certificate.text());
            genuine += 1;
            limits += certificate.limits.len();
            claims.insert(format!("{:?}", certificate.claim));
            for forgery in raised(&certificate) {
                assert!(!matches!(checked(&forgery), Ok(Recheck::Confirmed { .. })), "confirmed: {}", forgery.text());
                raises += 1;
            }
            tally.attack(&certificate, fewest, changes, &mut chance);
        }
    }
    println!("{genuine} genuine with {limits} limits, {raises} raised limits refused, {tally:?}");
    assert!(limits > genuine / 2 && claims.len() == 3, "{limits} limits of {genuine} certificates, {claims:?}");
    assert!(tally.refused > 2 * genuine && tally.confirmed > 0, "{tally:?}");
}

#[test]
fn only_true_claims_are_confirmed() {
    attack(50, 22, 8, 1);
}

#[test]
#[ignore = "takes minutes"]
fn only_true_claims_are_confirmed_of_many_forgeries() {
    attack(53, 150, 400, 2);
}
