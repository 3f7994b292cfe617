//! Corral search: can an area the player is shut out of ever be opened?
//!
//! Only the boxes around the area stay on the board; all others are taken away, which can only make
//! things easier. If then no sequence of pushes joins all regions or brings every box to a goal, the position
//! is dead, whatever the other boxes do. A box that can leave the neighbourhood is taken away too ([`crate::feature::subproblem`]). The
//! search is short, its verdicts are kept, and a question that was too hard gets more work when it has come back often
//! enough.

use crate::feature::articulation::Articulation;
use crate::feature::board::{BOX, FeatureBoard, WALL, ring};
use crate::feature::position::Position;
use crate::feature::subproblem::{Ending, LocalGoal, LocalPlaces, LocalSearch, LocalState, Subproblem};
use crate::{KeyHasher, Square};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// Positions expanded the first time a question is asked.
const FIRST_BUDGET: u32 = 50;
/// Times a question must come back before it gets more work, doubled each time.
const PATIENCE: u32 = 128;
/// Positions expanded for one question at most; then it is left open.
const MOST_BUDGET: u32 = 4096;
/// Verdicts kept at most.
const MOST_VERDICTS: usize = 1 << 20;
/// Pens kept at most; then all are forgotten and made anew as needed.
const MOST_PENS: usize = 1024;

/// What is known of a corral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Dead,
    Open,
    /// Too hard so far; how often it was asked.
    Unknown(u32),
}

type ByKey<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// Searches corrals and remembers what it found.
#[derive(Debug)]
pub struct CorralSearch {
    verdicts: ByKey<Verdict>,
    /// Pens by the key of their area; none where it is too large.
    pens: ByKey<Option<Arc<Subproblem>>>,
    search: LocalSearch,
    /// The squares of each region but the player's.
    areas: Vec<Vec<Square>>,
    /// The cluster of each region, named by one of them.
    cluster: Vec<usize>,
}

/// A corral that can never be opened: its pen, its boxes and the player.
#[derive(Clone, Debug)]
pub struct DeadCorral {
    pub pen: Arc<Subproblem>,
    pub at: LocalState,
    /// Those of its boxes that are walls.
    fixed: LocalPlaces,
    /// Whether this was not known before.
    pub is_new: bool,
}

impl Default for CorralSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl CorralSearch {
    pub fn new() -> Self {
        Self {
            verdicts: ByKey::default(),
            pens: ByKey::default(),
            search: LocalSearch::default(),
            areas: Vec::new(),
            cluster: Vec::new(),
        }
    }

    /// Bytes the verdicts and the pens hold.
    pub fn bytes(&self) -> usize {
        let pen = self.pens.values().flatten().next().map_or(0, |pen| pen.bytes());
        self.verdicts.capacity() * (size_of::<(u64, Verdict)>() + 1) * 8 / 7 + self.pens.len() * pen
    }

    /// Positions expanded in all small searches.
    pub fn expanded(&self) -> u64 {
        self.search.expanded
    }

    /// Some area the player is shut out of that can never be opened, with work left in it. Frozen boxes are marked
    /// as walls in the position; `survey` tells its regions.
    pub fn find_dead(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
    ) -> Option<DeadCorral> {
        let regions = survey.regions();
        if regions < 2 {
            return None;
        }
        let own = survey.region(position.player);
        self.areas.iter_mut().for_each(Vec::clear);
        if self.areas.len() < regions {
            self.areas.resize(regions, Vec::new());
        }
        for square in (0..board.len() as Square).filter(|&square| survey.is_free(square)) {
            let region = survey.region(square);
            if region != own {
                self.areas[region].push(square);
            }
        }
        for region in (0..regions).filter(|&region| region != own) {
            let key = survey.zone_of(self.areas[region][0]);
            if let Some(dead) = self.look(board, position, region, key) {
                return Some(dead);
            }
        }
        self.look_at_clusters(board, position, survey, own)
    }

