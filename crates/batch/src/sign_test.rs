//! The sign test: how likely is a split like this one if both sides were equally good?

/// The two-sided exact sign test: the probability that fair coin flips split at least as unevenly. Ties are left out by
/// the caller, as usual (Dixon and Mood, The statistical sign test, 1946).
///
/// ```
/// assert!((lurd_batch::sign_test(8, 1) - 0.0390625).abs() < 1e-12);
/// assert_eq!(lurd_batch::sign_test(0, 0), 1.0);
/// ```
pub fn sign_test(wins: usize, losses: usize) -> f64 {
    let (flips, fewer) = (wins + losses, wins.min(losses));
    // Sums of binomial coefficients over powers of two, in logarithms: factorials overflow early.
    let mut logarithm = -(flips as f64) * std::f64::consts::LN_2;
    let mut tail = logarithm.exp();
    for k in 1..=fewer {
        logarithm += (((flips - k + 1) as f64) / k as f64).ln();
        tail += logarithm.exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By counting all sequences of flips.
    fn counted(wins: usize, losses: usize) -> f64 {
        let flips = wins + losses;
        let fewer = wins.min(losses);
        let uneven = (0..1_u32 << flips).filter(|sequence| {
            let heads = sequence.count_ones() as usize;
            heads.min(flips - heads) <= fewer
        });
        uneven.count() as f64 / f64::from(1_u32 << flips)
    }

    #[test]
    fn it_is_that_of_brute_force() {
        for wins in 0..8 {
            for losses in 0..8 {
                let (test, count) = (sign_test(wins, losses), counted(wins, losses));
                assert!((test - count).abs() < 1e-9, "{wins} {losses}: {test} {count}");
            }
        }
        assert!(sign_test(5000, 5000) > 0.9);
        assert!(sign_test(6000, 5000) < 1e-15);
    }
}
