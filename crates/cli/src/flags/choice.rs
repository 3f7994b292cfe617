//! Flags whose values are named choices: help lists each with what it promises.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lurd::contract::Named;
use lurd_base::Choice;

/// Choices as help and completion show them.
pub(super) fn possible(choices: &[Named]) -> Vec<PossibleValue> {
    choices.iter().map(|choice| PossibleValue::new(choice.name).help(choice.about)).collect()
}

/// Every choice on a line of its own, for the long help of flags that combine several.
pub(super) fn listing(choices: &[Named]) -> String {
    let width = choices.iter().map(|choice| choice.name.len()).max().unwrap_or(0);
    choices.iter().map(|choice| format!("\n- {:<width$}  {}", choice.name, choice.about)).collect()
}

/// The parser of a flag that takes one of the choices.
pub fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(possible(&Named::all::<T>())).try_map(|name| name.parse::<T>())
}
