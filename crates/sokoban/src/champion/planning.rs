//! The backward search that makes a plan.
//!
//! All goals are filled; boxes are pulled. Start squares that are still to be used and can be reached
//! from each other form a sink: a box pulled there from afar vanishes, with the square, for any of them
//! could have come from there. Vanishing is forced where it is possible, so the search is almost a line.
//! Read backwards, the order in which goals were cleared is the order in which to fill them, and boxes
//! that were only pulled aside are parkings.

use super::Scene;
use super::answer::{self, Leg};
use super::cuts::Rule;
use super::forward::homeward;
use super::ground::{FAR, Ground};
use super::lift::Lift;
use super::macros::{Macro, Macros};
use super::matching::Matching;
use super::perimeter::{Perimeter, Reached, Side};
use super::plan::{Plan, Source, Step};
use super::position::Position;
use super::rooms::{Reach, Rooms, Scratch};
use super::sinks;
use super::stops::Stops;
use super::strategy::{Ear, Figures, Halt, Push};
use super::tree::{Move, NONE, Origin, Score, Tree};
use super::view::{Nearest, Tracks};
use crate::bits::squares;
use crate::square::Square;
use std::cmp::Reverse;

/// How plans may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// Steps between a goal and a start square for a box to vanish there.
    pub(super) far: u16,
    /// Whether boxes vanish at all.
    pub(super) vanish: bool,
    /// Whether later boxes are tried before earlier ones.
    pub(super) turned: bool,
    /// Whether pictures are wanted in which every box can be reached and the free floor has loops.
    pub(super) open: bool,
}

impl Default for Manner {
    fn default() -> Self {
        Self { far: 6, vanish: true, turned: false, open: false }
    }
}

/// How a search for a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planned {
    /// More to search.
    Open,
    /// The start position is reached, up to boxes that vanished.
    Complete,
    /// Nothing left to try; the best plan so far is partial.
    Partial,
}

/// A child while it is being judged.
#[derive(Clone, Copy, Debug)]
struct Child {
    step: Macro,
    removes: bool,
    regions: u16,
    rooms: u32,
    spread: u32,
    score: Score,
    state: u32,
}

/// The backward search for a plan.
#[derive(Debug)]
pub(super) struct Planning<'g> {
    ground: &'g Ground,
    rooms: &'g Rooms,
    stops: &'g Stops,
    manner: Manner,
    tree: Tree,
    words: usize,
    position: Position,
    unused: Vec<u64>,
    survey: Lift,
    trial: Lift,
    macros: Macros,
    scratch: Scratch,
    reach: Reach,
    matching: Matching,
    /// How far each square is from all goals together, once somebody asked: on a large board that takes a while.
    spread: Vec<Option<u32>>,
    children: Vec<Child>,
    figures: Figures,
    tracks: Tracks,
    complete: u32,
    /// Where positions are filed for the forward side, if boxes stay on the board.
    perimeter: Option<&'g Perimeter>,
    planted: bool,
    answer: Option<Vec<Push>>,
}

/// A goal with walls on three sides.
fn is_hole(ground: &Ground, square: Square) -> bool {
    let wall = ground.len() as Square;
    ground.is_goal(square) && ground.neighbours(square).iter().filter(|&&next| next == wall).count() >= 3
}

impl<'g> Planning<'g> {
    /// A search for a plan.
    pub(super) fn new(scene: &'g Scene, manner: Manner) -> Self {
        Self::with(scene, manner, None)
    }

    /// A search whose positions the forward side may meet; no box may vanish in it.
    pub(super) fn meeting(scene: &'g Scene, manner: Manner, perimeter: &'g Perimeter) -> Self {
        Self::with(scene, Manner { vanish: false, ..manner }, Some(perimeter))
    }

    fn with(scene: &'g Scene, manner: Manner, perimeter: Option<&'g Perimeter>) -> Self {
        let Scene { ground, rooms, stops, .. } = scene;
        let words = Position::words(ground);
        Self {
            ground,
            rooms,
            stops,
            manner,
            tree: Tree::new(2 * words),
            words,
            position: Position::new(ground),
            unused: Vec::new(),
            survey: Lift::new(ground),
            trial: Lift::new(ground),
            macros: Macros::new(ground),
            scratch: Scratch::new(ground),
            reach: Reach::default(),
            matching: Matching::default(),
            spread: vec![None; ground.len()],
            children: Vec::new(),
            figures: Figures::default(),
            tracks: Tracks::new(ground.len()),
            complete: NONE,
            perimeter,
            planted: false,
            answer: None,
        }
    }

