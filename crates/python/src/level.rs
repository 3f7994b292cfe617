//! Levels, and the formats they are read from and written to.

use crate::board::Board;
use crate::errors::Class;
use lurd::formats::{self, Collection, Format};
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A level: its squares, title, author and notes.
///
/// >>> level = lurd.Level("#####\n#@$.#\n#####")
/// >>> level.height, level.width, level.box_count
/// (3, 5, 1)
#[pyclass(frozen, module = "lurd")]
pub(crate) struct Level {
    pub(crate) inner: Arc<lurd::Level>,
}

impl Level {
    pub(crate) fn new(level: lurd::Level) -> Self {
        Self { inner: Arc::new(level) }
    }
}

/// The level that a `Level`, a `Board` or a text stands for.
pub(crate) fn level_of(value: &Bound<'_, PyAny>) -> PyResult<Arc<lurd::Level>> {
    if let Ok(level) = value.cast::<Level>() {
        return Ok(level.get().inner.clone());
    }
    if let Ok(board) = value.cast::<Board>() {
        return Ok(Arc::new(board.get().to_level()));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(Arc::new(single(&text)?));
    }
    let name = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("a level is a lurd.Level, a lurd.Board or a text, and not {name}")))
}

fn single(text: &str) -> PyResult<lurd::Level> {
    let collection = lurd::parse(text).map_err(|error| Class::Level.error(error))?;
    if let Some(defect) = collection.defects.first() {
        return Err(Class::Level.error(defect));
    }
    let count = collection.levels.len();
    match <[lurd::Level; 1]>::try_from(collection.levels) {
        Ok([level]) => Ok(level),
        Err(_) => Err(Class::Level.error(format!("the text has {count} levels; read it with lurd.parse"))),
    }
}

#[pymethods]
impl Level {
    #[new]
    fn py_new(text: &str) -> PyResult<Self> {
        Ok(Self::new(single(text)?))
    }

    /// The title, or None.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.inner.title.as_deref()
    }

    /// The author, or None.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.inner.author.as_deref()
    }

    /// Other lines about the level.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    /// The position in its file, from 1.
    #[getter]
    fn number(&self) -> usize {
        self.inner.number
    }

    /// The rows as XSB text.
    #[getter]
    fn text(&self) -> String {
        self.inner.map.to_string()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.inner.map.height()
    }

    /// Columns.
    #[getter]
    fn width(&self) -> usize {
        self.inner.map.width()
    }

    /// Boxes on the board.
    #[getter]
    fn box_count(&self) -> usize {
        self.inner.map.cells().filter(|(.., cell)| cell.has_box()).count()
    }

    /// The solutions stored with the level, as LURD. They were replayed when the file was read.
    #[getter]
    fn solutions(&self) -> Vec<String> {
        self.inner.games.iter().filter(|game| game.solves).map(|game| game.moves.clone()).collect()
    }

    /// The start position.
    fn board(&self) -> PyResult<Board> {
        Board::of_level(&self.inner)
    }

    /// The squares as numbers: 0 wall, 1 floor, 2 goal, 3 box on goal, 4 box, 5 player, 6 player on goal. Floor outside
    /// the walls is wall.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        Ok(self.board()?.to_array(py))
    }

    /// The level in the normal form under the eight symmetries, without what the player cannot see: two levels are the
    /// same puzzle exactly if these are equal.
    fn canonical(&self) -> Self {
        Self::new(lurd::Level::new(self.inner.map.canonical().0))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let title = self.title().map(|title| format!(" {title:?}")).unwrap_or_default();
        format!("<lurd.Level{title}, {}x{}, {} boxes>", self.height(), self.width(), self.box_count())
    }

    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("lurd._draw")?.call_method1("svg", (self.text(),))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().inner.map == self.inner.map)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.map.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let collection = Collection::new(vec![lurd::Level { games: Vec::new(), ..(*self.inner).clone() }]);
        let text = formats::write(&collection, Format::Xsb).map_err(|error| Class::Level.error(error))?;
        let class = py.import("lurd")?.getattr("Level")?;
        Ok((class, (String::from_utf8_lossy(&text).into_owned(),)))
    }
}

/// Tiles in the numbering of the environments.
pub(crate) fn tiles<'py>(py: Python<'py>, map: &lurd::Map) -> Option<Bound<'py, PyArray2<u8>>> {
    let set = lurd_env::LevelSet::new([map], None).ok()?;
    let tiles: Vec<u8> = set.tiles(0).map(|tile| tile as u8).collect();
    tiles.to_pyarray(py).reshape([map.height(), map.width()]).ok()
}

/// What is in a file: levels, title, author, format, defects and warnings as sentences.
type Read = (Vec<Level>, Option<String>, Option<String>, &'static str, Vec<String>, Vec<String>);

#[pyfunction]
pub(crate) fn read_levels(py: Python<'_>, bytes: &[u8]) -> PyResult<Read> {
    let collection = py.detach(|| lurd::parse(bytes)).map_err(|error| Class::Level.error(error))?;
    Ok((
        collection.levels.into_iter().map(Level::new).collect(),
        collection.title,
        collection.author,
        collection.format.name(),
        collection.defects.iter().map(ToString::to_string).collect(),
        collection.warnings.iter().map(ToString::to_string).collect(),
    ))
}

#[pyfunction]
pub(crate) fn write_levels(levels: &Bound<'_, PyTuple>, format: &str) -> PyResult<Vec<u8>> {
    let format: Format = format.parse().map_err(|sentence: String| Class::Config.error(sentence))?;
    let levels = levels.iter().map(|level| Ok((*level_of(&level)?).clone())).collect::<PyResult<Vec<_>>>()?;
    formats::write(&Collection::new(levels), format).map_err(|error| Class::Level.error(error))
}
