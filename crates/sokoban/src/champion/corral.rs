//! Corral search: can an area the player is shut out of ever be opened?
//!
//! Only the boxes around the area stay on the board; all others are taken away, which can only make
//! things easier. If then no sequence of pushes joins all regions or brings every box to a goal, the position
//! is dead, whatever the other boxes do. A box that can leave the neighbourhood is taken away too ([`super::pen`]). The
//! search is short, its verdicts are kept, and a question that was too hard gets more work when it has come back often
//! enough.

use super::ground::{BOX, Ground, WALL};
use super::lift::Lift;
use super::pen::{Ending, Pen, Penned, Places, Search, Wanted};
use super::perimeter::KeyHasher;
use super::position::Position;
use super::rooms::ring;
use crate::square::Square;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// Positions expanded the first time a question is asked.
const FIRST_BUDGET: u32 = 50;
/// Times a question must come back before it gets more work, doubled each time.
const PATIENCE: u32 = 128;
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
pub(super) struct Corrals {
    verdicts: ByKey<Verdict>,
    /// Pens by the key of their area; none where it is too large.
    pens: ByKey<Option<Arc<Pen>>>,
    search: Search,
    /// The squares of each region but the player's.
    areas: Vec<Vec<Square>>,
}

/// A corral that can never be opened: its pen, its boxes and the player.
#[derive(Clone, Debug)]
pub(super) struct DeadCorral {
    pub(super) pen: Arc<Pen>,
    pub(super) at: Penned,
}

impl Corrals {
    pub(super) fn new() -> Self {
        Self { verdicts: ByKey::default(), pens: ByKey::default(), search: Search::default(), areas: Vec::new() }
    }

    /// Bytes the verdicts and the pens hold.
    pub(super) fn bytes(&self) -> usize {
        let pen = self.pens.values().flatten().next().map_or(0, |pen| pen.bytes());
        self.verdicts.capacity() * (size_of::<(u64, Verdict)>() + 1) * 8 / 7 + self.pens.len() * pen
    }

    /// Positions expanded in all small searches.
    pub(super) fn expanded(&self) -> u64 {
        self.search.expanded
    }

    /// Some area the player is shut out of that can never be opened, with work left in it. Frozen boxes are marked
    /// as walls in the position; `survey` tells its regions.
    pub(super) fn find_dead(&mut self, ground: &Ground, position: &Position, survey: &Lift) -> Option<DeadCorral> {
        let regions = survey.regions();
        if regions < 2 {
            return None;
        }
        let own = survey.region(position.player);
        self.areas.iter_mut().for_each(Vec::clear);
        self.areas.resize(self.areas.len().max(regions), Vec::new());
        for square in (0..ground.len() as Square).filter(|&square| survey.is_free(square)) {
            let region = survey.region(square);
            if region != own {
                self.areas[region].push(square);
            }
        }
        (0..regions).filter(|&region| region != own).find_map(|region| self.look(ground, position, survey, region))
    }

    fn look(&mut self, ground: &Ground, position: &Position, survey: &Lift, region: usize) -> Option<DeadCorral> {
        let area = &self.areas[region];
        let area_key = survey.zone_of(area[0]);
        if self.pens.len() >= MOST_PENS {
            self.pens.clear();
        }
        let pen = self.pens.entry(area_key).or_insert_with(|| Pen::new(ground, around(ground, area)).map(Arc::new));
        let pen = Arc::clone(pen.as_ref()?);
        let taken = &position.taken;
        let boxes = pen.filter(|square| taken[usize::from(square)] & BOX != 0);
        let fixed = pen.filter(|square| taken[usize::from(square)] & (BOX | WALL) == BOX | WALL);
        if boxes.count_ones() as usize == position.boxes.len() && boxes.count_ones() > 12 {
            return None;
        }
        if boxes & !pen.goals() == 0 && !area.iter().any(|&square| ground.is_goal(square)) {
            return None;
        }
        let at = Penned { boxes, player: pen.place(position.player) };
        let zone = pen.reach(boxes, at.player).trailing_zeros();
        let key = Ground::key(area_key ^ mixed(boxes) ^ mixed(fixed).rotate_left(23), u64::from(zone));
        let budget = match self.verdicts.get_mut(&key) {
            None => FIRST_BUDGET,
            Some(Verdict::Dead) => return Some(DeadCorral { pen, at }),
            Some(Verdict::Open) => return None,
            Some(Verdict::Unknown(asked)) => {
                *asked += 1;
                if *asked < PATIENCE || !asked.is_power_of_two() {
                    return None;
                }
                *asked
            }
        };
        let verdict = match self.search.run(&pen, at, fixed, Wanted::Opened, budget) {
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
        (verdict == Verdict::Dead).then_some(DeadCorral { pen, at })
    }
}

/// An area and all squares around it.
fn around<'a>(ground: &'a Ground, area: &'a [Square]) -> impl Iterator<Item = Square> + 'a {
    let mut inside = vec![false; ground.len() + 1];
    for &square in area {
        inside[usize::from(square)] = true;
        ring(ground, square).iter().for_each(|&next| inside[usize::from(next)] = true);
    }
    (0..ground.len() as Square)
        .filter(move |&square| inside[usize::from(square)] && ground.bare()[usize::from(square)] == 0)
}

fn mixed(places: Places) -> u64 {
    let (low, high) = (places as u64, (places >> 64) as u64);
    low.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ high.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(17)
}
