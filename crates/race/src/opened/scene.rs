//! A position that is expanded: its pulls, and cost, zone and features of each child.
//!
//! Whatever a pull leaves as it is is taken over from the position: the zone if the cell that the box takes does not cut
//! it, the levels of access if no box arrives, and each box's share of the measure of access if no arrival changes.

use crate::opened::access::{Access, LEVELS};
use crate::opened::keys::Keys;
use crate::opened::target::{Target, TargetPairing};
use lurd_level::Direction;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side, Step};
use lurd_rules::dense::corral::CorralRules;
use lurd_rules::dense::set::Set;
use std::sync::Arc;

/// What all searches of a level share.
pub(super) struct Grid<const G: usize> {
    pub(super) board: Arc<DenseBoard>,
    pub(super) plane: Plane<G>,
    pub(super) rules: CorralRules<G>,
    pub(super) keys: Keys,
    /// The eight cells around each, in turn; a wall in place of what is not on the grid.
    rings: Vec<[u16; 8]>,
}

impl<const G: usize> Grid<G> {
    pub(super) fn new(board: &Arc<DenseBoard>) -> Self {
        let plane = board.plane();
        let cells = board.cells();
        let wall = (0..cells).find(|&cell| !plane.floor.contains(cell)).unwrap_or(0) as u16;
        let ring = |cell: usize| {
            let around = [Direction::Up, Direction::Left, Direction::Down, Direction::Right];
            std::array::from_fn(|place| {
                let mut at = plane.shifted(Set::single(cell), around[place / 2]);
                if place % 2 != 0 {
                    at = plane.shifted(at, around[(place / 2 + 1) % 4]);
                }
                at = at.and(plane.floor);
                if at.is_empty() { wall } else { at.lowest() as u16 }
            })
        };
        let rings = (0..cells).map(|cell| if plane.floor.contains(cell) { ring(cell) } else { [wall; 8] }).collect();
        Self { board: Arc::clone(board), plane, rules: CorralRules::new(board), keys: Keys::new(cells), rings }
    }

    /// Whether the neighbours of a cell that belong to a set are connected within the eight cells around it.
    #[inline]
    fn is_joined_around(&self, cell: usize, set: Set<G>) -> bool {
        let ring = &self.rings[cell];
        let mut code = 0;
        for (bit, &cell) in ring.iter().enumerate() {
            code |= usize::from(set.contains(cell.into())) << bit;
        }
        JOINED[code / 64] >> (code % 64) & 1 != 0
    }
}

/// For each set of the eight cells around one, whether all its direct neighbours in the set are connected within the set.
/// The first cell is a direct neighbour, the second a diagonal one, and so on.
const JOINED: [u64; 4] = {
    let mut table = [0; 4];
    let mut code: usize = 0;
    while code < 256 {
        // Arcs of the ring that hold a direct neighbour.
        let mut arcs = 0;
        let mut place = 0;
        while place < 8 {
            let is_in = code >> place & 1 != 0;
            let before = code >> ((place + 7) % 8) & 1 != 0;
            if is_in && !before {
                let mut at = place;
                let mut is_direct = false;
                while code >> (at % 8) & 1 != 0 {
                    is_direct |= at % 2 == 0;
                    at += 1;
                }
                arcs += is_direct as usize;
            }
            place += 1;
        }
        if arcs <= 1 {
            table[code / 64] |= 1 << (code % 64);
        }
        code += 1;
    }
    table
};

/// A pull of a box from a live square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    pub(super) from: u16,
    pub(super) step: Step,
}

/// What queues order positions by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PullFeatures {
    /// The sum over boxes off their targets of what hinders their next pull.
    pub(super) access: u16,
    /// Free cells outside the player's zone.
    pub(super) closed: u16,
    /// Boxes off their targets.
    pub(super) off: u16,
    /// Possible pulls.
    pub(super) pulls: u16,
}

/// A box off its target: where the player stands and what must be free, for each pull that brings it nearer.
#[derive(Clone, Copy, Debug)]
struct Off {
    cell: u16,
    count: u8,
    ways: [(u16, u16); 4],
}

