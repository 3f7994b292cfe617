//! The rows of a comparison: as tables, as CSV, as JSON lines.

use super::runs::Run;
use crate::exit::Failure;
use crate::output::json_line;
use crate::table::Table;
use crate::{input, refused, replace, units};
use lurd::contract::csv_line;
use lurd::{Level, Outcome, Proof, Record, Report, SolveError};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// One search and what came of it.
#[derive(Debug)]
pub(super) struct Row<'a> {
    level: &'a Level,
    run: Run,
    result: Result<Report, SolveError>,
}

/// A row as JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum Object<'a> {
    /// What `solve --json` prints, and what only a comparison asks for.
    Searched {
        comparison: &'static str,
        #[serde(flatten)]
        record: Box<Record>,
    },
    /// A search that could not be run.
    Refused {
        comparison: &'static str,
        level: usize,
        title: &'a str,
        algorithm: String,
        formulation: String,
        heuristic: String,
        deadlocks: String,
        refused: String,
    },
}

impl<'a> Row<'a> {
    pub(super) fn new(level: &'a Level, run: &Run, result: Result<Report, SolveError>) -> Self {
        Self { level, run: run.clone(), result }
    }

    fn starts_group_after(&self, previous: &Self) -> bool {
        self.level.number != previous.level.number || self.run.group != previous.run.group
    }

    fn object(&self) -> Object<'_> {
        match &self.result {
            Ok(report) => Object::Searched { comparison: self.run.group, record: Box::new(report.record(self.level)) },
            Err(error) => {
                let [algorithm, formulation, heuristic, deadlocks] = self.run.choices();
                Object::Refused {
                    comparison: self.run.group,
                    level: self.level.number,
                    title: self.level.title.as_deref().unwrap_or_default(),
                    algorithm,
                    formulation,
                    heuristic,
                    deadlocks,
                    refused: refused::sentence(error),
                }
            }
        }
    }

    /// Nodes expanded against the first row of the group, where both searched to their end.
    fn share(&self, first: &Self) -> String {
        let whole = |row: &Self| match &row.result {
            Ok(report) if matches!(report.outcome, Outcome::Solved | Outcome::Unsolvable | Outcome::Exhausted) => {
                Some(report.statistics.expanded as f64)
            }
            _ => None,
        };
        match (whole(self), whole(first)) {
            (Some(own), Some(base)) if base > 0.0 => format!("{:.1} %", own / base * 100.0),
            _ => String::new(),
        }
    }
}

/// Prints a row as a JSON line.
pub(super) fn json(row: &Row<'_>) -> Result<(), Failure> {
    Ok(json_line(&mut io::stdout().lock(), &row.object())?)
}

/// Prints the rows as tables, or as CSV where that is asked for.
pub(super) fn rows(rows: &[Row<'_>], csv: Option<&Path>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match csv {
        Some(path) if path == Path::new("-") => out.write_all(as_csv(rows).as_bytes())?,
        _ => tables(&mut out, rows)?,
    }
    out.flush()?;
    match csv {
        Some(path) if path != Path::new("-") => replace::write(path, as_csv(rows).as_bytes()),
        _ => Ok(()),
    }
}