    /// Regions that touch a common box, taken together: a row of cells along a diagonal can only be opened from one
    /// end to the other, and no single cell tells.
    fn look_at_clusters(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
        own: usize,
    ) -> Option<DeadCorral> {
        self.cluster.clear();
        self.cluster.extend(0..survey.regions());
        let mut joined = false;
        for &square in &position.boxes {
            let mut first = None;
            for &side in board.neighbours(square) {
                if !survey.is_free(side) || survey.region(side) == own {
                    continue;
                }
                let of = self.cluster[survey.region(side)];
                let into = *first.get_or_insert(of);
                if of != into {
                    joined = true;
                    self.cluster.iter_mut().filter(|cluster| **cluster == of).for_each(|cluster| *cluster = into);
                }
            }
        }
        if !joined {
            return None;
        }
        for region in 0..survey.regions() {
            let members = (0..survey.regions()).filter(|&other| self.cluster[other] == region && other != own);
            if members.clone().count() < 2 {
                continue;
            }
            let mut key = 0;
            let mut area = std::mem::take(&mut self.areas[region]);
            for member in members {
                if member != region {
                    area.extend_from_slice(&self.areas[member]);
                }
            }
            for &square in &area {
                key ^= board.zone_key(square);
            }
            self.areas[region] = area;
            if let Some(dead) = self.look(board, position, region, key) {
                return Some(dead);
            }
        }
        None
    }

    /// Searches a corral again whose verdict was known by its key.
    pub fn confirm(&mut self, corral: &DeadCorral) -> bool {
        let DeadCorral { pen, at, fixed, .. } = corral;
        self.search.run(pen, *at, *fixed, LocalGoal::Opened, MOST_BUDGET) == Ending::Dead
    }

    fn look(&mut self, board: &FeatureBoard, position: &Position, region: usize, area_key: u64) -> Option<DeadCorral> {
        let area = &self.areas[region];
        if self.pens.len() >= MOST_PENS {
            self.pens.clear();
        }
        let pen =
            self.pens.entry(area_key).or_insert_with(|| Subproblem::new(board, around(board, area)).map(Arc::new));
        let pen = Arc::clone(pen.as_ref()?);
        let taken = &position.taken;
        let boxes = pen.filter(|square| taken[usize::from(square)] & BOX != 0);
        let fixed = pen.filter(|square| taken[usize::from(square)] & (BOX | WALL) == BOX | WALL);
        if boxes.count_ones() as usize == position.boxes.len() && boxes.count_ones() > 12 {
            return None;
        }
        if boxes & !pen.goals() == 0 && !area.iter().any(|&square| board.is_goal(square)) {
            return None;
        }
        let at = LocalState { boxes, player: pen.place(position.player) };
        let zone = pen.reach(boxes, at.player).trailing_zeros();
        let key = FeatureBoard::key(area_key ^ pen.key(boxes, fixed), u64::from(zone));
        let budget = match self.verdicts.get_mut(&key) {
            None => FIRST_BUDGET,
            Some(Verdict::Dead) => return Some(DeadCorral { pen, at, fixed, is_new: false }),
            Some(Verdict::Open) => return None,
            Some(Verdict::Unknown(asked)) => {
                *asked += 1;
                if !(PATIENCE..=MOST_BUDGET).contains(asked) || !asked.is_power_of_two() {
                    return None;
                }
                *asked
            }
        };
        let verdict = match self.search.run(&pen, at, fixed, LocalGoal::Opened, budget) {
            Ending::Dead => Verdict::Dead,
            Ending::Open => Verdict::Open,
            Ending::Unknown => Verdict::Unknown(0),
        };
        if self.verdicts.len() >= MOST_VERDICTS {
            self.verdicts.clear();
        }
        let entry = self.verdicts.entry(key).or_insert(verdict);
        if verdict != Verdict::Unknown(0) {
            *entry = verdict;
        }
        (verdict == Verdict::Dead).then_some(DeadCorral { pen, at, fixed, is_new: true })
    }
}

/// An area and all squares around it.
fn around<'a>(board: &'a FeatureBoard, area: &'a [Square]) -> impl Iterator<Item = Square> + 'a {
    let mut inside = vec![false; board.len() + 1];
    for &square in area {
        inside[usize::from(square)] = true;
        ring(board, square).iter().for_each(|&next| inside[usize::from(next)] = true);
    }
    (0..board.len() as Square)
        .filter(move |&square| inside[usize::from(square)] && board.bare()[usize::from(square)] == 0)
}
