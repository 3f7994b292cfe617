//! What is looked for in the library, as addresses and requests write it.

use super::unprocessable;
use crate::error::Refused;
use lurd::contract::read_range;
use lurd_library::{Palette, Query, Sorting, Standing};
use serde::Deserialize;
use std::ops::RangeInclusive;
use utoipa::{IntoParams, ToSchema};

/// The most characters of a search.
const LONGEST: usize = 200;

/// The most levels of one answer.
const MOST: usize = 200;

/// The levels of an answer that does not say how many.
const USUAL: usize = 60;

/// Which levels; what is left out or empty leaves all of them.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = LevelFilter)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Filter {
    text: Option<String>,
    collection: Option<String>,
    state: Option<String>,
    boxes: Option<String>,
    squares: Option<String>,
    grades: Option<String>,
}

impl Filter {
    pub(super) fn query(&self) -> Result<Query, Refused> {
        let text = given(&self.text);
        if text.is_some_and(|text| text.chars().count() > LONGEST) {
            return Err(unprocessable(format!("a search has at most {LONGEST} characters")));
        }
        Ok(Query {
            text: text.map(str::to_owned),
            collection: given(&self.collection).map(str::to_owned),
            standing: given(&self.state).map(standing).transpose()?,
            boxes: given(&self.boxes).map(|text| range("boxes", text)).transpose()?,
            squares: given(&self.squares).map(|text| range("squares", text)).transpose()?,
            grades: given(&self.grades).map(|text| range("grades", text)).transpose()?,
            ..Query::default()
        })
    }
}

/// A page of what is looked for. The fields of the filter are repeated, because a query of an address cannot be nested.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PageOf {
    text: Option<String>,
    collection: Option<String>,
    state: Option<String>,
    boxes: Option<String>,
    squares: Option<String>,
    grades: Option<String>,
    sort: Option<String>,
    skip: Option<u32>,
    most: Option<usize>,
    pictures: Option<String>,
}

impl PageOf {
    /// The colours of the pictures that are asked for, if any are.
    pub(super) fn palette(&self) -> Result<Option<Palette>, Refused> {
        Ok(match given(&self.pictures) {
            None => None,
            Some("neutral") => Some(Palette::NEUTRAL),
            Some("light") => Some(Palette::LIGHT),
            Some("dark") => Some(Palette::DARK),
            Some(_) => return Err(unprocessable("pictures must be neutral, light or dark")),
        })
    }

    pub(super) fn query(self) -> Result<Query, Refused> {
        let Self { text, collection, state, boxes, squares, grades, sort, skip, most, pictures: _ } = self;
        let most = most.unwrap_or(USUAL);
        if most == 0 || most > MOST {
            return Err(unprocessable(format!("most must lie between 1 and {MOST}")));
        }
        let filter = Filter { text, collection, state, boxes, squares, grades };
        let sorting = given(&sort).map(sorting).transpose()?.unwrap_or_default();
        Ok(Query { sorting, skip: skip.unwrap_or(0) as usize, most, ..filter.query()? })
    }
}

/// What somebody wrote, if anything.
fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn standing(word: &str) -> Result<Standing, Refused> {
    Ok(match word {
        "solved" => Standing::Solved,
        "unsolved" => Standing::Unsolved,
        "proved" => Standing::Proved,
        "unproved" => Standing::Unproved,
        "unsolvable" => Standing::Unsolvable,
        _ => return Err(unprocessable("state must be solved, unsolved, proved, unproved or unsolvable")),
    })
}

fn sorting(word: &str) -> Result<Sorting, Refused> {
    Ok(match word {
        "added" => Sorting::Added,
        "newest" => Sorting::Newest,
        "boxes" => Sorting::Boxes,
        "squares" => Sorting::Squares,
        "pushes" => Sorting::Pushes,
        _ => return Err(unprocessable("sort must be added, newest, boxes, squares or pushes")),
    })
}

/// A range such as 3, 4-10, 4- or -10.
fn range(what: &str, text: &str) -> Result<RangeInclusive<usize>, Refused> {
    read_range(text, 0..=usize::MAX).map_err(|reason| unprocessable(format!("{what}: {reason}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_no_filter_and_nonsense_is_told() {
        let empty = Filter { text: Some("  ".into()), state: Some(String::new()), ..Filter::default() };
        assert_eq!(empty.query().ok(), Some(Query::default()));
        let wrong = |filter: Filter| filter.query().is_err();
        assert!(wrong(Filter { text: Some("x".repeat(201)), ..Filter::default() }));
        assert!(wrong(Filter { state: Some("green".into()), ..Filter::default() }));
        assert!(PageOf { most: Some(0), ..PageOf::default() }.query().is_err());
        assert!(PageOf { sort: Some("colour".into()), ..PageOf::default() }.query().is_err());
    }
}
