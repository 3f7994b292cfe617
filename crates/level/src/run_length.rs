//! Run-length notation: `3#` is `###`, `2(#-)` is `#-#-`, groups may nest.
//!
//! Used for boards and for move strings. The text is read once; a group is repeated by copying its output, so the cost
//! is the length of the text plus the length of the result. The length of the result is checked before it is produced.

/// The maximum nesting depth of groups.
pub const MAX_DEPTH: usize = 64;

/// What is wrong with a run-length text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunsErrorKind {
    /// A count without a character after it.
    #[error("the count {0} has nothing after it; write the character it counts behind it")]
    TrailingCount(usize),
    /// A count of 0.
    #[error("a count of 0 means nothing; remove it and the character after it")]
    ZeroCount,
    /// A `(` without a matching `)`.
    #[error("the group opened here is never closed; add the missing `)`")]
    Unclosed,
    /// A `)` without a matching `(`.
    #[error("this `)` closes no group; remove it or add the missing `(`")]
    Unopened,
    /// Groups nested too deep.
    #[error("groups nest more than {MAX_DEPTH} deep; write the text out")]
    TooDeep,
    /// The decoded text would exceed the limit.
    #[error("this decodes to more than {0} characters, which is more than can be read; check the count")]
    TooLong(usize),
}

/// An error in a run-length text and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct RunsError {
    /// The index of the character in the text, from 0.
    pub index: usize,
    /// What is wrong.
    pub kind: RunsErrorKind,
}

/// Expands the runs. Each character comes with its index in `text`.
///
/// # Errors
/// When a count or a group is malformed, or the result would hold more than `limit` characters.
pub fn expand(text: impl Iterator<Item = char>, limit: usize) -> Result<Vec<(char, u32)>, RunsError> {
    let mut out: Vec<(char, u32)> = Vec::new();
    // For each open group: the start of its output, its count, its index in the text.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let mut count: Option<(usize, usize)> = None;
    let fail = |index, kind| Err(RunsError { index, kind });
    let mut end = 0;
    for (index, c) in text.enumerate() {
        end = index;
        if let Some(digit) = c.to_digit(10) {
            let (value, start) = count.unwrap_or((0, index));
            count = Some((value.saturating_mul(10).saturating_add(digit as usize), start));
            continue;
        }
        let (times, start) = count.take().unwrap_or((1, index));
        match c {
            ')' if start != index => return fail(start, RunsErrorKind::TrailingCount(times)),
            ')' => {
                let Some((begin, times, start)) = open.pop() else { return fail(index, RunsErrorKind::Unopened) };
                let length = out.len() - begin;
                if length.saturating_mul(times).saturating_add(begin) > limit {
                    return fail(start, RunsErrorKind::TooLong(limit));
                }
                for _ in 1..if length == 0 { 1 } else { times } {
                    out.extend_from_within(begin..begin + length);
                }
            }
            _ if times == 0 => return fail(start, RunsErrorKind::ZeroCount),
            '(' if open.len() == MAX_DEPTH => return fail(index, RunsErrorKind::TooDeep),
            '(' => open.push((out.len(), times, start)),
            _ if times.saturating_add(out.len()) > limit => return fail(start, RunsErrorKind::TooLong(limit)),
            _ => out.resize(out.len() + times, (c, u32::try_from(index).unwrap_or(u32::MAX))),
        }
    }
    if let Some((value, start)) = count {
        return fail(start, RunsErrorKind::TrailingCount(value));
    }
    match open.last() {
        Some(&(_, _, start)) => fail(start.min(end), RunsErrorKind::Unclosed),
        None => Ok(out),
    }
}

/// Writes runs of equal characters as counts: `###` becomes `3#`.
pub fn compress(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut count = 1;
        while chars.next_if_eq(&c).is_some() {
            count += 1;
        }
        if count > 1 {
            out.push_str(&count.to_string());
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Result<String, RunsErrorKind> {
        expand(source.chars(), 1000).map(|out| out.iter().map(|&(c, _)| c).collect()).map_err(|error| error.kind)
    }

    #[test]
    fn counts_and_groups_are_expanded() {
        assert_eq!(text("3#"), Ok("###".into()));
        assert_eq!(text("12-@"), Ok("------------@".into()));
        assert_eq!(text("2(#-)"), Ok("#-#-".into()));
        assert_eq!(text("2(2(#-)#)"), Ok("#-#-##-#-#".into()));
        assert_eq!(text("(ul)3()"), Ok("ul".into()));
    }

    #[test]
    fn malformed_runs_are_rejected() {
        assert_eq!(text("#3"), Err(RunsErrorKind::TrailingCount(3)));
        assert_eq!(text("2(#3)"), Err(RunsErrorKind::TrailingCount(3)));
        assert_eq!(text("0#"), Err(RunsErrorKind::ZeroCount));
        assert_eq!(text("2(#"), Err(RunsErrorKind::Unclosed));
        assert_eq!(text("#)"), Err(RunsErrorKind::Unopened));
        assert_eq!(text(&"(".repeat(65)), Err(RunsErrorKind::TooDeep));
    }

    #[test]
    fn huge_counts_are_rejected_at_once() {
        assert_eq!(text("999999999999999999999999999#"), Err(RunsErrorKind::TooLong(1000)));
        assert_eq!(text("99(99(99(99(#))))"), Err(RunsErrorKind::TooLong(1000)));
        assert_eq!(text(&format!("{}{}", "999999999(".repeat(64), ")".repeat(64))), Ok(String::new()));
    }

    #[test]
    fn the_index_is_that_of_the_source() {
        assert_eq!(expand("2(#3-)".chars(), 100).unwrap()[7], ('-', 4));
        assert_eq!(expand("##4(".chars(), 100).unwrap_err().index, 2);
    }

    #[test]
    fn expand_inverts_compress() {
        assert_eq!(compress("####--@$"), "4#2-@$");
        assert_eq!(text(&compress("####--@$")), Ok("####--@$".into()));
    }
}
