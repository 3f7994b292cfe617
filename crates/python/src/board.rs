//! Positions: what can be played, seen and said of them.

use crate::errors::Class;
use crate::level::{Level, level_of, tiles};
use lurd::Budget;
use lurd::distance::Distances;
use lurd::heuristic::Estimator;
use lurd::overlay::Overlay;
use lurd::search::Heuristic;
use lurd::{Bits, Deadlocks, Direction, NO_SQUARE, Square, State, Walker};
use numpy::{Element, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A place on the map, row and column from 0.
pub(crate) type RowColumn = (usize, usize);

/// What all positions of a level share.
pub(crate) struct Compiled {
    pub(crate) board: lurd::Board,
    distances: OnceLock<Distances>,
    /// The place of every square as a Python tuple: heuristics ask for them millions of times.
    places: PyOnceLock<Vec<Py<PyTuple>>>,
}

impl Compiled {
    pub(crate) fn new(board: lurd::Board) -> Arc<Self> {
        Arc::new(Self { board, distances: OnceLock::new(), places: PyOnceLock::new() })
    }

    fn distances(&self) -> &Distances {
        self.distances.get_or_init(|| Deadlocks::distances(&self.board))
    }

    fn places(&self, py: Python<'_>) -> PyResult<&Vec<Py<PyTuple>>> {
        self.places.get_or_try_init(py, || {
            let place = |square| Ok(self.board.place(square).into_pyobject(py)?.unbind());
            self.board.squares().map(place).collect()
        })
    }
}

/// A push: the box's place before it, and the direction as a letter of l, r, u, d.
#[pyclass(frozen, eq, hash, get_all, module = "lurd")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Push {
    row: usize,
    column: usize,
    direction: char,
}

impl Push {
    pub(crate) fn of((row, column): RowColumn, direction: Direction) -> Self {
        Self { row, column, direction: direction.letter(false) }
    }
}

#[pymethods]
impl Push {
    #[new]
    fn py_new(row: usize, column: usize, direction: char) -> PyResult<Self> {
        let way = Direction::from_letter(direction);
        way.map(|way| Self::of((row, column), way))
            .ok_or_else(|| Class::Move.error(format!("{direction:?} is no direction; use l, r, u or d")))
    }

    fn __repr__(&self) -> String {
        format!("Push(row={}, column={}, direction='{}')", self.row, self.column, self.direction)
    }
}

/// Boxes that can never all be brought to goals, and the rule that says so.
#[pyclass(frozen, get_all, module = "lurd")]
pub(crate) struct Deadlock {
    rule: &'static str,
    reason: &'static str,
    boxes: Vec<RowColumn>,
}

#[pymethods]
impl Deadlock {
    fn __repr__(&self) -> String {
        format!("<lurd.Deadlock {}: {}, boxes {:?}>", self.rule, self.reason, self.boxes)
    }
}

/// A position. It never changes: playing gives a new one.
///
/// >>> board = lurd.Level("#######\n#@ $ .#\n#######").board()
/// >>> board.play("rR").is_solved
/// False
/// >>> board.play("rRR").is_solved
/// True
#[pyclass(frozen, module = "lurd")]
pub(crate) struct Board {
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) state: State,
}

impl Board {
    pub(crate) fn of_level(level: &lurd::Level) -> PyResult<Self> {
        let board = lurd::Board::new(&level.map).map_err(|error| Class::Level.error(error))?;
        let state = State::start(&board);
        Ok(Self { compiled: Compiled::new(board), state })
    }

    fn board(&self) -> &lurd::Board {
        &self.compiled.board
    }

    pub(crate) fn picture(&self) -> lurd::Map {
        self.board().picture(&self.state.boxes, self.state.player)
    }

    /// The position as a level, with the title and notes left out.
    pub(crate) fn to_level(&self) -> lurd::Level {
        lurd::Level::new(self.picture())
    }

    fn with(&self, state: State) -> Self {
        Self { compiled: self.compiled.clone(), state }
    }