fn tables(out: &mut dyn Write, rows: &[Row<'_>]) -> io::Result<()> {
    let mut rest = rows;
    while let Some(first) = rest.first() {
        let length =
            rest.windows(2).position(|pair| pair[1].starts_group_after(&pair[0])).map_or(rest.len(), |at| at + 1);
        let (group, others) = rest.split_at(length);
        if rest.len() < rows.len() {
            writeln!(out)?;
        }
        writeln!(out, "{}, level {} {}", first.run.group, first.level.number, input::title(first.level))?;
        table(out, group)?;
        rest = others;
    }
    Ok(())
}

fn table(out: &mut dyn Write, group: &[Row<'_>]) -> io::Result<()> {
    let mut table = Table::new(
        "algorithm|formulation|heuristic|deadlocks|outcome|>expanded|>of first|>generated|>duplicates|>pruned|>peak|\
         >heuristic peak|>time|>pushes|>moves|proof",
    );
    let mut remarks = Vec::new();
    for row in group {
        let run = &row.run;
        let mut cells = run.choices().to_vec();
        cells[3] = run.rules_in_short();
        match &row.result {
            Ok(report) => {
                cells.extend(figures(row, &group[0], report));
                remarks.extend(report.notes.iter().map(|note| (run.label(), note.clone())));
            }
            Err(error) => {
                cells.push("refused".into());
                cells.resize(16, String::new());
                remarks.push((run.label(), refused::sentence(error)));
            }
        }
        table.row(cells);
    }
    table.print(out)?;
    remarks.iter().try_for_each(|(label, remark)| writeln!(out, "note ({label}): {remark}"))
}

fn figures(row: &Row<'_>, first: &Row<'_>, report: &Report) -> Vec<String> {
    let statistics = &report.statistics;
    vec![
        report.in_words(),
        units::count(statistics.expanded),
        row.share(first),
        units::count(statistics.generated),
        units::count(statistics.duplicates),
        units::count(statistics.pruned.values().sum()),
        units::size(statistics.peak_bytes),
        units::size(statistics.heuristic_bytes),
        units::seconds(statistics.seconds),
        units::optional(report.solution.as_ref().map(|solution| solution.pushes)),
        units::optional(report.solution.as_ref().map(|solution| solution.moves)),
        if report.proof == Proof::None { String::new() } else { report.proof.to_string() },
    ]
}

const CSV_HEADER: &str = "comparison,level,title,algorithm,formulation,heuristic,deadlocks,outcome,stopped_by,expanded,\
    generated,duplicates,reopened,pruned,peak_frontier,peak_bytes,heuristic_bytes,seconds,pushes,moves,proof,lower_bound,remarks\n";

fn as_csv(rows: &[Row<'_>]) -> String {
    let mut text = CSV_HEADER.to_owned();
    for row in rows {
        let title = row.level.title.clone().unwrap_or_default();
        let mut fields = vec![row.run.group.to_owned(), row.level.number.to_string(), title];
        fields.extend(row.run.choices());
        match &row.result {
            Ok(report) => {
                let record = report.record(row.level);
                fields.extend([
                    record.outcome.to_string(),
                    record.stopped_by.unwrap_or_default(),
                    record.expanded.to_string(),
                    record.generated.to_string(),
                    record.duplicates.to_string(),
                    record.reopened.to_string(),
                    record.pruned.values().sum::<u64>().to_string(),
                    record.peak_frontier.to_string(),
                    record.peak_bytes.to_string(),
                    record.heuristic_bytes.to_string(),
                    record.seconds.to_string(),
                    units::optional(record.pushes),
                    units::optional(record.moves),
                    record.proof.to_string(),
                    units::optional(record.lower_bound),
                    record.notes.join(" "),
                ]);
            }
            Err(error) => {
                fields.push("refused".into());
                fields.resize(22, String::new());
                fields.push(refused::sentence(error));
            }
        }
        text.push_str(&csv_line(&fields));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Preset, runs};
    use super::*;
    use crate::made_up::made_up;
    use crate::output::tests::printed;
    use lurd::Map;
    use lurd_base::Stop;

    fn level() -> Level {
        let map = Map::from_xsb("#####\n#@$.#\n#####").unwrap();
        Level { title: Some("A, \"B\"".into()), ..Level::new(map) }
    }

    fn rows(level: &Level) -> Vec<Row<'_>> {
        let runs = runs::preset(Preset::Detectors);
        let mut half = made_up(Outcome::Solved);
        half.statistics.expanded = 2;
        vec![
            Row::new(level, &runs[0], Ok(made_up(Outcome::Solved))),
            Row::new(level, &runs[1], Ok(half)),
            Row::new(level, &runs[2], Ok(made_up(Outcome::Stopped(Stop::Nodes)))),
            Row::new(level, &runs[3], Err(SolveError::SecondGoalAny)),
        ]
    }

    #[test]
    fn csv_has_as_many_fields_in_every_row_as_in_its_header() {
        let text = as_csv(&rows(&level()));
        let columns = CSV_HEADER.split(',').count();
        for line in text.lines().skip(1) {
            assert!(line.contains("\"A, \"\"B\"\"\""));
            let plain = line.replace("\"A, \"\"B\"\"\"", "title");
            assert_eq!(plain.split(',').count(), columns, "{line}");
        }
        assert_eq!(text.lines().count(), 5);
    }

    #[test]
    fn shares_are_of_the_first_row_and_only_of_whole_searches() {
        let level = level();
        let rows = rows(&level);
        assert_eq!(rows[1].share(&rows[0]), "40.0 %");
        assert_eq!(rows[2].share(&rows[0]), "");
    }

    #[test]
    fn tables_say_what_was_refused_and_why() {
        let text = printed(|out| tables(out, &rows(&level())));
        assert!(text.starts_with("detectors, level 1 A, \"B\"\nalgorithm"), "{text}");
        assert!(text.contains("refused"), "{text}");
        assert!(text.contains("decides nothing"), "{text}");
        assert!(text.contains("node limit"), "{text}");
    }

    #[test]
    fn json_rows_are_objects_with_the_contracts_fields() {
        for row in rows(&level()) {
            let value: serde_json::Value = serde_json::to_value(row.object()).unwrap();
            assert_eq!(value["comparison"], "detectors");
            assert_eq!(value["level"], 1);
            assert_eq!(value["algorithm"], if row.result.is_ok() { "weighted-a-star" } else { "uniform-cost" });
        }
    }
}
