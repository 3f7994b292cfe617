//! Expansion: the children of a position that may lie on a solution within the push limit.
//!
//! Forwards a child is one push later, backwards one pull earlier. The pruning rules that select among pushes hold for
//! the forward side alone: they keep at least one shortest solution, and each of its positions must be reachable from
//! behind, whichever it is; so backwards every pull is generated.

use crate::goal_room::Filled;
use crate::key::Key;
use crate::model::{Choice, Model};
use crate::neighbourhood::Neighbourhood;
use lurd_base::NodeShare;
use lurd_level::Direction;
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::frozen_walls::FrozenWalls;
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::packing::{Group, pack};

/// Expansions, and children pruned by each rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub expanded: u64,
    pub generated: u64,
    pub dead_set: u64,
    pub bipartite: u64,
    pub freeze: u64,
    pub corral: u64,
    /// Children beyond the push limit; a higher limit may admit them.
    pub limit: u64,
    pub outside_neighbourhood: u64,
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
        self.outside_neighbourhood += other.outside_neighbourhood;
    }
}

/// One thread's working memory for one side.
pub(crate) struct Expander<const L: usize, const G: usize> {
    side: Side,
    matcher: Matcher,
    matching: Matching,
    /// The goal, or backwards the start square, matched with the box on each live square.
    target_of: Vec<u16>,
    groups: Vec<Group<L>>,
    child_groups: Vec<Group<L>>,
    /// The same for groups outside a chokepoint.
    approach_groups: Vec<Group<L>>,
    child_approach_groups: Vec<Group<L>>,
    pub(crate) frozen_walls: FrozenWalls<G>,
    pub(crate) counts: Counts,
}

impl<const L: usize, const G: usize> Expander<L, G> {
    pub(crate) fn new<K: Key>(model: &Model<K, L, G>, side: Side) -> Self {
        let board = &model.board;
        Self {
            side,
            matcher: Matcher::new(board.way(side), board.boxes()),
            matching: Matching::empty(board.boxes()),
            target_of: vec![0; board.live_count()],
            groups: Vec::new(),
            child_groups: Vec::new(),
            approach_groups: Vec::new(),
            child_approach_groups: Vec::new(),
            frozen_walls: FrozenWalls::new(board),
            counts: Counts::default(),
        }
    }