    fn square(&self, row: usize, column: usize) -> Option<Square> {
        self.board().square_at(row, column)
    }

    /// The position after a step, and whether it pushed.
    fn step(&self, direction: Direction) -> Option<(State, bool)> {
        let mut state = self.state.clone();
        let push = state.step(self.board(), direction)?;
        Some((state, push.is_some()))
    }

    fn overlay(&self) -> PyResult<(lurd::Board, Overlay)> {
        let board = lurd::Board::new(&self.picture()).map_err(|error| Class::Level.error(error))?;
        let overlay = Overlay::new(&board, None, &Budget::unlimited())
            .ok_or_else(|| Class::Internal.error("an overlay without limits was not finished"))?;
        Ok((board, overlay))
    }

    /// An array over the map: `value` for the squares listed, `other` elsewhere.
    fn array<'py, T: Element + Copy>(
        &self,
        py: Python<'py>,
        other: T,
        values: impl IntoIterator<Item = (Square, T)>,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let map = self.board().map();
        let mut all = vec![other; map.height() * map.width()];
        for (square, value) in values {
            let (row, column) = self.board().place(square);
            all[row * map.width() + column] = value;
        }
        all.to_pyarray(py).reshape([map.height(), map.width()])
    }

    fn marks<'py>(&self, py: Python<'py>, squares: &[Square]) -> PyResult<Bound<'py, PyArray2<bool>>> {
        self.array(py, false, squares.iter().map(|&square| (square, true)))
    }

    fn places_of<'py>(&self, py: Python<'py>, squares: impl Iterator<Item = Square>) -> PyResult<Bound<'py, PyTuple>> {
        let places = self.compiled.places(py)?;
        let all: Vec<_> = squares.map(|square| places[usize::from(square)].bind(py)).collect();
        PyTuple::new(py, all)
    }

    fn walker(&self) -> Walker {
        let mut walker = Walker::new(self.board());
        walker.measure(self.board(), &self.state.boxes, self.state.player);
        walker
    }

    /// The squares of the box and of the player before a push that can be made now.
    fn pushed(&self, walker: &Walker, from: Square, direction: Direction) -> bool {
        let board = self.board();
        let (behind, to) = (board.neighbour(from, direction.opposite()), board.neighbour(from, direction));
        let free = |square: Square| square != NO_SQUARE && !self.state.boxes.contains(square);
        self.state.boxes.contains(from) && behind != NO_SQUARE && walker.reached(behind) && free(to)
    }
}

#[pymethods]
impl Board {
    #[new]
    fn py_new(level: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of_level(&*level_of(level)?)
    }

    /// The rows as XSB text.
    #[getter]
    fn text(&self) -> String {
        self.picture().to_string()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.board().map().height()
    }

    /// Columns.
    #[getter]
    fn width(&self) -> usize {
        self.board().map().width()
    }

