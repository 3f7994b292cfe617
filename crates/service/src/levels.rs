//! Levels: those on offer, files in any format, and whether a drawing is a level.

use crate::allowance::SQUARES_TOLD;
use crate::{Refusal, RefusalKind};
use lurd::formats::{self, Collection, Format, MAX_SIDE};
use lurd::{Level, Map, SavedGame};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SavedGame)]
struct Game {
    title: String,
    moves: String,
    solves: bool,
}

/// A level with what its file says about it. All of it is text.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Level)]
pub(crate) struct LevelView {
    number: usize,
    title: Option<String>,
    author: Option<String>,
    notes: Vec<String>,
    board: String,
    width: usize,
    height: usize,
    boxes: usize,
    games: Vec<Game>,
}

impl LevelView {
    pub(crate) fn new(level: &Level) -> Self {
        Self {
            number: level.number,
            title: level.title.clone(),
            author: level.author.clone(),
            notes: level.notes.clone(),
            board: level.map.to_string(),
            width: level.map.width(),
            height: level.map.height(),
            boxes: level.map.cells().filter(|(_, _, cell)| cell.has_box()).count(),
            games: level
                .games
                .iter()
                .map(|game| Game { title: game.title.clone(), moves: game.moves.clone(), solves: game.solves })
                .collect(),
        }
    }
}

/// A collection as the page sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Collection)]
pub struct CollectionView {
    title: Option<String>,
    author: Option<String>,
    notes: Vec<String>,
    format: &'static str,
    levels: Vec<LevelView>,
    /// Levels that are too many for one answer.
    left_out: usize,
    /// Why other levels of the file cannot be played.
    defects: Vec<String>,
    warnings: Vec<String>,
}

impl CollectionView {
    fn new(collection: &Collection) -> Self {
        let mut squares = 0;
        let fits = |level: &&Level| {
            squares += level.map.width() * level.map.height();
            squares <= SQUARES_TOLD
        };
        let levels: Vec<LevelView> = collection.levels.iter().take_while(fits).map(LevelView::new).collect();
        Self {
            title: collection.title.clone(),
            author: collection.author.clone(),
            notes: collection.notes.clone(),
            format: collection.format.name(),
            left_out: collection.levels.len() - levels.len(),
            levels,
            defects: collection.defects.iter().take(100).map(ToString::to_string).collect(),
            warnings: collection
                .warnings
                .iter()
                .take(100)
                .map(|warning| format!("{}: {}", warning.place, warning.kind))
                .collect(),
        }
    }
}

/// `/levels`: the levels the host offers.
pub fn offered(levels: &Collection) -> CollectionView {
    CollectionView::new(levels)
}

/// How a file is to be read.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The name of its format; found by content if left out.
    pub format: Option<String>,
    /// Whether walls are put around levels that are open.
    #[serde(default)]
    pub wall_in: bool,
}

/// `/levels/read`: the bytes of a file in any format.
///
/// # Errors
/// When they hold no level.
pub fn read(reading: &Reading, bytes: &[u8]) -> Result<CollectionView, Refusal> {
    let hint = match reading.format.as_deref() {
        None | Some("") => None,
        Some(name) => Some(name.parse::<Format>().map_err(Refusal::unprocessable)?),
    };
    let read = if reading.wall_in { formats::read_and_wall_in } else { formats::read };
    let collection = read(bytes, hint).map_err(Refusal::unprocessable)?;
    Ok(CollectionView::new(&collection))
}

/// A solution to be written, with or without a title.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
enum WrittenSolution {
    Moves(String),
    Titled { title: String, moves: String },
}

/// A level to be written.
#[derive(Deserialize, ToSchema)]
#[schema(as = WrittenLevel)]
#[serde(deny_unknown_fields)]
struct Written {
    board: String,
    title: Option<String>,
    author: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    solutions: Vec<WrittenSolution>,
}

/// Levels, and the format to write them in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Writing {
    format: String,
    levels: Vec<Written>,
}

