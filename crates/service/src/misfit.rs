//! What a parser says of a request, for people.

/// A sentence from the words of a parser of JSON: without places in the text, and without the names of Rust's types.
pub fn misfit(told: &str) -> String {
    let what = told.rsplit_once(" at line ").map_or(told, |(what, _)| what);
    let words = [
        ("expected u8", "expected a whole number that is not negative"),
        ("expected u32", "expected a whole number that is not negative"),
        ("expected u64", "expected a whole number that is not negative"),
        ("expected usize", "expected a whole number that is not negative"),
        ("expected f64", "expected a number"),
    ];
    let what = words.iter().fold(what.to_owned(), |what, (kind, word)| what.replace(kind, word));
    format!("the request does not fit: {what}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LossAsking, Starting};

    fn told<T: serde::de::DeserializeOwned>(json: &str) -> String {
        misfit(&serde_json::from_str::<T>(json).err().unwrap().to_string())
    }

    #[test]
    fn numbers_and_fields_that_do_not_fit_get_a_sentence() {
        let wrong = told::<Starting>(r##"{"kind":"sokoban","board":"#","request":{"node_limit":1.5}}"##);
        assert_eq!(
            wrong,
            "the request does not fit: `node_limit`: `1.5` is no whole number from 0 to 18446744073709551615"
        );
        assert!(told::<LossAsking>(r#"{"bored":""}"#).contains("unknown field `bored`, expected `board`"));
        assert!(!told::<LossAsking>("{}").contains("line"));
    }
}