    /// The player's place: row and column from 0. In positions that a search over pushes shows, a square of its zone.
    #[getter]
    fn player<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(self.compiled.places(py)?[usize::from(self.state.player)].bind(py).clone())
    }

    /// The places of the boxes, in reading order.
    #[getter]
    fn boxes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.places_of(py, self.state.boxes.iter())
    }

    /// The places of the goals, in reading order.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.places_of(py, self.board().goals().iter().copied())
    }

    /// Whether every box is on a goal.
    #[getter]
    fn is_solved(&self) -> bool {
        self.state.boxes.is_subset(self.board().goal_set())
    }

    /// The number of boxes on goals.
    #[getter]
    fn boxes_on_goals(&self) -> usize {
        self.state.boxes.iter().filter(|&square| self.board().is_goal(square)).count()
    }

    /// The letters of the moves that can be made now; capitals push.
    fn moves(&self) -> String {
        let letter = |way: Direction| self.step(way).map(|(_, push)| way.letter(push));
        Direction::ALL.into_iter().filter_map(letter).collect()
    }

    /// The pushes that can be made now, after a walk if need be.
    fn pushes(&self) -> Vec<Push> {
        let walker = self.walker();
        let all = self.state.boxes.iter().flat_map(|from| Direction::ALL.map(|way| (from, way)));
        let can = |&(from, way): &(Square, Direction)| self.pushed(&walker, from, way);
        all.filter(can).map(|(from, way)| Push::of(self.board().place(from), way)).collect()
    }

    /// The position after some moves, given as LURD. The case of the letters does not matter.
    fn play(&self, moves: &str) -> PyResult<Self> {
        let letters = lurd::notation::decode(moves).map_err(|error| Class::Move.error(error))?.letters;
        let mut board = self.with(self.state.clone());
        for (number, letter) in (1..).zip(letters.chars()) {
            let next = Direction::from_letter(letter).and_then(|way| board.step(way));
            let stuck = || Class::Move.error(format!("move {number}, {letter:?}: a wall or a box is in the way"));
            board.state = next.ok_or_else(stuck)?.0;
        }
        Ok(board)
    }

    /// The moves that make a push, the walk before it included.
    fn path(&self, push: &Push) -> PyResult<String> {
        let way = Direction::from_letter(push.direction);
        let from = self.square(push.row, push.column);
        let (Some(way), Some(from)) = (way, from) else {
            return Err(Class::Move.error(format!("{} is outside of the board", push.__repr__())));
        };
        let mut walker = self.walker();
        if !self.pushed(&walker, from, way) {
            return Err(Class::Move.error(format!("{} cannot be made now", push.__repr__())));
        }
        let behind = self.board().neighbour(from, way.opposite());
        let mut path = String::new();
        walker.walk(self.board(), &self.state.boxes, self.state.player, behind, &mut path);
        path.push(way.letter(true));
        Ok(path)
    }

    /// The position after a push, the walk before it included.
    fn push(&self, push: &Push) -> PyResult<Self> {
        self.play(&self.path(push)?)
    }

    /// The position as a level of its own.
    fn level(&self) -> Level {
        Level::new(self.to_level())
    }

    /// The squares as numbers: 0 wall, 1 floor, 2 goal, 3 box on goal, 4 box, 5 player, 6 player on goal. Floor outside
    /// the walls is wall.
    pub(crate) fn to_array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        tiles(py, &self.picture()).unwrap_or_else(|| PyArray2::zeros(py, [self.height(), self.width()], false))
    }

    /// Where the player can walk without a push.
    fn zone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        self.marks(py, self.walker().zone())
    }

    /// The player's steps to each square without a push; -1 where it cannot get.
    fn walk_distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let walker = self.walker();
        self.array(py, -1, walker.zone().iter().map(|&square| (square, i32::from(walker.steps(square)))))
    }

    /// The fewest pushes of a lone box from each square to a goal, or to the nearest; -1 where it cannot get.
    #[pyo3(signature = (goal=None))]
    fn push_distances<'py>(&self, py: Python<'py>, goal: Option<RowColumn>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let goal = match goal {
            Some((row, column)) => {
                let square = self.square(row, column).filter(|&square| self.board().is_goal(square));
                Some(square.ok_or_else(|| Class::Config.error(format!("row {row}, column {column} is no goal")))?)
            }
            None => None,
        };
        let overlay = Overlay::new(self.board(), goal, &Budget::unlimited())
            .ok_or_else(|| Class::Internal.error("an overlay without limits was not finished"))?;
        let known = self.board().squares().zip(overlay.distances);
        self.array(py, -1, known.filter_map(|(square, pushes)| Some((square, i32::from(pushes?)))))
    }

    /// Squares from which a box can never get to a goal.
    fn dead_squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let distances = self.compiled.distances();
        let dead: Vec<Square> = self.board().squares().filter(|&square| distances.is_dead(square)).collect();
        self.marks(py, &dead)
    }

    /// Squares with walls on two opposite sides.
    fn tunnels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let (_, overlay) = self.overlay()?;
        self.marks(py, &overlay.tunnels)
    }

    /// Boxes that can never move again, unless onto a dead square.
    fn frozen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let (_, overlay) = self.overlay()?;
        self.marks(py, &overlay.frozen)
    }

    /// The rooms that tunnels part, numbered from 1; 0 elsewhere.
    fn rooms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (_, overlay) = self.overlay()?;
        let rooms = (1..).zip(overlay.rooms);
        self.array(py, 0, rooms.flat_map(|(number, room)| room.into_iter().map(move |square| (square, number))))
    }

    /// The parts of the floor that the player cannot reach now, numbered from 1; 0 elsewhere.
    fn corrals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (_, overlay) = self.overlay()?;
        let corrals = (1..).zip(overlay.corrals);
        let marks = corrals.flat_map(|(number, corral)| corral.squares.into_iter().map(move |square| (square, number)));
        self.array(py, 0, marks)
    }

    /// Why the position is lost, if a rule sees it. None does not mean that it can be solved.
    fn deadlock(&self) -> PyResult<Option<Deadlock>> {
        let (board, overlay) = self.overlay()?;
        Ok(overlay.deadlock.map(|deadlock| Deadlock {
            rule: deadlock.rule.name(),
            reason: deadlock.rule.about(),
            boxes: deadlock.boxes.iter().map(|&square| board.place(square)).collect(),
        }))
    }

    /// A built-in estimate of the pushes that remain; None where it calls the position dead.
    #[pyo3(signature = (heuristic="matching"))]
    fn estimate(&self, heuristic: &str) -> PyResult<Option<u32>> {
        let name: lurd::EstimateName = heuristic.parse().map_err(|sentence: String| Class::Config.error(sentence))?;
        let (board, distances) = (self.board(), self.compiled.distances());
        let budget = Budget::unlimited();
        let mut estimator = Estimator::new(board, distances, board.goals(), name, None, &budget);
        let space = lurd::formulation::PushSpace::new(board, distances, &[]);
        Ok(estimator.estimate(&space, &self.state))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let home = self.boxes_on_goals();
        format!("<lurd.Board {}x{}, {home} of {} boxes on goals>", self.height(), self.width(), self.state.boxes.len())
    }

    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("lurd._draw")?.call_method1("svg", (self.text(),))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let same_level = Arc::ptr_eq(&self.compiled, &other.compiled);
            if same_level { self.state == other.state } else { self.picture() == other.picture() }
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.picture().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("lurd")?.getattr("Board")?, (self.text(),)))
    }
}

