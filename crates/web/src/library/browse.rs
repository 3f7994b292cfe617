//! Levels and collections: looked for with their pictures, looked at, added.

use super::filter::PageOf;
use super::{name, unprocessable};
use crate::api::App;
use crate::error::{Answer, Path, Query, Refused};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use lurd::Symmetry;
use lurd::formats::{self, Format};
use lurd::improve::Metric;
use lurd_library::{
    Bound, CollectionRow, EntryRow, Hit, JobEnd, KeyError, Knowledge, LevelKey, Origin, Palette, Proved, Stats,
    coloured_svg,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Pixels of the longer side of a picture.
const SIDE: usize = 160;

/// Figures of the whole library.
#[derive(Serialize, ToSchema)]
#[schema(as = LibraryFigures)]
pub(super) struct Overview {
    #[serde(flatten)]
    stats: Stats,
    /// The file.
    path: String,
}

/// `GET /library`
pub(super) async fn overview(State(app): State<App>) -> Answer<Overview> {
    let overview = |library: &lurd_library::Library| Ok(library.stats()?);
    let stats = app.ask_library(overview).await?;
    Ok(Json(Overview { stats, path: app.library()?.path.display().to_string() }))
}

/// A level in a list.
#[derive(Serialize, ToSchema)]
#[schema(as = Hit)]
struct HitView {
    key: String,
    /// Which of the eight images of the level its collection draws.
    turn: usize,
    boxes: usize,
    squares: usize,
    best_pushes: Option<usize>,
    best_moves: Option<usize>,
    #[serde(flatten)]
    proved: ProvedView,
    collection: Option<String>,
    number: Option<usize>,
    title: Option<String>,
    grade: Option<u8>,
    /// The level as its collection draws it, as SVG, where pictures are asked for.
    picture: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Proved)]
struct ProvedView {
    fewest_pushes: bool,
    fewest_moves: bool,
    unsolvable: bool,
}

impl From<Proved> for ProvedView {
    fn from(proved: Proved) -> Self {
        let Proved { fewest_pushes, fewest_moves, unsolvable } = proved;
        Self { fewest_pushes, fewest_moves, unsolvable }
    }
}

impl HitView {
    fn new(hit: Hit, palette: Option<&Palette>) -> Self {
        let drawn = hit.symmetry.inverse();
        let picture =
            |palette| coloured_svg(&drawn.apply(&hit.map), SIDE, hit.title.as_deref().unwrap_or("a level"), palette);
        Self {
            picture: palette.map(picture),
            key: hit.key.to_string(),
            turn: number_of(drawn),
            boxes: hit.boxes,
            squares: hit.squares,
            best_pushes: hit.best_pushes,
            best_moves: hit.best_moves,
            proved: hit.proved.into(),
            collection: hit.collection,
            number: hit.number,
            title: hit.title,
            grade: hit.grade,
        }
    }
}

/// The place of a symmetry among the eight.
fn number_of(symmetry: Symmetry) -> usize {
    Symmetry::ALL.iter().position(|&other| other == symmetry).unwrap_or(0)
}

/// A page of levels.
#[derive(Serialize, ToSchema)]
pub(super) struct Found {
    total: usize,
    levels: Vec<HitView>,
}

/// `GET /library/levels`
pub(super) async fn find(State(app): State<App>, Query(page): Query<PageOf>) -> Answer<Found> {
    let palette = page.palette()?;
    let query = page.query()?;
    let found = app.ask_library(move |library| {
        let found = library.find(&query)?;
        let levels = found.hits.into_iter().map(|hit| HitView::new(hit, palette.as_ref())).collect();
        Ok(Found { total: found.total, levels })
    });
    found.await.map(Json)
}

/// Which image of a level is meant.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Turned {
    turn: Option<usize>,
}

fn turned(turn: Option<usize>) -> Result<Symmetry, Refused> {
    let wrong = || unprocessable("turn must lie between 0 and 7: a board has eight images");
    Symmetry::ALL.get(turn.unwrap_or(0)).copied().ok_or_else(wrong)
}

