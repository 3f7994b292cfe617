//! A plan: the order in which places are to be filled, with the parkings in between.
//!
//! Read off a backward search, front to back. A step puts a box on its target; the box stays there
//! for good, or until a later step takes it away. "Packed" is the longest prefix of the plan that a
//! position agrees with. From the plan also follows, for each moment, which squares are doomed: a
//! box left there could not reach any place still wanted once the next places are filled.

use lurd_rules::Square;
use lurd_rules::feature::board::{FAR, FeatureBoard, WALL};
use lurd_rules::feature::lone_box::LoneBox;
use lurd_rules::feature::position::Position;
use std::sync::OnceLock;

/// Never.
const NEVER: usize = usize::MAX;

/// Where the box of a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It stands there already.
    Initial,
    /// Any box will do.
    Pool,
    /// The box parked on this square.
    Parked(Square),
}

/// One place to fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) source: Source,
    pub(super) target: Square,
    /// The step that takes the box away again.
    pub(super) until: usize,
}

/// The order in which places are to be filled.
#[derive(Debug)]
pub(super) struct Plan {
    steps: Vec<Step>,
    initial: usize,
    mandatory: usize,
    named: Vec<bool>,
    doomed: Vec<Vec<bool>>,
    away: Vec<OnceLock<Vec<u16>>>,
}

impl Plan {
    /// Whether two plans say the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.steps == other.steps
    }

    /// A plan from raw steps (source and target, in the order of play).
    pub(super) fn new(board: &FeatureBoard, mut steps: Vec<Step>) -> Self {
        if !steps.iter().any(|step| step.source == Source::Pool) {
            // Nothing was ever taken off the board: where boxes waited in between means nothing.
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
        // Boxes that are never touched come first.
        steps.sort_by_key(|step| match (step.source, step.until) {
            (Source::Initial, NEVER) => 0,
            (Source::Initial, _) => 1,
            _ => 2,
        });
        link(&mut steps);
        let initial = steps.iter().filter(|step| step.source == Source::Initial).count();
        let mandatory = steps.iter().filter(|step| step.source == Source::Initial && step.until == NEVER).count();
        let mut named = vec![false; board.len() + 1];
        for step in &steps {
            named[usize::from(step.target)] = true;
        }
        let doomed = doomed(board, &steps);
        let away = (0..doomed.len()).map(|_| OnceLock::new()).collect();
        Self { steps, initial, mandatory, named, doomed, away }
    }

    /// Whether the plan names a square.
    #[inline]
    pub(super) fn names(&self, square: Square) -> bool {
        self.named[usize::from(square)]
    }

    /// How far a position agrees with the plan, and whether the first places are in order.
    pub(super) fn packed(&self, has_box: impl Fn(Square) -> bool) -> usize {
        let filled = self.steps[..self.mandatory].iter().filter(|step| has_box(step.target)).count();
        if filled < self.mandatory {
            return filled;
        }
        let mut prefix = self.steps.len();
        for number in (self.initial..self.steps.len()).rev() {
            let step = &self.steps[number];
            if (step.until == NEVER || step.until >= prefix) && !has_box(step.target) {
                prefix = number;
            }
        }
        let missing = self.steps[self.mandatory..self.initial]
            .iter()
            .filter(|step| step.until >= prefix && !has_box(step.target))
            .count();
        prefix.saturating_sub(missing)
    }

    /// How many steps there are.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Most boxes that stand where the plan has them at one and the same moment.
    pub(super) fn overlap(&self, has_box: impl Fn(Square) -> bool) -> usize {
        let mut standing = 0;
        let mut most = 0;
        for step in &self.steps {
            standing += usize::from(has_box(step.target));
            if let Source::Parked(from) = step.source {
                standing -= usize::from(has_box(from) && standing > 0);
            }
            most = most.max(standing);
        }
        most
    }

    /// The place to fill next.
    pub(super) fn next_target(&self, packed: usize, has_box: impl Fn(Square) -> bool) -> Option<Square> {
        self.steps.get(packed).map(|step| step.target).filter(|&target| !has_box(target))
    }

    /// The squares that boxes must leave at this moment.
    pub(super) fn doomed(&self, packed: usize) -> &[bool] {
        &self.doomed[packed.min(self.doomed.len() - 1)]
    }

    /// How far, in pushes, each square is away from what is doomed.
    pub(super) fn away_from_doomed(&self, board: &FeatureBoard, packed: usize) -> &[u16] {
        let moment = packed.min(self.doomed.len() - 1);
        self.away[moment].get_or_init(|| {
            let walls = self.walls(board, moment);
            let squares: Vec<Square> =
                (0..board.len() as Square).filter(|&square| self.doomed[moment][usize::from(square)]).collect();
            LoneBox::new(board, &walls).distances_from(board, &squares)
        })
    }

    fn walls(&self, board: &FeatureBoard, moment: usize) -> Vec<u8> {
        let mut walls = board.bare().to_vec();
        for step in &self.steps[..moment.min(self.steps.len())] {
            if step.until == NEVER {
                walls[usize::from(step.target)] = WALL;
            }
        }
        walls
    }
}

/// Sets for each step when its box is taken away again.
fn link(steps: &mut [Step]) {
    for number in 0..steps.len() {
        let target = steps[number].target;
        steps[number].until =
            (number + 1..steps.len()).find(|&later| steps[later].source == Source::Parked(target)).unwrap_or(NEVER);
    }
}

/// Joins steps that move the same box twice in a row.
fn merge(steps: &mut Vec<Step>) {
    let mut merged: Vec<Step> = Vec::with_capacity(steps.len());
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

fn doomed(board: &FeatureBoard, steps: &[Step]) -> Vec<Vec<bool>> {
    let count = board.len();
    let mut raw: Vec<Vec<bool>> = Vec::with_capacity(steps.len() + 1);
    let mut walls = board.bare().to_vec();
    for (number, step) in steps.iter().enumerate() {
        if step.until == NEVER {
            walls[usize::from(step.target)] = WALL;
        }
        if number + 2 >= steps.len() {
            raw.push(vec![false; count + 1]);
            continue;
        }
        let wanted: Vec<Square> = steps[number + 1..].iter().map(|step| step.target).collect();
        let distances = LoneBox::new(board, &walls).distances_to(board, &wanted);
        raw.push(
            (0..=count)
                .map(|square| walls[square] == 0 && !board.is_dead(square as Square) && distances[square] == FAR)
                .collect(),
        );
    }
    raw.push(vec![false; count + 1]);
    // Boxes have to leave before the door closes: what is doomed at the next change counts from the last one.
    let mut shifted = raw.clone();
    let useful = steps.len().saturating_sub(2);
    let mut number = useful;
    let mut coming: Option<usize> = None;
    while number > 0 {
        number -= 1;
        if number + 1 < useful && raw[number] != raw[number + 1] {
            coming = Some(number + 1);
        }
        if let Some(change) = coming {
            shifted[number] = raw[change].clone();
        }
    }
    shifted
}

/// A position's boxes, asked square by square.
pub(super) fn boxes_of(position: &Position) -> impl Fn(Square) -> bool + '_ {
    |square| position.has_box(square)
}