/// The boards of a solution, one after the other.
#[pyclass(module = "lurd")]
pub(crate) struct Boards {
    board: Board,
    letters: std::vec::IntoIter<char>,
    begun: bool,
}

/// The boards from a position on, move by move.
#[pyfunction]
pub(crate) fn boards(start: &Bound<'_, Board>, lurd: &str) -> Boards {
    let start = start.get();
    let letters = lurd.chars().collect::<Vec<_>>().into_iter();
    Boards { board: start.with(start.state.clone()), letters, begun: false }
}

#[pymethods]
impl Boards {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Board> {
        if self.begun {
            let way = Direction::from_letter(self.letters.next()?)?;
            self.board.state = self.board.step(way)?.0;
        }
        self.begun = true;
        Some(self.board.with(self.board.state.clone()))
    }
}

/// The state of a board in a space whose positions differ by pushes: the player on the lowest square of its zone.
pub(crate) fn zone_state(board: &lurd::Board, state: &State) -> State {
    let boxes: Bits = state.boxes.clone();
    let player = Walker::new(board).fill(board, &boxes, state.player);
    State { boxes, player }
}

/// A list of places for Python.
pub(crate) fn place_list<'py>(py: Python<'py>, places: &[lurd::Place]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, places.iter().map(|place| (place.line - 1, place.column - 1)))
}
