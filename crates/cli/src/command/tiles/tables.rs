//! The pattern database: loaded from the cache, or built with a bar that shows how far it is.

use super::refusal;
use crate::exit::{Failure, complain};
use etcetera::BaseStrategy;
use etcetera::base_strategy::choose_native_strategy;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lurd_base::Cancel;
use lurd_tiles::{Board, BuildProgress, Origin, PatternDatabase, PatternError};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// The variable that names another folder for the cache.
pub(super) const CACHE_VARIABLE: &str = "LURD_CACHE";

/// Tables and where they came from.
pub(super) struct Tables {
    pub(super) database: Arc<PatternDatabase>,
    /// Whether they were built just now.
    pub(super) built: bool,
}

/// The tables for a goal; `None` if Ctrl-C ended the build.
///
/// # Errors
/// A sentence, where there are no tables for such goals.
pub(super) fn load(goal: &Board, cancel: &Cancel) -> Result<Option<Tables>, Failure> {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("building the pattern database  {wide_bar} {percent:>3} %  {eta}") {
        bar.set_style(style);
    }
    let mut progress = |BuildProgress { done, total }: BuildProgress| {
        bar.set_length(total);
        bar.set_position(done);
        if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let made = match folder() {
        Some(folder) => PatternDatabase::load_or_build(goal, &folder, &mut progress),
        None => PatternDatabase::build(goal, &mut progress).map(|database| {
            let not_saved = Some("there is no folder for caches".to_owned());
            (database, Origin::Built { refused: None, not_saved })
        }),
    };
    bar.finish_and_clear();
    let (database, origin) = match made {
        Ok(made) => made,
        Err(PatternError::Interrupted) => return Ok(None),
        Err(error) => return Err(refusal(&error)),
    };
    let built = match origin {
        Origin::Loaded => false,
        Origin::Built { refused, not_saved } => {
            if let Some(why) = refused {
                complain(&format!("{why}; the pattern database was built anew"));
            }
            if let Some(why) = not_saved {
                complain(&format!(
                    "the pattern database could not be saved and will be built again next time: {why}; \
                     let {CACHE_VARIABLE} name a folder that can be written"
                ));
            }
            true
        }
    };
    Ok(Some(Tables { database: Arc::new(database), built }))
}

/// Where tables are kept: what the variable names, or the platform's folder for caches.
fn folder() -> Option<PathBuf> {
    match std::env::var_os(CACHE_VARIABLE) {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => choose_native_strategy().ok().map(|folders| folders.cache_dir().join("lurd")),
    }
}
