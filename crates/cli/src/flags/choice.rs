//! Flags whose values are an engine's named choices: help lists each with what it promises.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lurd::formats::Format;
use lurd::{AlgorithmName, DetectorName, EstimateName, FormulationName, Goal, PlayerTerm, TieBreakName};
use lurd_generate::Style;
use std::str::FromStr;

/// An enum that lists itself, names its choices and says what each promises.
pub trait Named: Copy + Send + Sync + FromStr<Err = String> + 'static {
    /// Every choice.
    const CHOICES: &'static [Self];
    /// Its name on the command line.
    fn label(self) -> &'static str;
    /// What it is and promises.
    fn promise(self) -> &'static str;
}

macro_rules! named {
    ($($type:ty),*) => {$(
        impl Named for $type {
            const CHOICES: &'static [Self] = Self::ALL;
            fn label(self) -> &'static str {
                self.name()
            }
            fn promise(self) -> &'static str {
                self.about()
            }
        }
    )*};
}

named!(Goal, AlgorithmName, FormulationName, EstimateName, PlayerTerm, DetectorName, TieBreakName, Format, Style);

/// Every choice as help and completion show it.
pub(super) fn possible_values<T: Named>() -> impl Iterator<Item = PossibleValue> {
    T::CHOICES.iter().map(|choice| PossibleValue::new(choice.label()).help(choice.promise()))
}

/// Every choice on a line of its own, for the long help of flags that combine several.
pub(super) fn listing<T: Named>(choices: &[T]) -> String {
    let width = choices.iter().map(|choice| choice.label().len()).max().unwrap_or(0);
    choices.iter().map(|choice| format!("\n- {:<width$}  {}", choice.label(), choice.promise())).collect()
}

/// The parser of a flag that takes one of the choices.
pub fn choice<T: Named>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(possible_values::<T>()).try_map(|name| name.parse::<T>())
}