    /// The pushes of a solution, if the forward side was met.
    pub(super) fn answer(&mut self) -> Option<Vec<Push>> {
        self.answer.take()
    }

    /// The boxes of the best position.
    pub(super) fn best_picture(&self) -> Option<Vec<Square>> {
        let best = self.tree.best();
        (best != NONE).then(|| squares(&self.tree.set(best)[..self.words]).collect())
    }

    /// The best position, for one who watches.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        let boxes = self.best_picture()?;
        let player = self.tree.nodes[self.tree.best() as usize].player;
        let pushes_to = |square: Square| {
            let starts = self.ground.starts().iter();
            starts
                .map(|&start| self.ground.pushes_from(start)[usize::from(square)])
                .min()
                .filter(|&pushes| pushes != FAR)
        };
        let to_go = boxes.iter().filter_map(|&square| pushes_to(square)).map(u32::from).sum();
        Some(Nearest { boxes, player, backwards: true, to_go })
    }

    /// Where it has pulled boxes.
    pub(super) fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Files a position for the forward side, or follows that side's chain back to the start.
    fn meet(&mut self, origin: &Origin) {
        let Some(perimeter) = self.perimeter else { return };
        let key = origin.key ^ self.unused_key();
        let Move { from, to, player, .. } = origin.step;
        if origin.parent == NONE {
            perimeter.file(key, Reached { parent: 0, from, to, player, side: Side::Backward });
            return;
        }
        let parent = &self.tree.nodes[origin.parent as usize];
        let parent_key = parent.key ^ self.unused_key();
        if perimeter.met(key, Side::Backward) {
            let mut chain = perimeter.chain(key);
            chain.reverse();
            let mut legs: Vec<Leg> = chain
                .iter()
                .skip(1)
                .map(|reached| Leg { from: reached.from, to: reached.to, player: reached.player })
                .collect();
            legs.push(Leg { from: to, to: from, player: parent.player });
            legs.extend(homeward(perimeter, parent_key));
            self.answer = answer::pushes(self.ground, &legs);
        } else {
            perimeter.file(key, Reached { parent: parent_key, from, to, player, side: Side::Backward });
        }
    }

    pub(super) fn figures(&self) -> Figures {
        self.figures
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// What the search has cost, in positions generated: expanding one costs about as much as generating ten.
    pub(super) fn effort(&self) -> u64 {
        self.figures.generated + 10 * self.figures.expanded
    }

    /// One root for each zone of the solved picture.
    fn plant(&mut self, ear: &mut Ear<'_>) {
        self.planted = true;
        let ground = self.ground;
        let solved = Position::with(ground, ground.goals(), ground.player());
        let lift = ground.survey(&solved.taken);
        let mut unused = Vec::new();
        Position::with(ground, ground.starts(), ground.player()).pack(self.words, &mut unused);
        let mut begun = vec![false; lift.regions()];
        for square in 0..ground.len() as Square {
            if !lift.is_free(square) || std::mem::replace(&mut begun[lift.region(square)], true) {
                continue;
            }
            self.position.set(ground, ground.goals().iter().copied(), square);
            self.unused.clone_from(&unused);
            self.survey.survey(ground, &self.position.taken);
            let key = Ground::key(self.position.boxes_key, self.survey.zone_of(square)) ^ self.unused_key();
            let rooms = self.rooms.lost(ground, &self.position.taken, &mut self.reach, &mut self.scratch);
            let spread = self.spread_now();
            let score = self.score(self.survey.regions() as u16, rooms, spread);
            let state = self.tree.file(key, score);
            let step = Move { from: square, to: square, player: square, removes: false, weight: 0, state };
            self.expand(Origin { parent: NONE, step, key }, ear);
        }
    }

    fn on_goals(&self) -> u32 {
        self.position.boxes.iter().filter(|&&square| self.ground.is_goal(square)).count() as u32
    }

    /// Pushes from a square to every goal it reaches, added up.
    fn spread_of(&mut self, square: Square) -> u32 {
        let ground = self.ground;
        *self.spread[usize::from(square)].get_or_insert_with(|| {
            let row = ground.pushes_from(square);
            let reached = ground.goals().iter().map(|&goal| row[usize::from(goal)]).filter(|&pushes| pushes != FAR);
            reached.map(u32::from).sum()
        })
    }

    fn spread_now(&mut self) -> u32 {
        (0..self.position.boxes.len()).map(|place| self.spread_of(self.position.boxes[place])).sum()
    }

    fn unused_key(&self) -> u64 {
        squares(&self.unused).fold(0, |key, square| key ^ start_key(self.ground, square))
    }

    fn is_unused(&self, square: Square) -> bool {
        self.unused[usize::from(square) / 64] >> (square % 64) & 1 != 0
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> Planned {
        let end = self.effort() + work;
        let mut ear = Ear::new(halt, self.effort());
        if !self.planted {
            self.plant(&mut ear);
        }
        while self.effort() < end {
            if self.complete != NONE || self.answer.is_some() {
                return Planned::Complete;
            }
            if ear.hears(self.effort()) {
                return Planned::Open;
            }
            let Some((parent, step)) = self.tree.select() else { return Planned::Partial };
            self.figures.generated += 1;
            self.lay_out(parent, &step);
            if self.is_dead() {
                self.tree.kill(step.state, parent);
                continue;
            }
            self.survey.survey(self.ground, &self.position.taken);
            let zone = self.survey.zone_of(self.position.player);
            let key = Ground::key(self.position.boxes_key, zone) ^ self.unused_key();
            self.expand(Origin { parent, step, key }, &mut ear);
        }
        Planned::Open
    }

    /// The position after a move of a node.
    fn lay_out(&mut self, parent: u32, step: &Move) {
        let set = self.tree.set(parent);
        self.position.unpack(self.ground, &set[..self.words], self.tree.nodes[parent as usize].player);
        self.unused.clear();
        self.unused.extend_from_slice(&set[self.words..]);
        if step.removes {
            self.position.remove(self.ground, step.from);
            self.position.player = step.player;
            self.unused[usize::from(step.to) / 64] &= !(1 << (step.to % 64));
        } else {
            self.position.shift(self.ground, step.from, step.to, step.player);
        }
    }

    /// Sound reasons why no start position leads here.
    fn is_dead(&mut self) -> bool {
        let unmatched = !self.boxes_have_starts();
        if unmatched {
            self.figures.cuts.count(Rule::Bipartite);
        }
        let stuck = !unmatched && self.some_box_is_stuck();
        if stuck {
            self.figures.cuts.count(Rule::Freeze);
        }
        unmatched || stuck
    }

    /// Whether each box can have come from an unused start square of its own.
    fn boxes_have_starts(&mut self) -> bool {
        let starts: Vec<Square> = squares(&self.unused).collect();
        let words = starts.len().div_ceil(64).max(1);
        let mut sets = vec![0u64; self.position.boxes.len() * words];
        for (number, &start) in starts.iter().enumerate() {
            let row = self.ground.pushes_from(start);
            for (place, &square) in self.position.boxes.iter().enumerate() {
                if row[usize::from(square)] != FAR {
                    sets[place * words + number / 64] |= 1 << (number % 64);
                }
            }
        }
        self.matching.is_perfect(self.position.boxes.len(), starts.len(), &|row| &sets[row * words..(row + 1) * words])
    }

    /// Takes off every box the player can pull, as long as he can; one that stays must be at its start.
    fn some_box_is_stuck(&mut self) -> bool {
        let ground = self.ground;
        let mut taken = self.position.taken.clone();
        let mut boxes = self.position.boxes.clone();
        loop {
            self.survey.survey(ground, &taken);
            let before = boxes.len();
            let survey = &self.survey;
            let player = self.position.player;
            boxes.retain(|&square| {
                let moves = (0..4).any(|direction| {
                    let near = ground.next(square, direction);
                    survey.joined(near, player) && taken[usize::from(ground.next(near, direction))] == 0
                });
                if moves {
                    taken[usize::from(square)] = 0;
                }
                !moves
            });
            if boxes.len() == before {
                return boxes.iter().any(|&square| !self.is_unused(square));
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.position.boxes.iter().all(|&square| self.is_unused(square))
            && (self.position.boxes.is_empty()
                || self.survey.joined(self.position.player, self.ground.player())
                || self.position.player == self.ground.player())
    }

    fn expand(&mut self, origin: Origin, ear: &mut Ear<'_>) {
        self.figures.expanded += 1;
        if origin.parent != NONE && !origin.step.removes {
            self.tracks.count(origin.step.to);
        }
        self.meet(&origin);
        let ground = self.ground;
        let sinks = if self.manner.vanish {
            sinks::sinks(ground, &self.position, &self.survey, squares(&self.unused))
        } else {
            Vec::new()
        };
        if !self.generate(&sinks, ear) {
            return;
        }
        let mut moves: Vec<Move> = Vec::with_capacity(self.children.len());
        let rooms = self.rooms.lost(ground, &self.position.taken, &mut self.reach, &mut self.scratch);
        let regions = self.survey.regions() as u16;
        let advised = self.advise(&sinks, regions, rooms);
        let few = self.children.len() <= 2;
        for (number, child) in self.children.iter().enumerate() {
            let weight = u8::from(!(advised.contains(&number) || few && number == 0));
            moves.push(Move {
                from: child.step.from,
                to: child.step.to,
                player: child.step.player,
                removes: child.removes,
                weight,
                state: child.state,
            });
        }
        let (position, unused, words) = (&self.position, &self.unused, self.words);
        let pack = |out: &mut Vec<u64>| {
            position.pack(words, out);
            out.extend_from_slice(unused);
        };
        let below = if self.manner.open { SPREAD_BITS + LANE_BITS + STUCK_BITS } else { SPREAD_BITS };
        let node = self.tree.add(origin, pack, &mut moves, |score| score >> below);
        if self.complete == NONE && self.is_complete() {
            self.complete = node;
        }
    }

    fn is_far(&self, from: Square, to: Square) -> bool {
        if self.ground.walks_from(from)[usize::from(to)] >= self.manner.far {
            return true;
        }
        match (self.rooms.room_of(from), self.rooms.room_of(to)) {
            (Some(a), Some(b)) => a != b,
            (None, None) => false,
            (a, b) => {
                let near = a.is_some_and(|room| self.rooms.is_around(room, to))
                    || b.is_some_and(|room| self.rooms.is_around(room, from));
                let (a, b) = (self.ground.board().place(from), self.ground.board().place(to));
                !near && a.0 != b.0 && a.1 != b.1
            }
        }
    }

    /// Fills `children` with everything that can be done here, new positions scored; false if a halt was heard.
    fn generate(&mut self, sinks: &[Square], ear: &mut Ear<'_>) -> bool {
        let ground = self.ground;
        self.children.clear();
        let mut came = vec![false; ground.len() + 1];
        for start in squares(&self.unused) {
            for (square, &pushes) in ground.pushes_from(start).iter().enumerate() {
                came[square] |= pushes != FAR;
            }
        }
        let mut boxes = self.position.boxes.clone();
        if self.manner.turned {
            boxes.reverse();
        }
        let mut out = Vec::new();
        let parent_rooms = self.rooms.lost(ground, &self.position.taken, &mut self.reach, &mut self.scratch);
        let parent_spread = self.spread_now();
        let unused_key = self.unused_key();
        let boxes_key = self.position.boxes_key;
        let mut removals: Vec<Child> = Vec::new();
        for &from in &boxes {
            if ear.hears(self.effort()) {
                return false;
            }
            out.clear();
            self.macros.pulls(
                ground,
                &mut self.position,
                from,
                |_, to| came[usize::from(to)] && !ground.is_dead(to),
                &mut out,
            );
            let removal = out.iter().find(|step| sinks.contains(&step.to) && self.is_far(step.from, step.to));
            if let Some(&step) = removal
                && let Some(child) = self.removal(step, unused_key)
            {
                removals.push(child);
            }
            if !removals.is_empty() {
                continue;
            }
            for &step in &out {
                self.figures.generated += 1;
                if self.stops.wasted_pull(ground, &step) {
                    self.figures.cuts.count(Rule::WastedStop);
                    continue;
                }
                let key = Ground::key(boxes_key ^ ground.box_key(step.from) ^ ground.box_key(step.to), step.zone)
                    ^ unused_key;
                let spread = parent_spread + self.spread_of(step.to) - self.spread_of(step.from);
                let rooms = self.rooms_after(&step, parent_rooms);
                let score = match self.tree.find(key) {
                    Some(state) => self.tree.state(state).score,
                    None => self.score_after(&step, rooms, spread),
                };
                let state = self.tree.find(key).unwrap_or_else(|| self.tree.file(key, score));
                self.children.push(Child { step, removes: false, regions: step.regions, rooms, spread, score, state });
            }
        }
        if !removals.is_empty() {
            self.children = removals;
        }
        true
    }

    /// The score of the position that is laid out: fewer boxes, fewer regions, then fewer on goals and fewer lost
    /// links, or a more open floor, and more spread.
    fn score(&mut self, regions: u16, rooms: u32, spread: u32) -> Score {
        let field = |value: u64, bits: u32| (1 << bits) - 1 - value.min((1 << bits) - 1);
        let boxes = self.position.boxes.len() as u64;
        let spread = u64::from(spread).min((1 << SPREAD_BITS) - 1);
        let (rooms, regions) = (u64::from(rooms), u64::from(regions));
        if self.manner.open {
            let (stuck, lanes) = if regions == 1 { (self.stuck(), self.lanes()) } else { (0, 0) };
            return field(regions, 10) << 50
                | field(rooms, 10) << 40
                | field(stuck, STUCK_BITS) << (SPREAD_BITS + LANE_BITS)
                | field(lanes, LANE_BITS) << SPREAD_BITS
                | spread;
        }
        field(boxes, 12) << 52
            | field(regions, 10) << 42
            | field(u64::from(self.on_goals()), 12) << 30
            | field(rooms, 10) << 20
            | spread
    }

    /// The score after a pull.
    fn score_after(&mut self, step: &Macro, rooms: u32, spread: u32) -> Score {
        let place = self.position.boxes.iter().position(|&square| square == step.from).unwrap_or(0);
        let what = std::mem::take(&mut self.position.taken[usize::from(step.from)]);
        self.position.taken[usize::from(step.to)] = what;
        self.position.boxes[place] = step.to;
        let score = self.score(step.regions, rooms, spread);
        self.position.boxes[place] = step.from;
        self.position.taken[usize::from(step.to)] = 0;
        self.position.taken[usize::from(step.from)] = what;
        score
    }

    /// Boxes that cannot be pulled from any side, wherever the player stands.
    fn stuck(&self) -> u64 {
        let free = |square: Square| self.position.taken[usize::from(square)] == 0;
        let pulls = |square: Square| {
            (0..4).any(|direction| {
                let near = self.ground.next(square, direction);
                free(near) && free(self.ground.next(near, direction))
            })
        };
        self.position.boxes.iter().filter(|&&square| !pulls(square)).count() as u64
    }

    /// Free squares on no loop of the free floor: the lanes that boxes leave.
    fn lanes(&mut self) -> u64 {
        self.trial.survey(self.ground, &self.position.taken);
        (0..self.ground.len() as Square)
            .filter(|&square| self.trial.is_free(square) && !self.ground.is_goal(square))
            .filter(|&square| !self.trial.on_loop(self.ground, square))
            .count() as u64
    }

    fn rooms_after(&mut self, step: &Macro, before: u32) -> u32 {
        if self.rooms.is_empty() {
            return 0;
        }
        let ground = self.ground;
        let taken = &mut self.position.taken;
        let what = std::mem::take(&mut taken[usize::from(step.from)]);
        let same = self.rooms.is_harmless(ground, taken, step.from) && self.rooms.is_harmless(ground, taken, step.to);
        let after = if same {
            before
        } else {
            taken[usize::from(step.to)] = what;
            let lost = self.rooms.lost_after(ground, taken, (step.from, step.to), &self.reach, &mut self.scratch);
            taken[usize::from(step.to)] = 0;
            lost
        };
        taken[usize::from(step.from)] = what;
        after
    }

    /// The child in which the pulled box vanishes, if what is left still fits together.
    fn removal(&mut self, step: Macro, unused_key: u64) -> Option<Child> {
        let ground = self.ground;
        self.figures.generated += 1;
        let (boxes_before, player_before) = (self.position.boxes.clone(), self.position.player);
        self.position.remove(ground, step.from);
        self.unused[usize::from(step.to) / 64] &= !(1 << (step.to % 64));
        let fits = self.boxes_have_starts();
        let child = fits.then(|| {
            let lift = ground.survey(&self.position.taken);
            let zone = lift.zone_of(step.player);
            let key = Ground::key(self.position.boxes_key, zone) ^ unused_key ^ start_key(ground, step.to);
            let rooms = self.rooms.lost(ground, &self.position.taken, &mut Reach::default(), &mut self.scratch);
            let (spread, regions) = (self.spread_now(), lift.regions() as u16);
            let score = self.score(regions, rooms, spread);
            let state = self.tree.find(key).unwrap_or_else(|| self.tree.file(key, score));
            Child { step, removes: true, regions, rooms, spread, score, state }
        });
        self.unused[usize::from(step.to) / 64] |= 1 << (step.to % 64);
        self.position.set(ground, boxes_before.into_iter(), player_before);
        child
    }

    /// The moves that advisors name.
    fn advise(&mut self, sinks: &[Square], regions: u16, rooms: u32) -> Vec<usize> {
        let ground = self.ground;
        let spread = self.spread_now();
        let children = &self.children;
        let numbered = || children.iter().enumerate();
        if children.iter().any(|child| child.removes) {
            let best = numbered()
                .find(|(_, child)| !ground.is_goal(child.step.from))
                .or_else(|| {
                    numbered().max_by_key(|(number, child)| {
                        let walk = ground.walks_from(child.step.from)[usize::from(child.step.to)];
                        (!is_hole(ground, child.step.from), Reverse(child.regions), walk, Reverse(*number))
                    })
                })
                .map(|(number, _)| number);
            return best.into_iter().collect();
        }
        let kill_area = sinks::kill_area(ground, &self.position.taken, sinks, self.manner.far);
        let mut advised = Vec::new();
        let pull = numbered()
            .filter(|(_, child)| {
                ground.is_goal(child.step.from)
                    && !ground.is_goal(child.step.to)
                    && child.regions <= regions
                    && child.rooms <= rooms
                    && child.spread > spread
            })
            .max_by_key(|(number, child)| {
                (
                    !is_hole(ground, child.step.from),
                    kill_area[usize::from(child.step.to)],
                    Reverse(child.regions),
                    Reverse(child.rooms),
                    ground.pushes_from(child.step.to)[usize::from(child.step.from)],
                    Reverse(*number),
                )
            });
        advised.extend(pull.map(|(number, _)| number));
        let best = |wanted: &dyn Fn(&Child) -> bool| {
            numbered()
                .filter(|(_, child)| wanted(child))
                .max_by_key(|(number, child)| (child.score, Reverse(*number)))
                .map(|(number, _)| number)
        };
        advised.extend(best(&|child| child.regions < regions));
        advised.extend(best(&|child| child.rooms < rooms));
        advised.extend(self.explore());
        advised
    }

    /// The best move after which some other box can be pulled that could not be before.
    fn explore(&mut self) -> Option<usize> {
        const LOOKED_AT: usize = 12;
        let ground = self.ground;
        let mut order: Vec<usize> = (0..self.children.len()).collect();
        order.sort_by_key(|&number| (Reverse(self.children[number].score), number));
        let before = self.survey.clone();
        let player = self.position.player;
        order.into_iter().take(LOOKED_AT).find(|&number| {
            let step = self.children[number].step;
            let what = std::mem::take(&mut self.position.taken[usize::from(step.from)]);
            self.position.taken[usize::from(step.to)] = what;
            let after = ground.survey(&self.position.taken);
            let news = self.position.boxes.iter().any(|&square| {
                square != step.from
                    && (0..4).any(|direction| {
                        let side = ground.next(square, direction);
                        before.is_free(side)
                            && !before.joined(side, player)
                            && after.joined(side, step.player)
                            && after.is_free(ground.next(side, direction))
                    })
            });
            self.position.taken[usize::from(step.to)] = 0;
            self.position.taken[usize::from(step.from)] = what;
            news
        })
    }

    /// The plan read off the complete node, or the best one.
    pub(super) fn plan(&self) -> Option<Plan> {
        let end = if self.complete == NONE { self.tree.best() } else { self.complete };
        if end == NONE {
            return None;
        }
        let initial = squares(&self.tree.set(end)[..self.words]);
        let mut steps: Vec<Step> =
            initial.map(|square| Step { source: Source::Initial, target: square, until: usize::MAX }).collect();
        let mut node = end;
        while self.tree.nodes[node as usize].parent != NONE {
            let made = &self.tree.nodes[node as usize];
            let source = if made.removed { Source::Pool } else { Source::Parked(made.to) };
            steps.push(Step { source, target: made.from, until: usize::MAX });
            node = made.parent;
        }
        Some(Plan::new(self.ground, steps))
    }
}

/// The key of an unused start square.
fn start_key(ground: &Ground, square: Square) -> u64 {
    ground.box_key(square).rotate_left(21)
}

const SPREAD_BITS: u32 = 20;
const STUCK_BITS: u32 = 9;
const LANE_BITS: u32 = 11;
