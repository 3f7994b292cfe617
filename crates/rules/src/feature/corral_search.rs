//! Corral search (Festival: Shoham and Schaeffer 2020): can a region the player cannot reach ever be opened?
//!
//! Only the boxes around the region stay on the board; removing the others is a relaxation. If no sequence of pushes
//! connects all regions or takes every box to a goal, the position is dead, whatever the other boxes do. A box that can
//! leave the neighbourhood is removed too ([`crate::feature::subproblem`]). The search has a small node limit and its
//! results are cached; an unresolved corral is searched again with a larger limit after it has recurred often enough.

use crate::feature::articulation::Articulation;
use crate::feature::board::{BOX, FeatureBoard, WALL, ring};
use crate::feature::position::Position;
use crate::feature::subproblem::{Ending, LocalGoal, LocalPlaces, LocalSearch, LocalState, Subproblem};
use crate::{ByKey, Square};
use std::sync::Arc;

/// The node limit of the first search of a corral.
const FIRST_BUDGET: u32 = 50;
/// An unresolved corral is searched again after this many queries, and after each doubling of their number, which is
/// then the node limit.
const FIRST_RETRY: u32 = 128;
/// The largest node limit; a corral that is still unresolved counts as open.
const MAX_BUDGET: u32 = 4096;
/// The capacity of the cache of verdicts; a full cache is cleared.
const MAX_VERDICTS: usize = 1 << 20;
/// The capacity of the cache of subproblems; a full cache is cleared.
const MAX_SUBPROBLEMS: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Dead,
    Open,
    /// Unresolved, with the number of queries since.
    Unknown(u32),
}

/// Searches corrals and caches the results.
#[derive(Debug, Default)]
pub struct CorralSearch {
    verdicts: ByKey<Verdict>,
    /// Subproblems by the key of their region; none if it is too large.
    subproblems: ByKey<Option<Arc<Subproblem>>>,
    search: LocalSearch,
    /// The squares of each region except the player's.
    regions: Vec<Vec<Square>>,
    /// The cluster of each region, named by one of its regions.
    cluster: Vec<usize>,
}

/// A corral that can never be opened: its subproblem, boxes and player.
#[derive(Clone, Debug)]
pub struct DeadCorral {
    pub area: Arc<Subproblem>,
    pub state: LocalState,
    /// The boxes that are frozen.
    fixed: LocalPlaces,
    /// Whether the verdict is not from the cache.
    pub is_new: bool,
}

impl CorralSearch {
    pub fn bytes(&self) -> usize {
        let subproblem = self.subproblems.values().flatten().next().map_or(0, |subproblem| subproblem.bytes());
        self.verdicts.capacity() * (size_of::<(u64, Verdict)>() + 1) * 8 / 7 + self.subproblems.len() * subproblem
    }

    /// Positions expanded in all local searches.
    pub fn expanded(&self) -> u64 {
        self.search.expanded
    }

