//! The children of a position that may still lie on a solution within the limit.
//!
//! Forwards a child is one push later, backwards one pull earlier. The rules that choose among pushes are for the
//! forward side alone: they keep one shortest solution of several, and each of its positions must be met from
//! behind, whichever it is; so backwards every pull is made.

use crate::excess::Group;
use crate::goal_room::Filled;
use crate::key::Key;
use crate::neighbourhood::Neighbourhood;
use crate::packing::pack;
use crate::scene::{Choice, Scene};
use lurd_level::Direction;
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::frozen_walls::FrozenWalls;
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;

/// What was done, and what cut children.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub expanded: u64,
    pub generated: u64,
    pub dead_set: u64,
    pub bipartite: u64,
    pub freeze: u64,
    pub corral: u64,
    /// Children beyond the limit: with a higher one they might come in.
    pub limit: u64,
    /// Children outside the neighbourhood that is searched.
    pub far: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.dead_set += other.dead_set;
        self.bipartite += other.bipartite;
        self.freeze += other.freeze;
        self.corral += other.corral;
        self.limit += other.limit;
        self.far += other.far;
    }
}

/// One thread's working memory for one side.
pub(crate) struct Expander<const L: usize, const G: usize> {
    side: Side,
    matcher: Matcher,
    matching: Matching,
    /// The goal, or backwards the start square, paired with the box on each live square.
    target_of: Vec<u16>,
    groups: Vec<Group<L>>,
    child_groups: Vec<Group<L>>,
    /// The same for groups on their way to a door.
    to_door: Vec<Group<L>>,
    child_to_door: Vec<Group<L>>,
    pub(crate) walls: FrozenWalls<G>,
    pub(crate) counts: Counts,
}

impl<const L: usize, const G: usize> Expander<L, G> {
    pub(crate) fn new<K: Key>(scene: &Scene<K, L, G>, side: Side) -> Self {
        let board = &scene.board;
        Self {
            side,
            matcher: Matcher::new(board.way(side), board.boxes()),
            matching: Matching::empty(board.boxes()),
            target_of: vec![0; board.live_count()],
            groups: Vec::new(),
            child_groups: Vec::new(),
            to_door: Vec::new(),
            child_to_door: Vec::new(),
            walls: FrozenWalls::new(board),
            counts: Counts::default(),
        }
    }

