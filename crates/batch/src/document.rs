//! A report as headings, tables, charts and boards, before it is written in any format.

use crate::chart::{Chart, Series};
use crate::compare::{Comparison, Pair};
use crate::sign_test::sign_test;
use crate::summary::{EntryResult, Summary};
use lurd::Map;
use lurd_library::{JobEnd, LevelKey, date};

/// Rows that lists of single levels have at most.
const MOST: usize = 20;

/// Boards that are shown at most.
const BOARDS: usize = 240;

/// A table. Columns are separated by `|`; those marked by `>` hold figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The headings.
    pub columns: &'static str,
    /// The rows; each has a cell for every column.
    pub rows: Vec<Vec<String>>,
    /// The level of each row, where rows are levels.
    pub levels: Vec<LevelKey>,
}

impl Table {
    /// A table whose rows are no levels.
    fn of(columns: &'static str, rows: Vec<Vec<String>>) -> Self {
        Self { columns, rows, levels: Vec::new() }
    }
}

/// A board with what is said below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The level as its collection draws it.
    pub map: Map,
    /// The name of the level.
    pub key: LevelKey,
    /// Its name.
    pub label: String,
    /// Why it is shown.
    pub remark: String,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// What a reader should know, if anything.
    pub text: String,
    /// A chart.
    pub chart: Option<Chart>,
    /// A table.
    pub table: Option<Table>,
    /// Boards.
    pub boards: Vec<Board>,
    /// A long table that only a page has room for.
    pub is_detail: bool,
}

impl Section {
    fn new(heading: impl Into<String>, table: Table) -> Self {
        let (text, chart, boards) = (String::new(), None, Vec::new());
        Self { heading: heading.into(), text, chart, table: Some(table), boards, is_detail: false }
    }
}

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// Its parts.
    pub sections: Vec<Section>,
}

impl Document {
    /// The report of a run.
    pub fn of_run(summary: &Summary) -> Self {
        let mut sections = vec![overview(summary), curve(&[summary]), by_collection(summary)];
        let slowest = summary.slowest(MOST);
        if !slowest.is_empty() {
            sections.push(Section::new("Slowest", results_table(summary, &slowest)));
        }
        sections.extend(against_best(summary));
        sections.extend(unsolved(summary));
        let all: Vec<_> = summary.results.iter().collect();
        sections.push(Section { is_detail: true, ..Section::new("All levels", results_table(summary, &all)) });
        Self { title: format!("Run {}", summary.run.run.name), sections }
    }

    /// The report of two runs.
    pub fn of_comparison(comparison: &Comparison<'_>) -> Self {
        let (a, b) = (&comparison.a.run.run, &comparison.b.run.run);
        let rows = comparison.questions().into_iter().map(|(question, better, worse)| {
            vec![question.to_owned(), better.to_string(), worse.to_string(), probability(sign_test(better, worse))]
        });
        let table = Table::of("question|>better|>worse|>sign test p", rows.collect());
        let mut sections = vec![Section {
            text: format!(
                "{} levels are in both runs; better and worse are those of {} (lurd {}) against {} (lurd {}). Times count \
                 as different from a tenth and 0.05 s on. A small p says that chance alone would hardly split them so.",
                comparison.pairs.len(),
                b.name,
                b.version,
                a.name,
                a.version
            ),
            ..Section::new("In short", table)
        }];
        sections.push(curve(&[comparison.a, comparison.b]));
        for (heading, pairs) in [
            ("Won", comparison.won()),
            ("Lost", comparison.lost()),
            ("Faster", comparison.faster()),
            ("Slower", comparison.slower()),
            ("Shorter", comparison.shorter()),
            ("Longer", comparison.longer()),
        ] {
            if !pairs.is_empty() {
                sections.push(pairs_section(heading, pairs));
            }
        }
        Self { title: format!("{} against {}", b.name, a.name), sections }
    }
}

fn overview(summary: &Summary) -> Section {
    let (run, options) = (&summary.run, &summary.options);
    let seconds = |limit: &Option<f64>| limit.map_or_else(|| "no limit".to_owned(), |limit| format!("{limit} s"));
    let ladder: Vec<String> = options.ladder.iter().map(seconds).collect();
    let mut rows = vec![
        vec!["solved".to_owned(), summary.count(JobEnd::Solved).to_string()],
        vec!["proved unsolvable".to_owned(), summary.count(JobEnd::Unsolvable).to_string()],
        vec!["open".to_owned(), summary.count(JobEnd::Open).to_string()],
        vec!["failed".to_owned(), summary.count(JobEnd::Failed).to_string()],
        vec!["not tried yet".to_owned(), summary.untried().to_string()],
        vec!["levels".to_owned(), summary.results.len().to_string()],
        vec!["different levels".to_owned(), summary.different().to_string()],
        vec!["goal".to_owned(), options.request.goal.to_string()],
        vec!["time limits".to_owned(), ladder.join(", then ")],
    ];
    for (name, _) in options.request.changed().filter(|(name, _)| *name != "goal") {
        rows.push(vec![name.replace('_', " "), options.request.words(name)]);
    }
    rows.push(vec!["program".to_owned(), format!("lurd {}", run.run.version)]);
    rows.push(vec!["begun".to_owned(), format!("{} on {}", date(run.created), run.run.machine)]);
    rows.push(vec!["ended".to_owned(), run.ended.map_or_else(|| "not yet".to_owned(), date)]);
    Section::new("Overview", Table::of("what|value", rows))
}