impl Off {
    #[inline]
    fn hindrance<const G: usize>(&self, access: &Access<G>, arrived: &Set<G>) -> u32 {
        let way = |&(reach, clear): &(u16, u16)| {
            (access.level(reach.into()) + u32::from(arrived.contains(clear.into()))).min(LEVELS as u32)
        };
        self.ways[..usize::from(self.count)].iter().map(way).min().unwrap_or(LEVELS as u32)
    }
}

pub(super) struct Scene<const G: usize> {
    pub(super) pairing: TargetPairing,
    pub(super) boxes: Set<G>,
    pub(super) boxes_key: u64,
    pub(super) zone: Set<G>,
    pub(super) pulls: Vec<Pull>,
    arrived: Set<G>,
    /// The target paired with the box on each live square.
    target_of: Vec<u16>,
    access: Access<G>,
    off: Vec<Off>,
    hindrance: u32,
    /// The levels of access after the arrived box on this cell has left it.
    left: Option<(usize, Access<G>)>,
}

impl<const G: usize> Scene<G> {
    pub(super) fn new(grid: &Grid<G>, target: &Target) -> Self {
        Self {
            pairing: TargetPairing::new(target),
            boxes: Set::EMPTY,
            boxes_key: 0,
            zone: Set::EMPTY,
            pulls: Vec::new(),
            arrived: Set::EMPTY,
            target_of: vec![NONE; grid.board.live_count()],
            access: Access::new(&grid.plane, Set::EMPTY, Set::EMPTY),
            off: Vec::new(),
            hindrance: 0,
            left: None,
        }
    }

    /// Places the boxes and the player; the pairing is that of these boxes already.
    pub(super) fn place(&mut self, grid: &Grid<G>, target: &Target, boxes: Set<G>, player: usize) {
        let board = &*grid.board;
        self.boxes = boxes;
        self.boxes_key = boxes.iter().fold(0, |key, cell| key ^ grid.keys.of_box(cell));
        self.zone = grid.plane.zone(grid.plane.floor.without(boxes), player);
        self.pairing.begin();
        self.arrived = Set::EMPTY;
        self.off.clear();
        for (place, &row) in self.pairing.matching.rows.iter().enumerate() {
            let square = board.row_live(row);
            self.target_of[square] = place as u16;
            if target.distance(row, place) == 0 {
                self.arrived.insert(board.cell(square));
            } else {
                self.off.push(off(board, target, square, row, place));
            }
        }
        self.find_pulls(grid);
    }

    /// Prepares the features of children.
    pub(super) fn measure(&mut self, grid: &Grid<G>) {
        self.access = Access::new(&grid.plane, self.arrived, self.zone);
        self.hindrance = self.off.iter().map(|off| off.hindrance(&self.access, &self.arrived)).sum();
        self.left = None;
    }

    fn find_pulls(&mut self, grid: &Grid<G>) {
        let board = &*grid.board;
        self.pulls.clear();
        for cell in self.boxes.and(grid.plane.beside(self.zone)).iter() {
            let from = board.live_at(cell);
            let steps = &board.way(Side::Backward).steps[4 * usize::from(from)..][..4];
            for step in steps.iter().filter(|step| step.to != NONE) {
                if self.zone.contains(step.reach.into()) && !self.boxes.contains(step.clear.into()) {
                    self.pulls.push(Pull { from, step: *step });
                }
            }
        }
    }

    /// The cost of the matching after a pull, or a lower bound if it is higher than before; `None` if a box reaches no
    /// target any more.
    #[inline]
    pub(super) fn cost_after(&mut self, target: &Target, pull: Pull) -> Option<i32> {
        self.pairing.after(target, self.target_of[usize::from(pull.from)].into(), pull.step.row)
    }

