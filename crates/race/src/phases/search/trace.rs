//! Orders, scores and expansions, held against a second implementation of the rules.
//!
//! An order that is a little wrong fills nothing, and no answer shows why. So the stages of some levels and every
//! position expanded on them are compared with what the rules give when they are followed plainly: positions as sets of
//! rows and columns, scores summed from nothing. Only what calls a position dead is the engine's own; it has its
//! own tests.

use crate::phases::order::{Target, Unpacked, Unpacking};
use crate::phases::plain::{Plain, Spot, Spots, Wish};
use crate::phases::search::*;
use crate::phases::tests::{DOOR, PASSAGE, goal_room};
use crate::phases::{Course, MANNERS};
use lurd_level::Map;
use lurd_rules::Board;
use lurd_rules::oracle::levels;
use lurd_search::Budget;
use lurd_search::random::SplitMix64;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Expansions that are compared on each level and order.
const EXPANSIONS: usize = 1_000;

/// A position as the rules see it.
#[derive(Clone)]
struct Stand {
    boxes: Spots,
    player: Spot,
    pushes: i32,
    /// Pushes that brought a box nearer to a target.
    refunds: i32,
    stage: usize,
    hasty: bool,
    score: i32,
    last: Option<Spot>,
    expanded: bool,
}

/// The search as the rules have it.
struct Follower<'s> {
    scene: &'s Scene,
    plain: &'s Plain,
    stages: &'s [Vec<Wish>],
    stands: Vec<Stand>,
    by_name: BTreeMap<(Spots, Spot), usize>,
    open: BTreeMap<i32, Vec<usize>>,
    pops: u32,
    rover: i32,
    rows: BTreeMap<(usize, Spot), BTreeMap<Spot, i32>>,
    pictures: FrozenBoards,
    corrals: CorralSearch,
    learned: LearnedSets,
    effort: u64,
    expanded: Vec<usize>,
    solved: bool,
}

impl<'s> Follower<'s> {
    fn new(scene: &'s Scene, plain: &'s Plain, stages: &'s [Vec<Wish>]) -> Self {
        let mut follower = Self {
            scene,
            plain,
            stages,
            stands: Vec::new(),
            by_name: BTreeMap::new(),
            open: BTreeMap::new(),
            pops: 0,
            rover: i32::MIN,
            rows: BTreeMap::new(),
            pictures: FrozenBoards::default(),
            corrals: CorralSearch::new(),
            learned: LearnedSets::new(&scene.board),
            effort: 0,
            expanded: Vec::new(),
            solved: false,
        };
        follower.learned.refresh(&scene.learned);
        let (boxes, player) = (plain.starts.clone(), plain.player);
        let stage = follower.unfilled(0, &boxes);
        let score = follower.to_goals(&boxes) + 32 * follower.missing(stage, &boxes);
        follower.by_name.insert(follower.name(&boxes, player), 0);
        let (pushes, refunds, hasty, last, expanded) = (0, 0, false, None, false);
        follower.stands.push(Stand { boxes, player, pushes, refunds, stage, hasty, score, last, expanded });
        follower.open.insert(score, vec![0]);
        follower
    }

    fn name(&self, boxes: &Spots, player: Spot) -> (Spots, Spot) {
        (boxes.clone(), self.plain.zone(boxes, player).first().copied().unwrap_or(player))
    }

    fn to_goals(&self, boxes: &Spots) -> i32 {
        boxes.iter().filter_map(|&spot| self.plain.home(spot)).sum()
    }

    fn unfilled(&self, from: usize, boxes: &Spots) -> usize {
        let open = |stage: &usize| self.stages[*stage].iter().any(|(spot, _)| !boxes.contains(spot));
        (from..self.stages.len()).find(open).unwrap_or(self.stages.len())
    }

