//! The settings file: a text that the player edits. Its lines are options of the contract, by the names of their flags.

use lurd_contract::{Group, Request, option};
use serde_json::{Map, Value};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The setting that is the optimizer's alone.
const OPTIMIZER: &str = "optimizer-time-limit";

/// The settings that the file shows to begin with, and what to write for each.
const SHOWN: [(&str, &str); 4] =
    [("threads", "2"), ("memory_limit", "\"2GiB\""), ("goal", "\"any\""), ("time_limit", "600")];

/// What the file looks like before anybody has changed it.
pub fn template() -> String {
    let mut text = "# Settings of the lurd plug-in. A line takes effect without the # before it, at the next level.\n\
                    # Every choice of `lurd solve` can stand here, by the name of its flag.\n"
        .to_owned();
    for (name, value) in SHOWN {
        if let Ok(option) = option(name) {
            let choices: String =
                option.kind.names().iter().map(|one| format!("\n#   \"{}\": {}", one.name, one.about)).collect();
            let usual = match name {
                "threads" => " [without this line: as many as the machine has processors]".to_owned(),
                _ if option.default.is_empty() => {
                    " [without this line: until the program that calls stops it]".to_owned()
                }
                _ => format!(" [without this line: {}]", option.default),
            };
            text += &format!("\n# {}{usual}{choices}\n# {} = {value}\n", option.about, option.flag());
        }
    }
    text + &format!("\n# Seconds that the optimizer works on a solution [without this line: 30]\n# {OPTIMIZER} = 30\n")
}

/// What the file says. What is left out is left to lurd.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The options, checked.
    pub request: Request,
    /// Which of them stand in the file, in its order.
    pub given: Vec<&'static str>,
    /// The time of the optimizer.
    pub optimizer_time: Option<Duration>,
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
        let lines: Map<String, Value> = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            SettingsError::Wrong { line: before.matches('\n').count() + 1, reason: error.message().to_owned() }
        })?;
        let mut settings = Self::default();
        for (key, value) in lines {
            settings.set(&key, &value).map_err(|reason| {
                let is_there = |line: &str| {
                    line.trim_start().strip_prefix(&key).is_some_and(|rest| rest.trim_start().starts_with('='))
                };
                SettingsError::Wrong { line: 1 + text.lines().position(is_there).unwrap_or(0), reason }
            })?;
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        if key == OPTIMIZER {
            let mut timed = Request::default();
            timed.set("time_limit", value).map_err(|error| error.to_string().replace("time_limit", OPTIMIZER))?;
            self.optimizer_time = timed.limits.time;
            return Ok(());
        }
        let option = option(&key.replace('-', "_")).map_err(|error| error.to_string())?;
        if option.group == Group::Work && option.name != "threads" {
            return Err(format!("`{key}` belongs to one level and cannot be a setting"));
        }
        self.request.set(option.name, value).map_err(|error| error.to_string())?;
        self.given.push(option.name);
        Ok(())
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
        Ok(mut file) => io::Write::write_all(&mut file, template().replace('\n', "\r\n").as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_changes_nothing_and_every_line_of_it_can_be_used() {
        let template = template();
        assert_eq!(Settings::parse(&template).unwrap(), Settings::default());
        let used: String = template
            .lines()
            .filter_map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")))
            .fold(String::new(), |text, line| text + line + "\n");
        let settings = Settings::parse(&used).unwrap();
        assert_eq!((used.lines().count(), settings.given.len()), (5, 4));
        assert_eq!(settings.request.limits.memory, Some(2 << 30));
        assert_eq!(settings.optimizer_time, Some(Duration::from_secs(30)));
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, line) in [
            ("threads = 2\nthreds = 3", 2),
            ("\u{feff}\nthreads = 0", 2),
            ("goal = \"best\"", 1),
            ("threads = \"two\"", 1),
            ("\n\nnonsense", 3),
            ("\ntime-limit = -1", 2),
            ("optimizer-time-limit = \"soon\"", 1),
            ("known = \"rR\"", 1),
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
        assert_eq!(Settings::load(&path).unwrap().request.threads, 3);
    }
}