    /// Adds to `out` the children of a position that need at most `slack` pushes more, as far as is known, and lie in
    /// the neighbourhood if there is one. Returns the key of a solved one.
    pub(crate) fn expand<K: Key>(
        &mut self,
        scene: &Scene<K, L, G>,
        key: K,
        slack: u32,
        near: Option<&Neighbourhood<L>>,
        out: &mut Vec<K>,
    ) -> Option<K> {
        let board = &*scene.board;
        let (side, knowledge) = (self.side, scene.knowledge(self.side));
        let way = board.way(side);
        let (boxes, player) = scene.rank.position::<L>(key);
        let cells = scene.cells(boxes);
        let free = scene.plane.floor.without(cells);
        let zone = scene.plane.zone(free, player);
        self.counts.expanded += 1;
        if side == Side::Forward && scene.options.walls {
            // Asked once a position is expanded, not for each child: mostly nothing is frozen that was not before.
            let frozen = scene.rules.frozen(cells);
            if !frozen.is_empty() {
                match self.walls.bound(board, &scene.plane, frozen, boxes, zone) {
                    Some(bound) if bound <= slack + 1 => {}
                    Some(_) => {
                        self.counts.limit += 1;
                        return None;
                    }
                    None => {
                        self.counts.bipartite += 1;
                        return None;
                    }
                }
            }
        }
        let choice = match side {
            Side::Forward => scene.choice(boxes, cells, zone),
            Side::Backward => Choice::Pushes { boxes: cells, into: scene.plane.floor },
        };
        let (movable, into, only) = match choice {
            Choice::Pushes { boxes, into } => (boxes, into, None),
            Choice::Single(square, direction) => (Set::single(board.cell(square)), scene.plane.floor, Some(direction)),
            Choice::Dead => {
                self.counts.corral += 1;
                return None;
            }
        };
        let rows = boxes.iter().map(|square| board.row_at(square, player));
        if !self.matcher.solve(way, &mut self.matching, rows) {
            return None;
        }
        self.matcher.look_at(&self.matching);
        for (target, &row) in self.matching.rows.iter().enumerate() {
            self.target_of[board.row_live(row)] = target as u16;
        }
        // What the room behind the door is worth, if there is one.
        let filled = match &knowledge.filling {
            Some(filling) => match filling.of_position(board, &scene.plane, boxes, player) {
                Some(filled) => Some((filling, filled)),
                None => {
                    self.counts.dead_set += 1;
                    return None;
                }
            },
            None => None,
        };
        let mut listed = false;
        let mut solved = None;
        for direction in Direction::ALL {
            if only.is_some_and(|only| only != direction) {
                continue;
            }
            let back = direction.opposite();
            let ahead = scene.plane.shifted(free, back);
            let candidates = match side {
                Side::Forward => scene.plane.shifted(zone, direction).and(ahead),
                Side::Backward => scene.plane.shifted(zone, back).and(scene.plane.shifted(ahead, back)),
            };
            for cell in candidates.and(movable).iter() {
                let from = usize::from(board.live_at(cell));
                let step = &way.steps[4 * from + direction as usize];
                if step.to == NONE {
                    continue;
                }
                let to = board.cell(step.to.into());
                if !into.contains(to) {
                    continue;
                }
                self.counts.generated += 1;
                let arrival = usize::from(step.arrival);
                let mut child = boxes;
                child.remove(from);
                let others = child;
                if knowledge.patterns.dead(arrival, others) {
                    self.counts.dead_set += 1;
                    continue;
                }
                // Mostly the prices of the targets tell already that the child needs too much.
                let target = self.target_of[from].into();
                let share = self.matcher.share(way, &self.matching, target);
                if self.matching.total - share + self.matcher.reduced(way, step.row) > slack as i32 {
                    self.counts.limit += 1;
                    continue;
                }
                child.insert(step.to.into());
                if near.is_some_and(|near| !near.holds(child)) {
                    self.counts.far += 1;
                    continue;
                }
                let Some(total) = self.matcher.total_after(way, &self.matching, target, step.row) else {
                    self.counts.bipartite += 1;
                    continue;
                };
                if total > slack as i32 {
                    self.counts.limit += 1;
                    continue;
                }
                let mut by_door = None;
                if let Some((filling, before)) = filled {
                    let rows = (board.row_at(from, player), step.row);
                    let Some(after) = filling.of_push(board, &scene.plane, before, rows, child, step.lands.into())
                    else {
                        self.counts.dead_set += 1;
                        continue;
                    };
                    if after.inside + after.alone > slack {
                        self.counts.limit += 1;
                        continue;
                    }
                    by_door = Some(after);
                }
                if !listed {
                    listed = true;
                    let to_door = knowledge.groups_to_door(board, &scene.plane, boxes, zone, &mut self.to_door);
                    if to_door.and(scene.groups(side, boxes, zone, &mut self.groups)).is_err() {
                        self.counts.dead_set += 1;
                        return None;
                    }
                }
                self.child_groups.clear();
                self.child_groups.extend(self.groups.iter().filter(|group| !group.members.contains(from)));
                if knowledge.groups_of(arrival, others, &mut self.child_groups).is_err() {
                    self.counts.dead_set += 1;
                    continue;
                }
                if let Some(filled) = by_door {
                    let left = slack - filled.inside - filled.alone;
                    self.child_to_door.clear();
                    self.child_to_door.extend(self.to_door.iter().filter(|group| !group.members.contains(from)));
                    if knowledge.groups_to_door_of(arrival, others, &mut self.child_to_door).is_err() {
                        self.counts.dead_set += 1;
                        continue;
                    }
                    if pack(&mut self.child_to_door, left) > left {
                        self.counts.limit += 1;
                        continue;
                    }
                }
                let every = scene.options.check_every;
                if every > 0 && self.counts.generated.is_multiple_of(every) {
                    self.check(scene, child, step.lands.into(), total, by_door);
                }
                let left = slack - total as u32;
                if pack(&mut self.child_groups, left) > left {
                    self.counts.limit += 1;
                    continue;
                }
                let mut taken = cells;
                taken.remove(cell);
                taken.insert(to);
                if side == Side::Forward && scene.rules.is_frozen(taken) {
                    self.counts.freeze += 1;
                    continue;
                }
                let zone = scene.plane.zone(scene.plane.floor.without(taken), step.lands.into());
                let next = scene.rank.key(child, zone.lowest());
                if side == Side::Forward && child == scene.goals {
                    solved = Some(next);
                }
                out.push(next);
            }
        }
        solved
    }

    /// What was carried over from the parent must be what is found anew.
    fn check<K: Key>(&self, scene: &Scene<K, L, G>, boxes: Set<L>, player: usize, total: i32, by_door: Option<Filled>) {
        let board = &*scene.board;
        let way = board.way(self.side);
        let rows = boxes.iter().map(|square| board.row_at(square, player));
        let mut matching = Matching::empty(board.boxes());
        let paired = Matcher::new(way, board.boxes()).solve(way, &mut matching, rows);
        assert!(paired && matching.total == total, "{total} is not {}", matching.total);
        let zone = scene.plane.zone(scene.plane.floor.without(scene.cells(boxes)), player);
        let mut groups = Vec::new();
        let listed = scene.groups(self.side, boxes, zone, &mut groups);
        assert!(listed.is_ok(), "a dead set was missed");
        let sorted = |groups: &[Group<L>]| {
            let mut list: Vec<_> = groups.iter().map(|group| (group.members.0, group.value)).collect();
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(&groups), sorted(&self.child_groups));
        if let Some(filling) = &scene.knowledge(self.side).filling {
            assert_eq!(filling.of_position(board, &scene.plane, boxes, player), by_door);
            let listed = scene.knowledge(self.side).groups_to_door(board, &scene.plane, boxes, zone, &mut groups);
            assert!(listed.is_ok(), "a dead set on the way to the door was missed");
            assert_eq!(sorted(&groups), sorted(&self.child_to_door));
        }
        let key = scene.rank.key(boxes, zone.lowest());
        assert_eq!(scene.rank.position::<L>(key), (boxes, zone.lowest()));
    }
}