    /// Targets without credit: those of later stages, and of this one what is not filled.
    fn missing(&self, stage: usize, boxes: &Spots) -> i32 {
        let later: usize = self.stages.iter().skip(stage + 1).map(Vec::len).sum();
        let here = self.stages.get(stage).into_iter().flatten().filter(|(spot, _)| !boxes.contains(spot)).count();
        (later + here) as i32
    }

    /// Who leaves a target throws the position back to its stage, unless he waited there and his time has come.
    fn after_leaving(&self, stage: usize, from: Spot) -> usize {
        let ends = self.stages.len();
        let wanted = (0..ends.min(stage + 1)).rev().find_map(|number| {
            self.stages[number].iter().find(|(spot, _)| *spot == from).map(|&(_, home)| (number, home))
        });
        match wanted {
            Some((_, Some(home))) if stage >= home || stage + 2 >= ends => stage,
            Some((number, _)) => number,
            None => stage,
        }
    }

    /// Whether a spot becomes a target only later.
    fn is_early(&self, stage: usize, spot: Spot) -> bool {
        let first = self.stages.iter().position(|targets| targets.iter().any(|&(target, _)| target == spot));
        first.is_some_and(|first| first > stage)
    }

    fn laid(&self, boxes: &Spots, player: Spot) -> Position {
        let board = self.scene.board.board();
        let square = |&(row, column): &Spot| board.square_at(row, column).unwrap();
        let list: Vec<Square> = boxes.iter().map(square).collect();
        Position::with(&self.scene.board, &list, square(&player))
    }

    fn run(&mut self) {
        while self.expanded.len() < EXPANSIONS && !self.solved {
            let Some(mut key) = self.open.keys().next().copied() else { return };
            self.pops += 1;
            if self.pops.is_multiple_of(8) {
                let above = self.open.range(self.rover.saturating_add(1)..).next();
                key = above.map_or(key, |(&key, _)| key);
                self.rover = key;
            }
            let bucket = self.open.get_mut(&key).unwrap();
            let newest = bucket.pop().unwrap();
            if bucket.is_empty() {
                self.open.remove(&key);
            }
            self.expand(newest);
        }
    }

    /// The pushes of a position, in order; none if it proves dead.
    fn moves(&mut self, stand: &Stand) -> (Vec<(Spot, Spot)>, bool) {
        let none = (Vec::new(), false);
        let features = &self.scene.board;
        let mut position = self.laid(&stand.boxes, stand.player);
        let mut set = Bits::empty(features.len());
        position.pack_into(&mut set);
        self.effort += 10;
        if self.learned.is_dead(&set, position.player) {
            return none;
        }
        let Ok(frozen) = self.pictures.freeze(features, &mut position, &mut Vec::new()) else { return none };
        let picture = self.pictures.of(features, &position, frozen);
        if !picture.fits(features, &position, &mut BipartiteMatching::default()) {
            return none;
        }
        let survey = features.survey(&position.taken);
        let corral = PiCorrals::new(features).find(features, &position, &survey, &picture.closed);
        if corral == PiCorral::Dead {
            return none;
        }
        if let Some(dead) = self.corrals.find_dead(features, &position, &survey) {
            let effort = self.effort + 2 * (self.corrals.expanded() + self.learned.expanded());
            if dead.is_new && self.learned.has_time(effort) {
                self.learned.learn(features, &self.scene.learned, &dead);
            }
            return none;
        }
        let mut boxes: Vec<Spot> = stand.boxes.iter().copied().collect();
        let mut opens = false;
        if let PiCorral::Only(only) = corral {
            boxes = only.iter().map(|&square| features.board().place(square)).collect();
            opens = only.len() < stand.boxes.len();
        }
        if stand.pushes % 2 == 1 {
            boxes.reverse();
        }
        // A stable sort: who was pushed last goes first.
        boxes.sort_by_key(|&spot| Some(spot) != stand.last);
        let zone = self.plain.zone(&stand.boxes, stand.player);
        let mut moves = Vec::new();
        for from in boxes {
            for direction in 0..4 {
                let behind = self.plain.beside(from, direction ^ 1).filter(|behind| zone.contains(behind));
                let to = self.plain.beside(from, direction).filter(|to| !stand.boxes.contains(to));
                let (Some(_), Some(to)) = (behind, to) else { continue };
                let square = |(row, column): Spot| usize::from(features.board().square_at(row, column).unwrap());
                if position.taken[square(from)] == BOX && !picture.closed[square(to)] {
                    moves.push((from, to));
                }
            }
        }
        (moves, opens)
    }