/// Levels solved within a time, as a chart and as a table.
fn curve(summaries: &[&Summary]) -> Section {
    let series: Vec<Series> = summaries
        .iter()
        .map(|summary| Series { name: summary.run.run.name.clone(), seconds: summary.solved_by_time() })
        .collect();
    let times = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0, 300.0, 600.0, 3600.0];
    let last = series.iter().filter_map(|series| series.seconds.last()).copied().fold(0.0, f64::max);
    let end = times.iter().position(|&time| time >= last).unwrap_or(times.len() - 1);
    let within = |series: &Series, time: f64| series.seconds.partition_point(|&seconds| seconds <= time).to_string();
    let rows = times[..=end]
        .iter()
        .map(|&time| [vec![format!("{time} s")], series.iter().map(|series| within(series, time)).collect()].concat());
    let columns = if series.len() == 1 { ">within|>solved" } else { ">within|>first run|>second run" };
    let table = Table::of(columns, rows.collect());
    let levels = summaries.iter().map(|summary| summary.results.len()).max().unwrap_or(0);
    Section { chart: Some(Chart { series, levels }), ..Section::new("Solved by time", table) }
}

fn by_collection(summary: &Summary) -> Section {
    let rows = summary.collections().into_iter().map(|collection| {
        let [solved, unsolvable, open, failed] = collection.counts.map(|count| count.to_string());
        vec![
            collection.name,
            collection.levels.to_string(),
            solved,
            unsolvable,
            open,
            failed,
            collection.best.to_string(),
            collection.lengths.0.to_string(),
            collection.lengths.1.to_string(),
            seconds(collection.seconds),
        ]
    });
    let columns = "collection|>levels|>solved|>unsolvable|>open|>failed|>as short as known|>pushes|>moves|>time";
    Section::new("By collection", Table::of(columns, rows.collect()))
}

fn results_table(summary: &Summary, results: &[&EntryResult]) -> Table {
    // A column of nothing would only make the table wide.
    let has_reasons = results.iter().any(|result| result.reason.is_some());
    let rows = results.iter().map(|result| {
        let (_, best, bound) = summary.lengths(result);
        let mut row = vec![
            result.label(),
            result.end.map_or("not tried", JobEnd::name).to_owned(),
            optional(result.pushes),
            optional(result.moves),
            optional(best),
            optional(bound),
            seconds(result.seconds),
        ];
        row.extend(has_reasons.then(|| result.reason.clone().unwrap_or_default()));
        row
    });
    let columns = if has_reasons {
        "level|result|>pushes|>moves|>best known|>bound|>time|reason"
    } else {
        "level|result|>pushes|>moves|>best known|>bound|>time"
    };
    let levels = results.iter().map(|result| result.entry.key).collect();
    Table { columns, rows: rows.collect(), levels }
}

/// The solutions that are longer than the best known.
fn against_best(summary: &Summary) -> Option<Section> {
    let gap = |result: &&EntryResult| match summary.lengths(result) {
        (Some(length), Some(best), _) => length.saturating_sub(best),
        _ => 0,
    };
    let known = summary.results.iter().filter(|result| result.end == Some(JobEnd::Solved)).count();
    let mut longer: Vec<&EntryResult> = summary.results.iter().filter(|result| gap(result) > 0).collect();
    if known == 0 {
        return None;
    }
    let proved = summary
        .results
        .iter()
        .filter(|result| matches!(summary.lengths(result), (Some(length), _, Some(bound)) if bound >= length));
    let count = if summary.by_moves() { "moves" } else { "pushes" };
    let text = format!(
        "Of {known} solutions {} are as short in {count} as the best known, {} of them proved the shortest; {} are longer.",
        known - longer.len(),
        proved.count(),
        longer.len()
    );
    longer.sort_by_key(|result| std::cmp::Reverse(gap(result)));
    longer.truncate(MOST);
    Some(Section { text, ..Section::new("Against the best known", results_table(summary, &longer)) })
}

/// What is not solved, with pictures.
fn unsolved(summary: &Summary) -> Option<Section> {
    let unsolved = summary.unsolved();
    if unsolved.is_empty() {
        return None;
    }
    let boards = unsolved.iter().take(BOARDS).map(|result| Board {
        map: result.entry.symmetry.inverse().apply(&result.entry.form),
        key: result.entry.key,
        label: result.label(),
        remark: match (result.end, &result.reason) {
            (None, _) => "not tried yet".to_owned(),
            (Some(end), Some(reason)) => format!("{}: {reason}", end.name()),
            (Some(end), None) => end.name().to_owned(),
        },
    });
    let text = match unsolved.len().saturating_sub(BOARDS) {
        0 => String::new(),
        more => format!("The first {BOARDS}; {more} more are in the table of all levels."),
    };
    let boards = boards.collect();
    Some(Section { text, table: None, boards, ..Section::new("Unsolved", Table::of("", Vec::new())) })
}

fn pairs_section(heading: &str, pairs: Vec<Pair<'_>>) -> Section {
    let total = pairs.len();
    let both = |a: String, b: String| format!("{a} -> {b}");
    let end = |result: &EntryResult| result.end.map_or("not tried", JobEnd::name).to_owned();
    let levels = pairs.iter().map(|pair| pair.a.entry.key).collect();
    let rows = pairs.into_iter().map(|Pair { a, b }| {
        vec![
            a.label(),
            both(end(a), end(b)),
            both(seconds(a.seconds), seconds(b.seconds)),
            both(optional(a.pushes), optional(b.pushes)),
            both(optional(a.moves), optional(b.moves)),
        ]
    });
    let table = Table { columns: "level|result|>time|>pushes|>moves", rows: rows.collect(), levels };
    Section::new(format!("{heading} ({total})"), table)
}

fn optional(figure: Option<usize>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string())
}

fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

fn probability(p: f64) -> String {
    if p < 0.0001 { "below 0.0001".to_owned() } else { format!("{p:.4}") }
}
