//! The packing plan of FESS (Shoham and Schaeffer 2020): the order in which targets are filled, with parking places.
//!
//! It is read off a backward search. A step puts a box on its target; the box stays there for good, or until a later
//! step takes it away. "Packed" is the longest prefix of the plan that a position agrees with. After each step some
//! squares are out of plan: a box left there could not reach any remaining target once the next ones are filled.

use lurd_rules::Square;
use lurd_rules::bits::marks;
use lurd_rules::feature::board::{FAR, FeatureBoard, WALL};
use lurd_rules::feature::lone_box::LoneBox;
use lurd_rules::feature::position::Position;
use std::sync::OnceLock;

/// The box of a step is never taken away.
const NEVER: usize = usize::MAX;

/// Where the box of a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It is there already.
    Initial,
    /// Any box.
    Pool,
    Parked(Square),
}

/// One target to fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanStep {
    pub(super) source: Source,
    pub(super) target: Square,
    /// The step that takes the box away again.
    pub(super) until: usize,
}

/// The order in which targets are filled.
#[derive(Debug)]
pub(super) struct Plan {
    steps: Vec<PlanStep>,
    /// Steps whose box is there from the start.
    initial: usize,
    /// Initial steps whose box stays for good.
    mandatory: usize,
    is_target: Vec<bool>,
    out_of_plan: Vec<Vec<bool>>,
    /// Distances from the squares out of plan, measured when first asked for.
    distances: Vec<OnceLock<Vec<u16>>>,
}

impl Plan {
    /// Whether two plans have the same steps.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.steps == other.steps
    }

    /// A plan from raw steps (source and target, in the order of play).
    pub(super) fn new(board: &FeatureBoard, mut steps: Vec<PlanStep>) -> Self {
        if !steps.iter().any(|step| step.source == Source::Pool) {
            // No box was removed from the board: where boxes were parked in between means nothing.
            link(&mut steps);
            steps.retain(|step| step.until == NEVER);
            for step in &mut steps {
                if step.source != Source::Initial {
                    step.source = Source::Pool;
                }
            }
        }
        merge(&mut steps);
        link(&mut steps);
        // Boxes that never move come first.
        steps.sort_by_key(|step| match (step.source, step.until) {
            (Source::Initial, NEVER) => 0,
            (Source::Initial, _) => 1,
            _ => 2,
        });
        link(&mut steps);
        let initial = steps.iter().filter(|step| step.source == Source::Initial).count();
        let mandatory = steps.iter().filter(|step| step.source == Source::Initial && step.until == NEVER).count();
        let targets: Vec<Square> = steps.iter().map(|step| step.target).collect();
        let is_target = marks(board.len() + 1, &targets);
        let out_of_plan = out_of_plan(board, &steps);
        let distances = (0..out_of_plan.len()).map(|_| OnceLock::new()).collect();
        Self { steps, initial, mandatory, is_target, out_of_plan, distances }
    }

    #[inline]
    pub(super) fn is_target(&self, square: Square) -> bool {
        self.is_target[usize::from(square)]
    }

    /// The steps that a position agrees with; as long as a mandatory box is missing, the mandatory ones that are there.
    pub(super) fn packed(&self, position: &Position) -> usize {
        let is_filled = |step: &&PlanStep| position.has_box(step.target);
        let filled = self.steps[..self.mandatory].iter().filter(is_filled).count();
        if filled < self.mandatory {
            return filled;
        }
        let mut prefix = self.steps.len();
        for number in (self.initial..self.steps.len()).rev() {
            let step = &self.steps[number];
            if step.until >= prefix && !position.has_box(step.target) {
                prefix = number;
            }
        }
        let missing = self.steps[self.mandatory..self.initial]
            .iter()
            .filter(|step| step.until >= prefix && !position.has_box(step.target))
            .count();
        prefix.saturating_sub(missing)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The most boxes that stand where the plan has them after one and the same step.
    pub(super) fn overlap(&self, position: &Position) -> usize {
        let mut matching = 0;
        let mut most = 0;
        for step in &self.steps {
            matching += usize::from(position.has_box(step.target));
            if let Source::Parked(from) = step.source {
                matching -= usize::from(position.has_box(from) && matching > 0);
            }
            most = most.max(matching);
        }
        most
    }

    pub(super) fn next_target(&self, packed: usize, position: &Position) -> Option<Square> {
        self.steps.get(packed).map(|step| step.target).filter(|&target| !position.has_box(target))
    }

    /// The squares that are out of plan when so many steps are done.
    pub(super) fn out_of_plan(&self, packed: usize) -> &[bool] {
        &self.out_of_plan[packed.min(self.out_of_plan.len() - 1)]
    }

    /// The pushes from the squares out of plan to each square.
    pub(super) fn distances_from_out_of_plan(&self, board: &FeatureBoard, packed: usize) -> &[u16] {
        let step = packed.min(self.out_of_plan.len() - 1);
        self.distances[step].get_or_init(|| {
            let walls = self.walls(board, step);
            let is_out = &self.out_of_plan[step];
            let squares: Vec<Square> =
                (0..board.len() as Square).filter(|&square| is_out[usize::from(square)]).collect();
            LoneBox::new(board, &walls).distances_from(board, &squares)
        })
    }

    /// The walls and the boxes that are in place for good before a step.
    fn walls(&self, board: &FeatureBoard, step: usize) -> Vec<u8> {
        let mut walls = board.bare().to_vec();
        for step in &self.steps[..step.min(self.steps.len())] {
            if step.until == NEVER {
                walls[usize::from(step.target)] = WALL;
            }
        }
        walls
    }
}