/// A file of text.
#[derive(Serialize, ToSchema)]
pub struct Text {
    text: String,
    extension: &'static str,
}

/// One line of text: what a title or a note can be in every format.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// `/levels/write`: levels as a file of a format.
///
/// # Errors
/// When the format has no way to say what they hold.
pub fn write(writing: Writing) -> Result<Text, Refusal> {
    let format: Format = writing.format.parse().map_err(Refusal::unprocessable)?;
    let level = |written: &Written| {
        let mut level = Level::new(map(&written.board)?);
        level.title = written.title.as_deref().map(one_line).filter(|title| !title.is_empty());
        level.author = written.author.as_deref().map(one_line).filter(|author| !author.is_empty());
        level.notes = written.notes.iter().map(|note| one_line(note)).filter(|note| !note.is_empty()).collect();
        for solution in &written.solutions {
            let (title, moves) = match solution {
                WrittenSolution::Moves(moves) => ("Solution".to_owned(), moves),
                WrittenSolution::Titled { title, moves } => (one_line(title), moves),
            };
            let moves = lurd::notation::decode(moves).map_err(Refusal::unprocessable)?;
            level.games.push(SavedGame { title, moves: moves.letters, solves: true, ..SavedGame::default() });
        }
        Ok(level)
    };
    let levels: Vec<Level> = writing.levels.iter().map(level).collect::<Result<_, Refusal>>()?;
    let bytes = formats::write(&Collection::new(levels), format).map_err(Refusal::unprocessable)?;
    Ok(Text { text: String::from_utf8_lossy(&bytes).into_owned(), extension: format.extension() })
}

/// A board drawn in XSB. Its sides are limited before anything is made of it.
pub(crate) fn map(board: &str) -> Result<Map, Refusal> {
    let rows = board.lines().count();
    let widest = board.lines().map(str::len).max().unwrap_or(0);
    if rows == 0 || widest == 0 {
        return Err(Refusal::unprocessable("the board is empty; draw at least one row"));
    }
    if rows > MAX_SIDE || widest > MAX_SIDE {
        return Err(Refusal::new(
            RefusalKind::TooLarge,
            format!("the board has {rows} rows of up to {widest} squares; {MAX_SIDE} of each are the most"),
        ));
    }
    Map::from_xsb(board).ok_or_else(|| {
        Refusal::unprocessable("the board holds a character that is no square; use # wall, space, . goal, $ box, * box on goal, @ player, + player on goal")
    })
}

/// A board that can be played.
pub(crate) fn level(board: &str) -> Result<Level, Refusal> {
    let map = map(board)?;
    lurd::validity::check(&map).map_err(Refusal::unprocessable)?;
    Ok(Level::new(map))
}

/// A board that may be a level.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    board: String,
}

/// Whether a drawing is a level.
#[derive(Serialize, ToSchema)]
pub struct Checked {
    playable: bool,
    /// What is wrong.
    flaw: Option<String>,
    /// Where it shows, from 0.
    row: Option<usize>,
    column: Option<usize>,
    boxes: usize,
    goals: usize,
    /// Squares the player can reach.
    squares: usize,
}

/// `/levels/check`: whether a drawing is a level.
///
/// # Errors
/// When it is no board at all.
pub fn check(drawing: Drawing) -> Result<Checked, Refusal> {
    let map = map(&drawing.board)?;
    let count = |wanted: fn(lurd::Cell) -> bool| map.cells().filter(|&(_, _, cell)| wanted(cell)).count();
    let (boxes, goals) = (count(lurd::Cell::has_box), count(lurd::Cell::is_goal));
    let (squares, flaw) = match lurd::validity::check(&map) {
        Ok(census) => (census.squares, None),
        Err(flaw) => (0, Some(flaw)),
    };
    let (row, column) = flaw.as_ref().map(|flaw| (flaw.row, flaw.column)).unzip();
    let flaw = flaw.map(|flaw| flaw.kind.to_string());
    Ok(Checked { playable: flaw.is_none(), flaw, row, column, boxes, goals, squares })
}