    fn expand(&mut self, number: usize) {
        if std::mem::replace(&mut self.stands[number].expanded, true) {
            return;
        }
        self.expanded.push(number);
        let stand = self.stands[number].clone();
        let (moves, opens) = self.moves(&stand);
        for (from, to) in moves {
            if !self.solved {
                self.push(&stand, from, to, opens);
            }
        }
    }

    fn push(&mut self, above: &Stand, from: Spot, to: Spot, opens: bool) {
        self.effort += 1;
        let features = &self.scene.board;
        let boxes: Spots = above.boxes.iter().map(|&spot| if spot == from { to } else { spot }).collect();
        let mut position = self.laid(&boxes, from);
        let pushed = features.board().square_at(to.0, to.1).unwrap();
        let mut lifted = position.taken.clone();
        lifted[usize::from(pushed)] = 0;
        if blocks(features, &lifted, pushed)
            || freeze::freezes(features, &mut position.taken, &position.boxes, pushed, &mut Vec::new())
        {
            return;
        }
        let mut set = Bits::empty(features.len());
        position.pack_into(&mut set);
        if self.learned.is_dead_at(&set, pushed, position.player) {
            return;
        }
        let pushes = above.pushes + 1;
        let name = self.name(&boxes, from);
        let known = self.by_name.get(&name).copied();
        if known.is_some_and(|known| self.stands[known].expanded || self.stands[known].pushes <= pushes) {
            return;
        }
        self.solved |= boxes == self.plain.goals;

        let stage = self.after_leaving(above.stage, from);
        let open = |spot: &Spot| *spot == to || !boxes.contains(spot);
        let targets: Vec<Spot> = self.stages.get(stage).into_iter().flatten().map(|&(spot, _)| spot).collect();
        let (mut nearer, mut nearest) = (0, None);
        for &target in targets.iter().filter(|spot| open(spot)) {
            let row = self.rows.entry((stage, target)).or_insert_with(|| {
                let filled = self.stages[..stage].iter().flatten().filter(|(_, home)| home.is_none());
                self.plain.pushes_to(target, &filled.map(|&(spot, _)| spot).collect())
            });
            let (before, now) = (row.get(&from).copied(), row.get(&to).copied());
            nearer += i32::from(now.is_some_and(|now| before.is_none_or(|before| now < before)));
            nearest = nearest.into_iter().chain(now).min();
        }
        let filled = self.unfilled(stage, &boxes);
        let to_goals = self.to_goals(&boxes);
        let mut score = pushes - above.refunds + to_goals + 32 * self.missing(filled, &boxes)
            - 2 * nearer
            - i32::from(targets.contains(&to))
            + nearest.map_or(8, |nearest| 2 * (1 + nearest));
        let mut hasty = above.hasty;
        if hasty || self.is_early(filled, to) {
            let mut stuck = Vec::new();
            freeze::stuck(features, &mut position.taken, &position.boxes, &mut stuck);
            let early = stuck.iter().filter(|&&square| self.is_early(filled, features.board().place(square))).count();
            hasty = early > 0;
            score += early as i32 * to_goals / 2;
        }
        if opens {
            score = score.min(above.score);
        }
        let refunds = above.refunds + i32::from(nearer > 0);
        let (player, last, expanded) = (from, Some(to), false);
        let stand = Stand { boxes, player, pushes, refunds, stage: filled, hasty, score, last, expanded };
        let number = known.unwrap_or(self.stands.len());
        if known.is_some() {
            self.stands[number] = stand;
        } else {
            self.stands.push(stand);
            self.by_name.insert(name, number);
        }
        let best = self.open.keys().next();
        if score <= above.score && best.is_none_or(|&best| score <= best) {
            self.expand(number);
        } else {
            self.open.entry(score).or_default().push(number);
        }
    }
}