    /// The boxes after a pull.
    #[inline]
    pub(super) fn boxes_after(&self, grid: &Grid<G>, pull: Pull) -> Set<G> {
        let mut boxes = self.boxes;
        boxes.remove(grid.board.cell(pull.from.into()));
        boxes.insert(grid.board.cell(pull.step.to.into()));
        boxes
    }

    /// The key of the boxes after a pull.
    #[inline]
    pub(super) fn boxes_key_after(&self, grid: &Grid<G>, pull: Pull) -> u64 {
        let key = |square: u16| grid.keys.of_box(grid.board.cell(square.into()));
        self.boxes_key ^ key(pull.from) ^ key(pull.step.to)
    }

    /// The player's zone after a pull.
    #[inline]
    pub(super) fn zone_after(&self, grid: &Grid<G>, pull: Pull) -> Set<G> {
        let (from, to) = (grid.board.cell(pull.from.into()), grid.board.cell(pull.step.to.into()));
        let free = grid.plane.floor.without(self.boxes_after(grid, pull));
        let mut rest = self.zone;
        rest.remove(to);
        let mut around = rest;
        around.insert(from);
        if !grid.is_joined_around(to, around) {
            return grid.plane.zone(free, pull.step.lands.into());
        }
        if rest.and(grid.plane.beside(Set::single(from))).is_empty() {
            return rest;
        }
        grid.plane.fill(free, around)
    }

    /// What queues order a child by; the position is [measured](Self::measure).
    pub(super) fn features_after(&mut self, grid: &Grid<G>, target: &Target, pull: Pull, zone: Set<G>) -> PullFeatures {
        let (board, plane) = (&*grid.board, &grid.plane);
        let place = usize::from(self.target_of[usize::from(pull.from)]);
        let (from, to) = (board.cell(pull.from.into()), board.cell(pull.step.to.into()));
        let has_left = self.arrived.contains(from);
        let arrives = target.distance(pull.step.row, place) == 0;
        let mut arrived = self.arrived;
        let mut access = self.access;
        if has_left {
            arrived.remove(from);
            access = match self.left {
                Some((cell, access)) if cell == from => access,
                _ => access.grown(plane, arrived, Set::single(from)),
            };
            self.left = Some((from, access));
        }
        if arrives {
            arrived.insert(to);
            access = Access::new(plane, arrived, zone);
        }
        let mut hindrance = if arrives {
            0
        } else {
            off(board, target, pull.step.to.into(), pull.step.row, place).hindrance(&access, &arrived)
        };
        let others = self.off.iter().filter(|off| usize::from(off.cell) != from);
        if has_left || arrives {
            hindrance += others.map(|off| off.hindrance(&access, &arrived)).sum::<u32>();
        } else {
            let own = self.off.iter().find(|off| usize::from(off.cell) == from);
            hindrance += self.hindrance - own.map_or(0, |off| off.hindrance(&access, &arrived));
        }
        let boxes = self.boxes_after(grid, pull);
        let pulls: u32 = Direction::ALL
            .into_iter()
            .map(|direction| {
                let back = direction.opposite();
                let standing = zone.and(plane.shifted(zone, back));
                boxes.and(plane.shifted(standing, back)).len()
            })
            .sum();
        let closed = plane.floor.without(boxes).len() - zone.len();
        let off = self.off.len() + usize::from(has_left) - usize::from(arrives);
        PullFeatures { access: hindrance as u16, closed: closed as u16, off: off as u16, pulls: pulls as u16 }
    }
}

/// A box off its target with the pulls that bring it nearer.
fn off(board: &DenseBoard, target: &Target, square: usize, row: u16, place: usize) -> Off {
    let mut off = Off { cell: board.cell(square) as u16, count: 0, ways: [(0, 0); 4] };
    let distance = target.distance(row, place);
    for step in &board.way(Side::Backward).steps[4 * square..4 * square + 4] {
        if step.to != NONE
            && target.distance(step.row, place) < distance
            && board.row_at(square, step.reach.into()) == row
        {
            off.ways[usize::from(off.count)] = (step.reach, step.clear);
            off.count += 1;
        }
    }
    off
}