/// Sets for each step which later one takes its box away.
fn link(steps: &mut [PlanStep]) {
    for number in 0..steps.len() {
        let target = steps[number].target;
        steps[number].until =
            (number + 1..steps.len()).find(|&later| steps[later].source == Source::Parked(target)).unwrap_or(NEVER);
    }
}

/// Merges steps that move the same box twice in a row.
fn merge(steps: &mut Vec<PlanStep>) {
    let mut merged: Vec<PlanStep> = Vec::with_capacity(steps.len());
    for &step in steps.iter() {
        match merged.last_mut() {
            Some(last) if step.source == Source::Parked(last.target) && last.source != Source::Initial => {
                last.target = step.target;
            }
            _ => merged.push(step),
        }
        if let Some(last) = merged.last()
            && last.source == Source::Parked(last.target)
        {
            merged.pop();
        }
    }
    *steps = merged;
}

/// The squares out of plan for each number of steps done.
fn out_of_plan(board: &FeatureBoard, steps: &[PlanStep]) -> Vec<Vec<bool>> {
    let count = board.len();
    let useful = steps.len().saturating_sub(2);
    let mut raw: Vec<Vec<bool>> = Vec::with_capacity(steps.len() + 1);
    let mut walls = board.bare().to_vec();
    for (number, step) in steps.iter().enumerate().take(useful) {
        if step.until == NEVER {
            walls[usize::from(step.target)] = WALL;
        }
        let remaining: Vec<Square> = steps[number + 1..].iter().map(|step| step.target).collect();
        let distances = LoneBox::new(board, &walls).distances_to(board, &remaining);
        raw.push(
            (0..=count)
                .map(|square| walls[square] == 0 && !board.is_dead(square as Square) && distances[square] == FAR)
                .collect(),
        );
    }
    raw.resize(steps.len() + 1, vec![false; count + 1]);
    // Boxes have to leave before a target closes the way: the set after the next change applies from the last one on.
    let mut shifted = raw.clone();
    let mut coming: Option<usize> = None;
    for number in (0..useful).rev() {
        if number + 1 < useful && raw[number] != raw[number + 1] {
            coming = Some(number + 1);
        }
        if let Some(change) = coming {
            shifted[number] = raw[change].clone();
        }
    }
    shifted
}