fn no_level() -> Refused {
    Refused::not_found("there is no such level in the library")
}

#[derive(Serialize, ToSchema)]
#[schema(as = Origin)]
struct OriginView {
    finder: String,
    method: String,
    /// In seconds since 1970.
    found: i64,
}

impl From<Origin> for OriginView {
    fn from(Origin { finder, method, found }: Origin) -> Self {
        Self { finder, method, found }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = KnownSolution)]
struct SolutionView {
    lurd: String,
    pushes: usize,
    moves: usize,
    #[serde(flatten)]
    origin: OriginView,
}

#[derive(Serialize, ToSchema)]
#[schema(as = KnownBound)]
struct BoundView {
    value: u32,
    #[serde(flatten)]
    origin: OriginView,
}

impl From<Bound> for BoundView {
    fn from(Bound { value, origin }: Bound) -> Self {
        Self { value, origin: origin.into() }
    }
}

/// The best solution in a count, as a place in the list of solutions, and what is proved about it.
#[derive(Serialize, ToSchema)]
#[schema(as = KnownBest)]
struct BestView {
    solution: Option<usize>,
    proof: String,
    lower_bound: Option<BoundView>,
}

impl BestView {
    fn new(known: &Knowledge, metric: Metric) -> Self {
        let best = known.best(metric);
        Self {
            solution: best.and_then(|best| known.front.iter().position(|solution| solution == best)),
            proof: known.proof(metric).to_string(),
            lower_bound: known.bound(metric).cloned().map(BoundView::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Entry)]
struct EntryView {
    collection: String,
    number: usize,
    title: Option<String>,
    author: Option<String>,
    notes: Vec<String>,
    grade: Option<u8>,
    /// Which of the eight images this collection draws.
    turn: usize,
    /// The level as this collection draws it.
    board: String,
}

impl From<EntryRow> for EntryView {
    fn from(entry: EntryRow) -> Self {
        Self {
            collection: entry.collection,
            number: entry.number,
            title: entry.title,
            author: entry.author,
            notes: entry.notes,
            grade: entry.grade,
            turn: number_of(entry.symmetry.inverse()),
            board: entry.map.to_string(),
        }
    }
}

/// What came of the level in a batch run.
#[derive(Serialize, ToSchema)]
#[schema(as = Tried)]
struct TriedView {
    run: String,
    name: String,
    outcome: JobEnd,
    pushes: Option<usize>,
    moves: Option<usize>,
    seconds: f64,
    reason: Option<String>,
}

/// All that is known of a level.
#[derive(Serialize, ToSchema)]
#[schema(as = LibraryLevel)]
pub(super) struct LevelView {
    key: String,
    turn: usize,
    board: String,
    boxes: usize,
    squares: usize,
    solutions: Vec<SolutionView>,
    pushes: BestView,
    moves: BestView,
    unsolvable: Option<OriginView>,
    entries: Vec<EntryView>,
    runs: Vec<TriedView>,
}

/// `GET /library/levels/{key}`
pub(super) async fn level(
    State(app): State<App>,
    Path(key): Path<String>,
    Query(asked): Query<Turned>,
) -> Answer<LevelView> {
    let key: LevelKey = key.parse().map_err(|error: KeyError| Refused::not_found(error.to_string()))?;
    let asked = asked.turn.map(|turn| turned(Some(turn))).transpose()?;
    let view = app.ask_library(move |library| {
        let entries = library.entries_of(key)?;
        // Where nobody says how, it is drawn as its first collection draws it.
        let first = entries.first().map_or(Symmetry::IDENTITY, |entry| entry.symmetry.inverse());
        let symmetry = asked.unwrap_or(first);
        let (map, known) = library.knowledge_turned(key, symmetry)?.ok_or_else(no_level)?;
        let census = lurd::validity::check(&map).map_err(lurd_library::LibraryError::from)?;
        let results = library.results_of(key)?.into_iter().map(|(run, result)| TriedView {
            run: run.run.token,
            name: run.run.name,
            outcome: result.end,
            pushes: result.pushes,
            moves: result.moves,
            seconds: result.seconds,
            reason: result.reason,
        });
        Ok(LevelView {
            key: key.to_string(),
            turn: number_of(symmetry),
            board: map.to_string(),
            boxes: census.reachable_boxes,
            squares: census.squares,
            pushes: BestView::new(&known, Metric::Pushes),
            moves: BestView::new(&known, Metric::Moves),
            unsolvable: known.unsolvable.map(OriginView::from),
            solutions: known
                .front
                .into_iter()
                .map(|solution| SolutionView {
                    lurd: solution.lurd,
                    pushes: solution.pushes,
                    moves: solution.moves,
                    origin: solution.origin.into(),
                })
                .collect(),
            entries: entries.into_iter().map(EntryView::from).collect(),
            runs: results.collect(),
        })
    });
    view.await.map(Json)
}

#[derive(Serialize, ToSchema)]
#[schema(as = CollectionRow)]
pub(super) struct CollectionView {
    name: String,
    title: Option<String>,
    author: Option<String>,
    source: String,
    /// In seconds since 1970.
    added: i64,
    levels: usize,
    solved: usize,
}

impl From<CollectionRow> for CollectionView {
    fn from(row: CollectionRow) -> Self {
        let CollectionRow { name, title, author, source, added, entries, solved } = row;
        Self { name, title, author, source, added, levels: entries, solved }
    }
}

/// `GET /library/collections`
pub(super) async fn collections(State(app): State<App>) -> Answer<Vec<CollectionView>> {
    let rows = app.ask_library(|library| Ok(library.collections()?)).await?;
    Ok(Json(rows.into_iter().map(CollectionView::from).collect()))
}

/// What a file that is added is called, and how it is read.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Adding {
    /// The collection; the title of the file if left out.
    name: Option<String>,
    /// Where it comes from.
    source: Option<String>,
    /// The name of its format; found by content if left out.
    format: Option<String>,
}

/// What came of adding.
#[derive(Serialize, ToSchema)]
#[schema(as = Added)]
pub(super) struct AddedView {
    /// The name the collection has now.
    name: String,
    levels: usize,
    new_levels: usize,
    /// Solutions of the file that are better than all before.
    new_best: usize,
    /// The library had exactly these levels already, in this collection.
    known: bool,
    /// Why other levels of the file are left out.
    defects: Vec<String>,
}

/// `POST /library/collections`
pub(super) async fn add(
    State(app): State<App>,
    Query(adding): Query<Adding>,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<AddedView>), Refused> {
    let bytes = bytes?;
    let access = app.library()?;
    let added = app.think(move || {
        let format = adding.format.as_deref().filter(|format| !format.is_empty());
        let format = format.map(str::parse::<Format>).transpose().map_err(|error| unprocessable(error.to_string()))?;
        let wanted = adding.name.as_deref().map(|text| name("collection", text)).transpose()?;
        let source = adding.source.as_deref().map(|text| name("source", text)).transpose()?;
        let collection = formats::read(&bytes, format).map_err(|error| unprocessable(error.to_string()))?;
        let titled = collection.title.as_deref().and_then(|title| name("collection", title).ok());
        let wanted = wanted.or(titled).unwrap_or_else(|| "Levels".to_owned());
        let defects = collection.defects.iter().take(100).map(ToString::to_string).collect();
        let mut library = access.write()?;
        // The same levels once more would only be in the way.
        if let Some(name) = library.same_collection(&collection.levels)? {
            let levels = collection.levels.len();
            return Ok(AddedView { name, levels, new_levels: 0, new_best: 0, known: true, defects });
        }
        let added = library.add(&wanted, source.as_deref().unwrap_or("the workbench"), &collection, false)?;
        Ok::<_, Refused>(AddedView {
            name: added.name,
            levels: added.entries,
            new_levels: added.new_levels,
            new_best: added.new_best,
            known: false,
            defects,
        })
    });
    let added = added.await?;
    Ok((if added.known { StatusCode::OK } else { StatusCode::CREATED }, Json(added)))
}
