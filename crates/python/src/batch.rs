//! Boards that are stepped together, over NumPy buffers.

use crate::config::named;
use crate::errors::Class;
use crate::level::{Level, level_of};
use lurd::Direction;
use lurd_env::{Action, Autoreset, Buffers, LevelSet, Order, Preset, Reward, Rewards, Rooms, Rules, View};
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The rewards and actions of a preset, for Python to change: a dictionary.
#[pyfunction]
pub(crate) fn preset_rules<'py>(py: Python<'py>, preset: &str) -> PyResult<Bound<'py, PyDict>> {
    let preset: Preset = named(preset)?;
    let rules = preset.rules();
    let dict = PyDict::new(py);
    let word = |action: &Action| match action {
        Action::Stay => "stay".to_owned(),
        Action::Go(way) => way.letter(true).to_string(),
        Action::Walk(way) => way.letter(false).to_string(),
    };
    dict.set_item("actions", rules.actions.iter().map(word).collect::<Vec<_>>())?;
    dict.set_item("step", rules.rewards.step)?;
    dict.set_item("box_on_goal", rules.rewards.box_on_goal)?;
    dict.set_item("box_off_goal", rules.rewards.box_off_goal)?;
    dict.set_item("solved", rules.rewards.solved)?;
    dict.set_item("timeout", rules.rewards.timeout)?;
    dict.set_item("first_box_only", rules.rewards.first_box_only)?;
    dict.set_item("counts_from_zero", rules.rewards.counts_from_zero)?;
    dict.set_item("max_steps", rules.max_steps)?;
    dict.set_item("min_steps", rules.min_steps)?;
    dict.set_item("timeout_terminates", rules.timeout_terminates)?;
    dict.set_item("single_precision", preset.single_precision())?;
    dict.set_item("view", preset.name())?;
    Ok(dict)
}

/// Rules as Python gives them: the dictionary of `preset_rules`, changed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GivenRules {
    actions: Vec<String>,
    step: f64,
    box_on_goal: f64,
    box_off_goal: f64,
    solved: f64,
    timeout: f64,
    first_box_only: bool,
    counts_from_zero: bool,
    max_steps: u32,
    min_steps: u32,
    timeout_terminates: bool,
    single_precision: bool,
    view: String,
}

impl GivenRules {
    fn rules(&self) -> PyResult<Rules> {
        let action = |word: &String| {
            let mut letters = word.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => Direction::from_letter(letter)
                    .map(|way| if letter.is_ascii_uppercase() { Action::Go(way) } else { Action::Walk(way) }),
                _ => (word == "stay").then_some(Action::Stay),
            }
            .ok_or_else(|| {
                Class::Config.error(format!("there is no action {word:?}; use stay or a letter of LURDlurd"))
            })
        };
        let rewards = Rewards {
            step: self.step,
            box_on_goal: self.box_on_goal,
            box_off_goal: self.box_off_goal,
            solved: self.solved,
            timeout: self.timeout,
            first_box_only: self.first_box_only,
            counts_from_zero: self.counts_from_zero,
        };
        Ok(Rules {
            actions: self.actions.iter().map(action).collect::<PyResult<_>>()?,
            rewards,
            max_steps: self.max_steps,
            min_steps: self.min_steps,
            timeout_terminates: self.timeout_terminates,
        })
    }

    fn view(&self) -> PyResult<View> {
        if self.view == "grid" { Ok(View::grid()) } else { Ok(named::<Preset>(&self.view)?.view()) }
    }
}

/// Rewards in the precision of the preset.
enum RewardArray {
    Single(Py<PyArray1<f32>>),
    Double(Py<PyArray1<f64>>),
}

/// Boards that are stepped together.
#[pyclass(module = "lurd")]
pub(crate) struct Batch {
    inner: lurd_env::Batch,
    observations: Py<PyArrayDyn<u8>>,
    last_observations: Option<Py<PyArrayDyn<u8>>>,
    rewards: RewardArray,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
}

fn raise(error: lurd_env::BatchError) -> PyErr {
    Class::Config.error(error)
}