/// The engine's expansions: boxes, player and score, as many as asked for if there are so many.
fn expansions(search: &mut Search<'_>, count: usize) -> Vec<(Vec<Square>, Square, i32)> {
    let halt = Halt::new(Budget::unlimited());
    let mut known: Vec<bool> = Vec::new();
    let mut list = Vec::new();
    // The least work is one expansion at most.
    while list.len() < count && search.run(1, &halt) == Turn::Open {
        known.resize(search.nodes.len(), false);
        for (number, node) in search.nodes.iter().enumerate() {
            if node.expanded && !std::mem::replace(&mut known[number], true) {
                let boxes = squares(&search.sets[number * search.words..][..search.words]).collect();
                list.push((boxes, node.player, node.score));
            }
        }
    }
    list
}

#[test]
fn orders_and_expansions_are_those_of_the_rules() {
    let mut dice = SplitMix64::new(9);
    let mut maps: Vec<Map> = (0..3).map(|_| goal_room(&mut dice)).collect();
    maps.extend([DOOR, PASSAGE].map(|text| Map::from_xsb(text).unwrap()));
    maps.extend(levels(9, 400));
    let (mut orders, mut compared, mut waits) = (0, 0, 0);
    for map in maps {
        let board = Arc::new(Board::new(&map).unwrap());
        let scenes = [(); 2].map(|()| Scene::new(Arc::clone(&board), None));
        let features = &scenes[0].board;
        let plain = Plain::new(features);
        if plain.starts == plain.goals || plain.starts.iter().any(|&spot| plain.home(spot).is_none()) {
            continue;
        }
        let spot = |square: Square| board.place(square);
        for manner in MANNERS {
            let halt = Halt::new(Budget::unlimited());
            let stages = match Unpacking::new(features, manner).run(u64::MAX / 2, &halt) {
                Unpacked::Done(stages) => Some(stages),
                _ => None,
            };
            let wish = |target: &Target| (spot(target.square), target.home);
            let wishes: Option<Vec<Vec<Wish>>> =
                stages.as_ref().map(|stages| stages.iter().map(|stage| stage.iter().map(wish).collect()).collect());
            assert_eq!(wishes, plain.stages(manner), "{map}\n{manner:?}");
            let (Some(stages), Some(wishes)) = (stages, wishes) else { continue };
            orders += 1;
            waits += wishes.iter().flatten().filter(|(_, home)| home.is_some()).count();
            let mut follower = Follower::new(&scenes[1], &plain, &wishes);
            follower.run();
            let perimeter = Perimeter::new(1 << 22);
            let mut search = Search::new(&scenes[0], &perimeter, Course::new(features, stages));
            let expansions = expansions(&mut search, follower.expanded.len());
            for (place, (real, &number)) in expansions.into_iter().zip(&follower.expanded).enumerate() {
                let stand = &follower.stands[number];
                let boxes: Spots = real.0.iter().map(|&square| spot(square)).collect();
                let expected = (&stand.boxes, stand.player, stand.score);
                assert_eq!((&boxes, spot(real.1), real.2), expected, "expansion {place}\n{map}\n{wishes:?}");
                compared += 1;
            }
        }
    }
    println!("{orders} orders with {waits} waiting boxes, {compared} expansions");
    assert!(orders > 80 && waits > 0 && compared > 1_000, "{orders} {waits} {compared}");
}
