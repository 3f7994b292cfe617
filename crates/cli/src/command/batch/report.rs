//! `lurd batch report` and `diff`: what came of a run, and of two.

use crate::exit::{Ending, Exit};
use crate::replace;
use crate::shelf::LibraryFile;
use crate::table;
use crate::units;
use clap::Args;
use lurd_batch::{Comparison, Document, Summary, comparison_csv, html, markdown, summary_csv};
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The form of a report; a table for the terminal without any.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub(super) struct FormFlags {
    /// Write one HTML file with charts and boards, which needs nothing else; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Print CSV, a line for each level
    #[arg(long)]
    csv: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// Show what came of a run: solved by time, by collection, the slowest, the unsolved, against the best known
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// The name of the run
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    form: FormFlags,
}

/// Compare two runs: won, lost, faster, slower, shorter, longer, with a sign test
#[derive(Args, Debug)]
pub(crate) struct DiffArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// The run before
    #[arg(value_name = "A")]
    a: String,

    /// The run after
    #[arg(value_name = "B")]
    b: String,

    #[command(flatten)]
    form: FormFlags,
}

/// Reports on a run.
pub(super) fn report(arguments: &ReportArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let summary = Summary::read(&library, &arguments.name)?;
    arguments.form.print(&Document::of_run(&summary), || summary_csv(&summary), || summary.json())
}

/// Compares two runs.
pub(super) fn diff(arguments: &DiffArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let (a, b) = (Summary::read(&library, &arguments.a)?, Summary::read(&library, &arguments.b)?);
    let comparison = Comparison::new(&a, &b);
    arguments.form.print(&Document::of_comparison(&comparison), || comparison_csv(&comparison), || comparison.json())
}

impl FormFlags {
    fn print(&self, document: &Document, csv: impl Fn() -> String, json: impl Fn() -> Value) -> Ending {
        if let Some(path) = self.html.as_deref().filter(|path| *path != Path::new("-")) {
            replace::write(path, html(document).as_bytes())?;
            return Ok(Exit::Success);
        }
        let mut out = io::stdout().lock();
        if self.html.is_some() {
            write!(out, "{}", html(document))?;
        } else if self.csv {
            write!(out, "{}", csv())?;
        } else if self.json {
            writeln!(out, "{:#}", json())?;
        } else if self.markdown {
            write!(out, "{}", markdown(document))?;
        } else {
            people(&mut out, document)?;
        }
        out.flush()?;
        Ok(Exit::Success)
    }
}

fn people(out: &mut dyn Write, document: &Document) -> io::Result<()> {
    writeln!(out, "{}", units::printable(&document.title))?;
    for section in document.sections.iter().filter(|section| !section.is_detail) {
        writeln!(out, "\n{}", units::printable(&section.heading))?;
        if !section.text.is_empty() {
            writeln!(out, "{}", units::printable(&section.text))?;
        }
        if let Some(rows) = section.table.as_ref().filter(|table| !table.rows.is_empty()) {
            let mut shown = table::Table::new(rows.columns);
            for row in &rows.rows {
                shown.row(row.iter().map(|cell| units::printable(cell)).collect());
            }
            shown.print(out)?;
        }
        for board in &section.boards {
            writeln!(out, "{}, {}\n{}", units::printable(&board.label), units::printable(&board.remark), board.map)?;
        }
    }
    Ok(())
}