    /// Appends to `out` the children of a position that need at most `slack` more pushes by the bound and lie in the
    /// neighbourhood, if there is one. Returns the key of a solved child. Where the limit on positions is reached, children
    /// are missing.
    pub(crate) fn expand<K: Key>(
        &mut self,
        model: &Model<K, L, G>,
        key: K,
        slack: u32,
        neighbourhood: Option<&Neighbourhood<L>>,
        nodes: &mut NodeShare<'_>,
        out: &mut Vec<K>,
    ) -> Option<K> {
        let board = &*model.board;
        let (side, tables) = (self.side, model.tables(self.side));
        let way = board.way(side);
        let (boxes, player) = model.rank.position::<L>(key);
        let cells = model.cells(boxes);
        let free = model.plane.floor.without(cells);
        let zone = model.plane.zone(free, player);
        self.counts.expanded += 1;
        if side == Side::Forward && model.options.frozen_walls {
            // Computed once for the position, not for each child: a push seldom freezes another box.
            let frozen = model.rules.frozen(cells);
            if !frozen.is_empty() {
                match self.frozen_walls.bound(board, &model.plane, frozen, boxes, zone) {
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
            Side::Forward => model.choice(boxes, cells, zone),
            Side::Backward => Choice::Pushes { boxes: cells, into: model.plane.floor },
        };
        let (movable, into, only) = match choice {
            Choice::Pushes { boxes, into } => (boxes, into, None),
            Choice::Single(square, direction) => (Set::single(board.cell(square)), model.plane.floor, Some(direction)),
            Choice::Dead => {
                self.counts.corral += 1;
                return None;
            }
        };
        let rows = boxes.iter().map(|square| board.row_at(square, player));
        if !self.matcher.solve(way, &mut self.matching, rows) {
            return None;
        }
        let exact_prices = self.matcher.look_at(&self.matching);
        for (target, &row) in self.matching.rows.iter().enumerate() {
            self.target_of[board.row_live(row)] = target as u16;
        }
        // The goal-room bound of the position, if there is a goal room.
        let parent_room = tables.goal_room.as_ref().map(|goal_room| (goal_room, goal_room.of_position(boxes, player)));
        if let Some((_, None)) = parent_room {
            self.counts.dead_set += 1;
            return None;
        }
        let mut listed = false;
        let mut solved = None;
        for direction in Direction::ALL {
            if only.is_some_and(|only| only != direction) {
                continue;
            }
            let back = direction.opposite();
            let ahead = model.plane.shifted(free, back);
            let candidates = match side {
                Side::Forward => model.plane.shifted(zone, direction).and(ahead),
                Side::Backward => model.plane.shifted(zone, back).and(model.plane.shifted(ahead, back)),
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
                if !nodes.take() {
                    return solved;
                }
                self.counts.generated += 1;
                let arrival = usize::from(step.arrival);
                let mut child = boxes;
                child.remove(from);
                let others = child;
                if tables.dead_sets.dead(arrival, others) {
                    self.counts.dead_set += 1;
                    continue;
                }
                // The dual prices of the matching prune most children before their matching is repaired.
                let target = self.target_of[from].into();
                let share = self.matcher.share(way, &self.matching, target);
                if exact_prices && self.matching.total - share + self.matcher.reduced(way, step.row) > slack as i32 {
                    self.counts.limit += 1;
                    continue;
                }
                child.insert(step.to.into());
                if neighbourhood.is_some_and(|neighbourhood| !neighbourhood.contains(child)) {
                    self.counts.outside_neighbourhood += 1;
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
                let mut child_room = None;
                if let Some((goal_room, Some(before))) = parent_room {
                    let rows = [board.row_at(from, player), step.row];
                    let Some(after) = goal_room.of_push(before, rows, child, step.lands.into()) else {
                        self.counts.dead_set += 1;
                        continue;
                    };
                    if after.inside + after.alone > slack {
                        self.counts.limit += 1;
                        continue;
                    }
                    child_room = Some(after);
                }
                if !listed {
                    listed = true;
                    let approach = tables.approach_groups(boxes, zone, &mut self.approach_groups);
                    if approach.and(tables.groups(boxes, zone, &mut self.groups)).is_err() {
                        self.counts.dead_set += 1;
                        return None;
                    }
                }
                self.child_groups.clear();
                self.child_groups.extend(self.groups.iter().filter(|group| !group.members.contains(from)));
                if tables.groups_of(arrival, others, &mut self.child_groups).is_err() {
                    self.counts.dead_set += 1;
                    continue;
                }
                if let Some(room) = child_room {
                    let left = slack - room.inside - room.alone;
                    self.child_approach_groups.clear();
                    self.child_approach_groups
                        .extend(self.approach_groups.iter().filter(|group| !group.members.contains(from)));
                    if tables.approach_groups_of(arrival, others, &mut self.child_approach_groups).is_err() {
                        self.counts.dead_set += 1;
                        continue;
                    }
                    if pack(&mut self.child_approach_groups, left) > left {
                        self.counts.limit += 1;
                        continue;
                    }
                }
                let every = model.options.check_every;
                if every > 0 && self.counts.generated.is_multiple_of(every) {
                    self.check(model, child, step.lands.into(), total, child_room);
                }
                let left = slack - total as u32;
                if pack(&mut self.child_groups, left) > left {
                    self.counts.limit += 1;
                    continue;
                }
                let mut taken = cells;
                taken.remove(cell);
                taken.insert(to);
                if side == Side::Forward && model.rules.is_frozen(taken) {
                    self.counts.freeze += 1;
                    continue;
                }
                let zone = model.plane.zone(model.plane.floor.without(taken), step.lands.into());
                let next = model.rank.key(child, zone.lowest());
                if side == Side::Forward && child == model.goals {
                    solved = Some(next);
                }
                out.push(next);
            }
        }
        solved
    }

    /// Asserts that what the child inherits from its parent equals the values computed from scratch.
    fn check<K: Key>(
        &self,
        model: &Model<K, L, G>,
        boxes: Set<L>,
        player: usize,
        total: i32,
        child_room: Option<Filled>,
    ) {
        let board = &*model.board;
        let way = board.way(self.side);
        let rows = boxes.iter().map(|square| board.row_at(square, player));
        let mut matching = Matching::empty(board.boxes());
        let paired = Matcher::new(way, board.boxes()).solve(way, &mut matching, rows);
        assert!(paired && matching.total == total, "{total} is not {}", matching.total);
        let zone = model.plane.zone(model.plane.floor.without(model.cells(boxes)), player);
        let mut groups = Vec::new();
        let tables = model.tables(self.side);
        let listed = tables.groups(boxes, zone, &mut groups);
        assert!(listed.is_ok(), "a dead set was missed");
        let sorted = |groups: &[Group<L>]| {
            let mut list: Vec<_> = groups.iter().map(|group| (group.members.0, group.value)).collect();
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(&groups), sorted(&self.child_groups));
        if let Some(goal_room) = &tables.goal_room {
            assert_eq!(goal_room.of_position(boxes, player), child_room);
            let listed = tables.approach_groups(boxes, zone, &mut groups);
            assert!(listed.is_ok(), "a dead set outside the chokepoint was missed");
            assert_eq!(sorted(&groups), sorted(&self.child_approach_groups));
        }
        let key = model.rank.key(boxes, zone.lowest());
        assert_eq!(model.rank.position::<L>(key), (boxes, zone.lowest()));
    }
}