/// A buffer of the caller, of the right shape, contiguous and writable; or a new one.
fn buffer<'py>(
    py: Python<'py>,
    given: Option<Bound<'py, PyAny>>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let Some(given) = given else { return Ok(PyArrayDyn::zeros(py, shape, false)) };
    let array = given
        .cast_into::<PyArrayDyn<u8>>()
        .map_err(|_| Class::Config.error("a buffer for observations is a NumPy array of dtype uint8"))?;
    if array.shape() != shape {
        return Err(Class::Config.error(format!(
            "the buffer for observations has shape {:?}, and it must have shape {shape:?}",
            array.shape()
        )));
    }
    if !array.is_c_contiguous() || array.try_readwrite().is_err() {
        return Err(Class::Config.error("the buffer for observations must be contiguous and writable"));
    }
    Ok(array)
}

fn busy(error: impl std::fmt::Display) -> PyErr {
    Class::Config.error(format!("a buffer cannot be written now: {error}"))
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (levels, rules, boards, order, autoreset, threads, size=None, observations=None))]
    #[allow(clippy::too_many_arguments, reason = "they are the arguments of the Python class")]
    fn py_new(
        py: Python<'_>,
        levels: &Bound<'_, PyTuple>,
        rules: GivenRules,
        boards: usize,
        order: &str,
        autoreset: &str,
        threads: usize,
        size: Option<(usize, usize)>,
        observations: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let order = match order {
            "random" => Order::Random,
            "sequential" => Order::Sequential,
            other => return Err(Class::Config.error(format!("an order is random or sequential, and not {other:?}"))),
        };
        let autoreset = match autoreset {
            "next-step" => Autoreset::NextStep,
            "same-step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => {
                let sentence = format!("autoreset is next-step, same-step or disabled, and not {other:?}");
                return Err(Class::Config.error(sentence));
            }
        };
        let levels = levels.iter().map(|level| level_of(&level)).collect::<PyResult<Vec<_>>>()?;
        let set =
            LevelSet::new(levels.iter().map(|level| &level.map), size).map_err(|error| Class::Level.error(error))?;
        let single = rules.single_precision;
        let inner = lurd_env::Batch::new(set, rules.rules()?, rules.view()?, boards, order, autoreset, threads)
            .map_err(raise)?;
        let mut shape = vec![boards];
        shape.extend(inner.view().shape(inner.set().height(), inner.set().width()));
        let observations = buffer(py, observations, &shape)?.unbind();
        let last_observations =
            (autoreset == Autoreset::SameStep).then(|| PyArrayDyn::zeros(py, shape, false).unbind());
        let rewards = if single {
            RewardArray::Single(PyArray1::zeros(py, boards, false).unbind())
        } else {
            RewardArray::Double(PyArray1::zeros(py, boards, false).unbind())
        };
        Ok(Self {
            inner,
            observations,
            last_observations,
            rewards,
            terminated: PyArray1::zeros(py, boards, false).unbind(),
            truncated: PyArray1::zeros(py, boards, false).unbind(),
        })
    }

    /// The observations; every call writes here.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<u8>> {
        self.observations.bind(py).clone()
    }

    /// With autoreset in the same step, the last observations of episodes that ended.
    #[getter]
    fn last_observations<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArrayDyn<u8>>> {
        self.last_observations.as_ref().map(|array| array.bind(py).clone())
    }

    /// The rewards; every call writes here.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.rewards {
            RewardArray::Single(array) => array.bind(py).clone().into_any(),
            RewardArray::Double(array) => array.bind(py).clone().into_any(),
        }
    }

    /// Which episodes ended for good; every call writes here.
    #[getter]
    fn terminated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.terminated.bind(py).clone()
    }

    /// Which episodes ended because they were too long; every call writes here.
    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.truncated.bind(py).clone()
    }

    /// The number of actions.
    #[getter]
    fn action_count(&self) -> usize {
        self.inner.rules().actions.len()
    }

    /// The largest number in an observation.
    #[getter]
    fn highest(&self) -> u8 {
        self.inner.view().highest()
    }

    /// Begins episodes, on the boards of the mask or on all.
    #[pyo3(signature = (seed=None, levels=None, mask=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<u64>,
        levels: Option<Vec<u32>>,
        mask: Option<Vec<bool>>,
    ) -> PyResult<()> {
        self.write(
            py,
            |batch, buffers| batch.reset_some(mask.as_deref(), seed, levels.as_deref(), buffers),
            |batch, buffers| batch.reset_some(mask.as_deref(), seed, levels.as_deref(), buffers),
        )
    }

    /// Makes one action on every board.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_array();
        let copy;
        let actions = match actions.as_slice() {
            Some(slice) => slice,
            None => {
                copy = actions.to_vec();
                &copy
            }
        };
        self.write(py, |batch, buffers| batch.step(actions, buffers), |batch, buffers| batch.step(actions, buffers))
    }

    /// A board as the rows of a level.
    fn text(&self, board: usize) -> PyResult<String> {
        self.known(board)?;
        Ok(self.inner.text(board))
    }

    /// The tiles of all boards: 0 wall, 1 floor, 2 goal, 3 box on goal, 4 box, 5 player, 6 player on goal.
    fn grids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (boards, set) = (self.inner.boards(), self.inner.set());
        let tiles: Vec<u8> = (0..boards).flat_map(|board| self.inner.tiles(board)).map(|tile| tile as u8).collect();
        Ok(tiles.to_pyarray(py).reshape([boards, set.height(), set.width()])?.into_any())
    }

    /// The places in the set of the levels that are played.
    fn levels(&self) -> Vec<usize> {
        (0..self.inner.boards()).map(|board| self.inner.level(board)).collect()
    }

    /// The steps of all boards in their episodes.
    fn steps(&self) -> Vec<u32> {
        (0..self.inner.boards()).map(|board| self.inner.steps(board)).collect()
    }

    /// Whether all boxes of a board are on goals.
    fn is_solved(&self, board: usize) -> PyResult<bool> {
        self.known(board)?;
        Ok(self.inner.is_solved(board))
    }
}