    /// Some unfinished region the player cannot reach that can never be opened. Frozen boxes are marked as walls in the
    /// position; `survey` holds its regions.
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
        self.regions.iter_mut().for_each(Vec::clear);
        if self.regions.len() < regions {
            self.regions.resize(regions, Vec::new());
        }
        for square in (0..board.len() as Square).filter(|&square| survey.is_free(square)) {
            let region = survey.region(square);
            if region != own {
                self.regions[region].push(square);
            }
        }
        for region in (0..regions).filter(|&region| region != own) {
            let key = survey.zone_of(self.regions[region][0]);
            if let Some(dead) = self.query(board, position, region, key) {
                return Some(dead);
            }
        }
        self.query_clusters(board, position, survey, own)
    }

    /// Queries unions of regions that touch a common box: a row of cells along a diagonal can only be opened from one
    /// end to the other, which no single cell shows.
    fn query_clusters(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        survey: &Articulation,
        own: usize,
    ) -> Option<DeadCorral> {
        self.cluster.clear();
        self.cluster.extend(0..survey.regions());
        let mut is_merged = false;
        for &square in &position.boxes {
            let mut first = None;
            for &side in board.neighbours(square) {
                if !survey.is_free(side) || survey.region(side) == own {
                    continue;
                }
                let of = self.cluster[survey.region(side)];
                let into = *first.get_or_insert(of);
                if of != into {
                    is_merged = true;
                    self.cluster.iter_mut().filter(|cluster| **cluster == of).for_each(|cluster| *cluster = into);
                }
            }
        }
        if !is_merged {
            return None;
        }
        for region in 0..survey.regions() {
            let members = (0..survey.regions()).filter(|&other| self.cluster[other] == region && other != own);
            if members.clone().count() < 2 {
                continue;
            }
            let mut union = std::mem::take(&mut self.regions[region]);
            for member in members.filter(|&member| member != region) {
                union.extend_from_slice(&self.regions[member]);
            }
            let key = union.iter().fold(0, |key, &square| key ^ board.zone_key(square));
            self.regions[region] = union;
            if let Some(dead) = self.query(board, position, region, key) {
                return Some(dead);
            }
        }
        None
    }

    /// Searches a corral again whose verdict is from the cache, where it is known by its key alone.
    pub fn confirm(&mut self, corral: &DeadCorral) -> bool {
        let DeadCorral { area, state, fixed, .. } = corral;
        self.search.run(area, *state, *fixed, LocalGoal::Opened, MAX_BUDGET) == Ending::Dead
    }

    fn query(
        &mut self,
        board: &FeatureBoard,
        position: &Position,
        region: usize,
        region_key: u64,
    ) -> Option<DeadCorral> {
        let region = &self.regions[region];
        if self.subproblems.len() >= MAX_SUBPROBLEMS {
            self.subproblems.clear();
        }
        let new = || Subproblem::new(board, around(board, region)).map(Arc::new);
        let area = Arc::clone(self.subproblems.entry(region_key).or_insert_with(new).as_ref()?);
        let taken = &position.taken;
        let boxes = area.filter(|square| taken[usize::from(square)] & BOX != 0);
        let fixed = area.filter(|square| taken[usize::from(square)] & (BOX | WALL) == BOX | WALL);
        if boxes.count_ones() as usize == position.boxes.len() && boxes.count_ones() > 12 {
            return None;
        }
        if boxes & !area.goals() == 0 && !region.iter().any(|&square| board.is_goal(square)) {
            return None;
        }
        let state = LocalState { boxes, player: area.place(position.player) };
        let zone = area.reach(boxes, state.player).trailing_zeros();
        let key = FeatureBoard::key(region_key ^ area.key(boxes, fixed), u64::from(zone));
        let budget = match self.verdicts.get_mut(&key) {
            None => FIRST_BUDGET,
            Some(Verdict::Dead) => return Some(DeadCorral { area, state, fixed, is_new: false }),
            Some(Verdict::Open) => return None,
            Some(Verdict::Unknown(queries)) => {
                *queries += 1;
                if !(FIRST_RETRY..=MAX_BUDGET).contains(queries) || !queries.is_power_of_two() {
                    return None;
                }
                *queries
            }
        };
        let verdict = match self.search.run(&area, state, fixed, LocalGoal::Opened, budget) {
            Ending::Dead => Verdict::Dead,
            Ending::Open => Verdict::Open,
            Ending::Unknown => Verdict::Unknown(0),
        };
        if self.verdicts.len() >= MAX_VERDICTS {
            self.verdicts.clear();
        }
        let entry = self.verdicts.entry(key).or_insert(verdict);
        if verdict != Verdict::Unknown(0) {
            *entry = verdict;
        }
        (verdict == Verdict::Dead).then_some(DeadCorral { area, state, fixed, is_new: true })
    }
}

/// A region and all squares around it.
fn around<'a>(board: &'a FeatureBoard, region: &'a [Square]) -> impl Iterator<Item = Square> + 'a {
    let mut inside = vec![false; board.len() + 1];
    for &square in region {
        inside[usize::from(square)] = true;
        ring(board, square).iter().for_each(|&next| inside[usize::from(next)] = true);
    }
    (0..board.len() as Square)
        .filter(move |&square| inside[usize::from(square)] && board.bare()[usize::from(square)] == 0)
}
