//! Which levels of a file: `3`, `2-5`, `7-`, `1,5-9` or `all`.

use lurd::contract::read_range;
use std::str::FromStr;

/// Level numbers a user asked for; they count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every level.
    All,
    /// Ranges, both ends included, in the order given; one without an end goes on to the last level.
    Ranges(Vec<(usize, Option<usize>)>),
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "all" {
            return Ok(Self::All);
        }
        let wrong =
            || format!("`{text}` names no levels; write for instance 3, 2-5, 7-, 1,5-9 or all (levels count from 1)");
        let range = |part: &str| {
            let range = read_range(part, 1..=usize::MAX).map_err(|_| wrong())?;
            Ok((*range.start(), Some(*range.end()).filter(|&last| last < usize::MAX)))
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self::Ranges)
    }
}

impl Selection {
    /// The chosen numbers, in the order asked for, each once.
    ///
    /// # Errors
    /// A sentence, when a number is past the last level.
    pub fn of(&self, levels: usize) -> Result<Vec<usize>, String> {
        let Self::Ranges(ranges) = self else { return Ok((1..=levels).collect()) };
        let mut seen = vec![false; levels];
        let mut numbers = Vec::new();
        for &(first, last) in ranges {
            let last = last.unwrap_or_else(|| levels.max(first));
            if last > levels {
                let missing = first.max(levels + 1);
                return Err(format!("there is no level {missing}: the last one is {levels}"));
            }
            numbers.extend((first..=last).filter(|&number| !std::mem::replace(&mut seen[number - 1], true)));
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str, levels: usize) -> Result<Vec<usize>, String> {
        text.parse::<Selection>()?.of(levels)
    }

    #[test]
    fn every_form_is_understood() {
        assert_eq!(numbers("3", 9), Ok(vec![3]));
        assert_eq!(numbers("2-5", 9), Ok(vec![2, 3, 4, 5]));
        assert_eq!(numbers("1,5-6, 9", 9), Ok(vec![1, 5, 6, 9]));
        assert_eq!(numbers("all", 2), Ok(vec![1, 2]));
        assert_eq!(numbers("4,3-5", 9), Ok(vec![4, 3, 5]));
        assert_eq!(numbers("7-", 9), Ok(vec![7, 8, 9]));
        assert_eq!(numbers("9-,1", 9), Ok(vec![9, 1]));
        assert_eq!(numbers("-3", 9), Ok(vec![1, 2, 3]));
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in ["", "0", "x", "5-3", "1,,2", "-", "99999999999999999999999"] {
            assert!(wrong.parse::<Selection>().is_err(), "{wrong}");
        }
        assert_eq!(numbers("1-99999999999", 3), Err("there is no level 4: the last one is 3".into()));
        assert_eq!(numbers("5-", 3), Err("there is no level 5: the last one is 3".into()));
        assert_eq!(numbers("7", 3), Err("there is no level 7: the last one is 3".into()));
    }
}