impl Batch {
    fn known(&self, board: usize) -> PyResult<()> {
        let boards = self.inner.boards();
        if board < boards {
            return Ok(());
        }
        Err(Class::Config.error(format!("there is no board {board}; boards are 0 to {}", boards - 1)))
    }

    /// Lends the buffers to the batch and works without the interpreter's lock.
    fn write(
        &mut self,
        py: Python<'_>,
        single: impl FnOnce(&mut lurd_env::Batch, &mut Buffers<'_, f32>) -> Result<(), lurd_env::BatchError> + Send,
        double: impl FnOnce(&mut lurd_env::Batch, &mut Buffers<'_, f64>) -> Result<(), lurd_env::BatchError> + Send,
    ) -> PyResult<()> {
        let Self { inner, observations, last_observations, rewards, terminated, truncated } = self;
        let mut observations = observations.bind(py).try_readwrite().map_err(busy)?;
        let mut terminated = terminated.bind(py).try_readwrite().map_err(busy)?;
        let mut truncated = truncated.bind(py).try_readwrite().map_err(busy)?;
        let mut last = match last_observations {
            Some(last) => Some(last.bind(py).try_readwrite().map_err(busy)?),
            None => None,
        };
        let observations = observations.as_slice_mut()?;
        let (terminated, truncated) = (terminated.as_slice_mut()?, truncated.as_slice_mut()?);
        let last_observations = match &mut last {
            Some(last) => Some(last.as_slice_mut()?),
            None => None,
        };
        match rewards {
            RewardArray::Single(rewards) => {
                let mut rewards = rewards.bind(py).try_readwrite().map_err(busy)?;
                let rewards = rewards.as_slice_mut()?;
                lent(py, inner, Buffers { observations, rewards, terminated, truncated, last_observations }, single)
            }
            RewardArray::Double(rewards) => {
                let mut rewards = rewards.bind(py).try_readwrite().map_err(busy)?;
                let rewards = rewards.as_slice_mut()?;
                lent(py, inner, Buffers { observations, rewards, terminated, truncated, last_observations }, double)
            }
        }
    }
}

fn lent<R: Reward + Element>(
    py: Python<'_>,
    batch: &mut lurd_env::Batch,
    mut buffers: Buffers<'_, R>,
    work: impl FnOnce(&mut lurd_env::Batch, &mut Buffers<'_, R>) -> Result<(), lurd_env::BatchError> + Send,
) -> PyResult<()> {
    py.detach(|| work(batch, &mut buffers)).map_err(raise)
}

/// Makes rooms like those of gym-sokoban, each with a solution.
#[pyfunction]
pub(crate) fn generate_rooms(
    py: Python<'_>,
    count: usize,
    size: (usize, usize),
    boxes: usize,
    seed: u64,
) -> PyResult<Vec<Level>> {
    let mut rooms = Rooms::new(size.0, size.1, boxes, seed).map_err(|error| Class::Config.error(error))?;
    let mut levels = Vec::new();
    for _ in 0..count {
        py.check_signals()?;
        levels.push(Level::new(lurd::Level::new(py.detach(|| rooms.room()))));
    }
    Ok(levels)
}
