//! What came of a run, and of two: for the page as data, and as the files that `lurd batch report` and `diff` write.

use super::run_routes::found;
use super::unprocessable;
use crate::api::App;
use crate::error::{Answer, Path, Query, Refused};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lurd_batch::{Comparison, Document, Section, Series, Summary, Table, comparison_csv, html, markdown, summary_csv};
use lurd_library::Library;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Rows of one table on the page; files have all.
const ROWS: usize = 200;

/// Points of one line of a chart.
const POINTS: usize = 400;

#[derive(Serialize, ToSchema)]
#[schema(as = CurveLine)]
struct LineView {
    name: String,
    /// Seconds, and levels solved within them; both rise.
    points: Vec<(f64, usize)>,
}

impl LineView {
    /// A line of all points, or of some that are spread evenly where there are very many.
    fn new(series: &Series) -> Self {
        let solved = series.seconds.len();
        let step = solved.div_ceil(POINTS).max(1);
        let at = (0..solved).filter(|&place| (place + 1) % step == 0 || place + 1 == solved);
        Self { name: series.name.clone(), points: at.map(|place| (series.seconds[place], place + 1)).collect() }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Chart)]
struct ChartView {
    levels: usize,
    lines: Vec<LineView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportColumn)]
struct ColumnView {
    name: String,
    /// Whether it holds figures.
    figure: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportTable)]
struct TableView {
    columns: Vec<ColumnView>,
    rows: Vec<Vec<String>>,
    /// The keys of the levels of the rows, where rows are levels.
    levels: Vec<String>,
    /// Rows that are left out.
    more: usize,
}

impl From<Table> for TableView {
    fn from(mut table: Table) -> Self {
        let more = table.rows.len().saturating_sub(ROWS);
        table.rows.truncate(ROWS);
        table.levels.truncate(ROWS);
        let column = |column: &str| ColumnView {
            name: column.trim_start_matches('>').to_owned(),
            figure: column.starts_with('>'),
        };
        Self {
            columns: table.columns.split('|').map(column).collect(),
            rows: table.rows,
            levels: table.levels.iter().map(ToString::to_string).collect(),
            more,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportBoard)]
struct BoardView {
    key: String,
    label: String,
    remark: String,
    board: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportSection)]
struct SectionView {
    heading: String,
    text: String,
    chart: Option<ChartView>,
    table: Option<TableView>,
    boards: Vec<BoardView>,
}

impl From<Section> for SectionView {
    fn from(section: Section) -> Self {
        let chart = section
            .chart
            .as_ref()
            .map(|chart| ChartView { levels: chart.levels, lines: chart.series.iter().map(LineView::new).collect() });
        let boards = section.boards.into_iter().map(|board| BoardView {
            key: board.key.to_string(),
            label: board.label,
            remark: board.remark,
            board: board.map.to_string(),
        });
        Self {
            heading: section.heading,
            text: section.text,
            chart,
            table: section.table.map(TableView::from),
            boards: boards.collect(),
        }
    }
}

/// A report as the page shows it: what only a file has room for is left out.
#[derive(Serialize, ToSchema)]
#[schema(as = Report)]
pub(super) struct ReportView {
    title: String,
    sections: Vec<SectionView>,
}

impl From<Document> for ReportView {
    fn from(document: Document) -> Self {
        let sections = document.sections.into_iter().filter(|section| !section.is_detail);
        Self { title: document.title, sections: sections.map(SectionView::from).collect() }
    }
}

fn summary(library: &Library, id: &str) -> Result<Summary, Refused> {
    Ok(Summary::read(library, &found(library, id)?.run.name)?)
}

/// `GET /library/runs/{id}/report`
pub(super) async fn run(State(app): State<App>, Path(id): Path<String>) -> Answer<ReportView> {
    let document = app.ask_library(move |library| Ok(Document::of_run(&summary(library, &id)?))).await?;
    Ok(Json(document.into()))
}

/// The two runs that are compared, the one before and the one after.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    a: String,
    b: String,
}

/// `GET /library/comparison`
pub(super) async fn comparison(State(app): State<App>, Query(pair): Query<Pair>) -> Answer<ReportView> {
    let document = app.ask_library(move |library| {
        let (a, b) = (summary(library, &pair.a)?, summary(library, &pair.b)?);
        Ok(Document::of_comparison(&Comparison::new(&a, &b)))
    });
    Ok(Json(document.await?.into()))
}

/// A format of a file.
#[derive(Clone, Copy)]
enum Form {
    Html,
    Csv,
    Json,
    Markdown,
}

impl Form {
    fn parse(name: &str) -> Result<Self, Refused> {
        Ok(match name {
            "html" => Self::Html,
            "csv" => Self::Csv,
            "json" => Self::Json,
            "md" => Self::Markdown,
            _ => return Err(unprocessable("a report comes as html, csv, json or md")),
        })
    }

    /// The file, which is saved and never shown under the name of this server: the page's own rules would not fit it.
    fn answer(self, text: String) -> Response {
        let kind = match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
            Self::Markdown => "text/markdown; charset=utf-8",
        };
        // Whoever saves it gives it a name.
        ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, "attachment")], text).into_response()
    }
}

/// `GET /library/runs/{id}/report/{form}`
pub(super) async fn run_file(
    State(app): State<App>,
    Path((id, form)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let form = Form::parse(&form)?;
    let text = app.ask_library(move |library| {
        let summary = summary(library, &id)?;
        Ok(match form {
            Form::Html => html(&Document::of_run(&summary)),
            Form::Markdown => markdown(&Document::of_run(&summary)),
            Form::Csv => summary_csv(&summary),
            Form::Json => format!("{:#}\n", summary.json()),
        })
    });
    Ok(form.answer(text.await?))
}

/// `GET /library/comparison/{form}`
pub(super) async fn comparison_file(
    State(app): State<App>,
    Path(form): Path<String>,
    Query(pair): Query<Pair>,
) -> Result<Response, Refused> {
    let form = Form::parse(&form)?;
    let text = app.ask_library(move |library| {
        let (a, b) = (summary(library, &pair.a)?, summary(library, &pair.b)?);
        let comparison = Comparison::new(&a, &b);
        Ok(match form {
            Form::Html => html(&Document::of_comparison(&comparison)),
            Form::Markdown => markdown(&Document::of_comparison(&comparison)),
            Form::Csv => comparison_csv(&comparison),
            Form::Json => format!("{:#}\n", comparison.json()),
        })
    });
    Ok(form.answer(text.await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_thinned_and_keeps_its_end() {
        let line = |levels: usize| {
            let seconds = (0..levels).map(|place| place as f64).collect();
            LineView::new(&Series { name: "x".into(), seconds }).points
        };
        assert_eq!(line(0), []);
        assert_eq!(line(2), [(0.0, 1), (1.0, 2)]);
        let long = line(100_001);
        assert!(long.len() <= POINTS + 1 && long.last() == Some(&(100_000.0, 100_001)), "{}", long.len());
    }
}
