//! The settings file: a text that the player edits.

use crate::metric::Metric;
use serde::Deserialize;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::Path;

/// What the file looks like before anybody has changed it.
pub const TEMPLATE: &str = "\
# Settings of the lurd plug-in. A line takes effect without the # before it, at the next level.

# Threads for a level. Without this line: as many as the machine has processors.
# threads = 2

# Memory for a level, in mebibytes (1024 is one gibibyte). Without this line: 80 % of what is available.
# memory-mib = 2048

# What the solver looks for where the program that calls it does not say:
# \"any\" finds a solution soon, \"pushes\" and \"moves\" prove the fewest, which may take long.
# solver-goal = \"any\"

# The most seconds for solving a level. Without this line: until the program that calls stops it.
# solver-seconds = 600

# The seconds the optimizer works on a solution.
# optimizer-seconds = 30
";

/// What the solver looks for where the host does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SolverGoal {
    /// Any solution.
    #[default]
    Any,
    /// The fewest pushes.
    Pushes,
    /// The fewest moves.
    Moves,
}

impl SolverGoal {
    /// The metric to minimise.
    pub fn metric(self) -> Option<Metric> {
        match self {
            Self::Any => None,
            Self::Pushes => Some(Metric::Pushes),
            Self::Moves => Some(Metric::Moves),
        }
    }
}

/// What the file says. `None` leaves the choice to lurd.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Threads for a level.
    pub threads: Option<NonZeroU32>,
    /// Memory for a level.
    pub memory_mib: Option<NonZeroU32>,
    /// The goal of the solver.
    #[serde(default)]
    pub solver_goal: SolverGoal,
    /// The most seconds for solving.
    pub solver_seconds: Option<NonZeroU32>,
    /// The seconds for optimizing.
    pub optimizer_seconds: Option<NonZeroU32>,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file is there and cannot be read.
    #[error("the settings cannot be read: {0}")]
    Unreadable(io::Error),
    /// A line is wrong.
    #[error("line {line} of the settings: {reason}")]
    Wrong {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl Settings {
    /// Reads the file; one that does not exist changes nothing.
    ///
    /// # Errors
    /// When it cannot be read or understood.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(SettingsError::Unreadable(error)),
        }
    }

    fn parse(text: &str) -> Result<Self, SettingsError> {
        // Editors on Windows may begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            SettingsError::Wrong { line: before.matches('\n').count() + 1, reason: error.message().to_owned() }
        })
    }
}

/// Creates the file with its comments unless it exists.
///
/// # Errors
/// When it cannot be created.
pub fn create(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => io::Write::write_all(&mut file, TEMPLATE.replace('\n', "\r\n").as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_changes_nothing_and_every_line_of_it_can_be_used() {
        assert_eq!(Settings::parse(TEMPLATE).unwrap(), Settings::default());
        let used: String = TEMPLATE
            .lines()
            .filter_map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")))
            .fold(String::new(), |text, line| text + line + "\n");
        let settings = Settings::parse(&used).unwrap();
        assert_eq!(used.lines().count(), 5);
        assert_eq!(settings.memory_mib.map(NonZeroU32::get), Some(2048));
        assert_eq!(settings.optimizer_seconds.map(NonZeroU32::get), Some(30));
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, line) in [
            ("threads = 2\nthreds = 3", 2),
            ("\u{feff}\nthreads = 0", 2),
            ("solver-goal = \"best\"", 1),
            ("threads = \"two\"", 1),
            ("\n\nnonsense", 3),
        ] {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line} of the settings: ")), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn the_file_is_created_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/plugin.toml");
        assert_eq!(Settings::load(&path).unwrap(), Settings::default());
        create(&path).unwrap();
        assert_eq!(Settings::load(&path).unwrap(), Settings::default());
        fs::write(&path, "threads = 3").unwrap();
        create(&path).unwrap();
        assert_eq!(Settings::load(&path).unwrap().threads.map(NonZeroU32::get), Some(3));
    }
}
