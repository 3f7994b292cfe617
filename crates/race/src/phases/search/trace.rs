//! Compares orders, scores and expansions with an independent implementation of the rules.
//!
//! A slightly wrong order or score solves nothing, and no result shows why. So the stages of some levels and every
//! position expanded on them are compared with a simple implementation: positions as sets of rows and columns, scores
//! from scratch. Only the deadlock rules are the engine's own; they have their own tests.

use crate::phases::OPTIONS;
use crate::phases::order::Target;
use crate::phases::reference::{Coord, CoordTarget, Coords, ReferenceLevel};
use crate::phases::search::*;
use crate::phases::tests::{DOOR, PASSAGE, find_order, goal_room};
use lurd_base::Budget;
use lurd_base::random::SplitMix64;
use lurd_level::Map;
use lurd_rules::Board;
use lurd_rules::feature::freeze;
use lurd_rules::oracle::levels;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Expansions compared on each level and order.
const EXPANSIONS: usize = 1_000;

#[derive(Clone)]
struct ReferenceNode {
    boxes: Coords,
    player: Coord,
    pushes: i32,
    /// Pushes that brought a box nearer to a target.
    refunds: i32,
    stage: usize,
    premature: bool,
    score: i32,
    last: Option<Coord>,
    expanded: bool,
}

struct ReferenceSearch<'s> {
    context: &'s Context,
    level: &'s ReferenceLevel,
    stages: &'s [Vec<CoordTarget>],
    nodes: Vec<ReferenceNode>,
    by_key: BTreeMap<(Coords, Coord), usize>,
    open: BTreeMap<i32, Vec<usize>>,
    pops: u32,
    cursor: i32,
    rows: BTreeMap<(usize, Coord), BTreeMap<Coord, i32>>,
    rules: PushRules<'s>,
    figures: Figures,
    expanded: Vec<usize>,
    solved: bool,
}

impl<'s> ReferenceSearch<'s> {
    fn new(context: &'s Context, level: &'s ReferenceLevel, stages: &'s [Vec<CoordTarget>]) -> Self {
        let mut search = Self {
            context,
            level,
            stages,
            nodes: Vec::new(),
            by_key: BTreeMap::new(),
            open: BTreeMap::new(),
            pops: 0,
            cursor: i32::MIN,
            rows: BTreeMap::new(),
            rules: PushRules::new(context),
            figures: Figures::default(),
            expanded: Vec::new(),
            solved: false,
        };
        search.rules.refresh();
        let (boxes, player) = (level.starts.clone(), level.player);
        let stage = search.unfilled(0, &boxes);
        let score = search.to_goals(&boxes) + 32 * search.missing(stage, &boxes);
        search.by_key.insert(search.key(&boxes, player), 0);
        let (pushes, refunds, premature, last, expanded) = (0, 0, false, None, false);
        search.nodes.push(ReferenceNode { boxes, player, pushes, refunds, stage, premature, score, last, expanded });
        search.open.insert(score, vec![0]);
        search
    }

    fn key(&self, boxes: &Coords, player: Coord) -> (Coords, Coord) {
        (boxes.clone(), self.level.zone(boxes, player).first().copied().unwrap_or(player))
    }

    fn to_goals(&self, boxes: &Coords) -> i32 {
        boxes.iter().filter_map(|&coord| self.level.to_goal(coord)).sum()
    }

    fn unfilled(&self, from: usize, boxes: &Coords) -> usize {
        let open = |stage: &usize| self.stages[*stage].iter().any(|(coord, _)| !boxes.contains(coord));
        (from..self.stages.len()).find(open).unwrap_or(self.stages.len())
    }

    /// Targets that are not filled: those of later stages, and the open ones of this.
    fn missing(&self, stage: usize, boxes: &Coords) -> i32 {
        let later: usize = self.stages.iter().skip(stage + 1).map(Vec::len).sum();
        let here = self.stages.get(stage).into_iter().flatten().filter(|(coord, _)| !boxes.contains(coord)).count();
        (later + here) as i32
    }

    /// A box that leaves a target sets the position back to its stage, unless it was parked there and may go home.
    fn after_leaving(&self, stage: usize, from: Coord) -> usize {
        let ends = self.stages.len();
        let wanted = (0..ends.min(stage + 1)).rev().find_map(|number| {
            self.stages[number].iter().find(|(coord, _)| *coord == from).map(|&(_, home)| (number, home))
        });
        match wanted {
            Some((_, Some(home))) if stage >= home || stage + 2 >= ends => stage,
            Some((number, _)) => number,
            None => stage,
        }
    }

    /// Whether a square is first a target in a later stage.
    fn is_later(&self, stage: usize, coord: Coord) -> bool {
        let first = self.stages.iter().position(|targets| targets.iter().any(|&(target, _)| target == coord));
        first.is_some_and(|first| first > stage)
    }

    fn square(&self, (row, column): Coord) -> Square {
        self.context.board.board().square_at(row, column).unwrap()
    }

    /// The position on the feature board, and its boxes as a set.
    fn position(&self, boxes: &Coords, player: Coord) -> (Position, Bits) {
        let list: Vec<Square> = boxes.iter().map(|&coord| self.square(coord)).collect();
        let position = Position::with(&self.context.board, &list, self.square(player));
        (position, Bits::of(self.context.board.len(), list))
    }

    fn run(&mut self) {
        while self.expanded.len() < EXPANSIONS && !self.solved {
            let Some(mut key) = self.open.keys().next().copied() else { return };
            self.pops += 1;
            if self.pops.is_multiple_of(8) {
                let above = self.open.range(self.cursor.saturating_add(1)..).next();
                key = above.map_or(key, |(&key, _)| key);
                self.cursor = key;
            }
            let bucket = self.open.get_mut(&key).unwrap();
            let newest = bucket.pop().unwrap();
            if bucket.is_empty() {
                self.open.remove(&key);
            }
            self.expand(newest);
        }
    }

    /// The pushes of a position, in order, and whether only those of a corral; `Err` if it is dead.
    fn moves(&mut self, node: &ReferenceNode) -> Result<(Vec<(Coord, Coord)>, bool), Rule> {
        let features = &self.context.board;
        let (mut position, set) = self.position(&node.boxes, node.player);
        let frozen = self.rules.freeze(&mut position, &set)?;
        let survey = features.survey(&position.taken);
        let corral = self.rules.corral(&position, &survey, &frozen, &self.figures)?;
        let mut boxes: Vec<Coord> = node.boxes.iter().copied().collect();
        let mut in_corral = false;
        if let PiCorral::Only(only) = corral {
            boxes = only.iter().map(|&square| features.board().place(square)).collect();
            in_corral = only.len() < node.boxes.len();
        }
        if node.pushes % 2 == 1 {
            boxes.reverse();
        }
        // A stable sort: the box pushed last goes first.
        boxes.sort_by_key(|&coord| Some(coord) != node.last);
        let zone = self.level.zone(&node.boxes, node.player);
        let mut moves = Vec::new();
        for from in boxes {
            for direction in 0..4 {
                let behind = self.level.beside(from, direction ^ 1).filter(|behind| zone.contains(behind));
                let to = self.level.beside(from, direction).filter(|to| !node.boxes.contains(to));
                let (Some(_), Some(to)) = (behind, to) else { continue };
                let [here, there] = [from, to].map(|coord| usize::from(self.square(coord)));
                if position.taken[here] == BOX && !frozen.closed[there] {
                    moves.push((from, to));
                }
            }
        }
        Ok((moves, in_corral))
    }

    fn expand(&mut self, number: usize) {
        if std::mem::replace(&mut self.nodes[number].expanded, true) {
            return;
        }
        self.expanded.push(number);
        self.figures.expanded += 1;
        let node = self.nodes[number].clone();
        let Ok((moves, in_corral)) = self.moves(&node) else { return };
        for (from, to) in moves {
            if !self.solved {
                self.push(&node, from, to, in_corral);
            }
        }
    }

    fn push(&mut self, parent: &ReferenceNode, from: Coord, to: Coord, in_corral: bool) {
        self.figures.generated += 1;
        let features = &self.context.board;
        let boxes: Coords = parent.boxes.iter().map(|&coord| if coord == from { to } else { coord }).collect();
        let (mut position, set) = self.position(&boxes, from);
        let pushed = self.square(to);
        let mut without_box = position.taken.clone();
        without_box[usize::from(pushed)] = 0;
        let player = position.player;
        if blocks(features, &without_box, pushed)
            || self.rules.dead_after_push(&mut position, &set, pushed, player).is_some()
        {
            return;
        }
        let pushes = parent.pushes + 1;
        let key = self.key(&boxes, from);
        let known = self.by_key.get(&key).copied();
        if known.is_some_and(|known| self.nodes[known].expanded || self.nodes[known].pushes <= pushes) {
            return;
        }
        self.solved |= boxes == self.level.goals;

        let stage = self.after_leaving(parent.stage, from);
        let open = |coord: &Coord| *coord == to || !boxes.contains(coord);
        let targets: Vec<Coord> = self.stages.get(stage).into_iter().flatten().map(|&(coord, _)| coord).collect();
        let (mut nearer, mut nearest) = (0, None);
        for &target in targets.iter().filter(|coord| open(coord)) {
            let row = self.rows.entry((stage, target)).or_insert_with(|| {
                let filled = self.stages[..stage].iter().flatten().filter(|(_, home)| home.is_none());
                self.level.pushes_to(target, &filled.map(|&(coord, _)| coord).collect())
            });
            let (before, now) = (row.get(&from).copied(), row.get(&to).copied());
            nearer += i32::from(now.is_some_and(|now| before.is_none_or(|before| now < before)));
            nearest = nearest.into_iter().chain(now).min();
        }
        let filled = self.unfilled(stage, &boxes);
        let to_goals = self.to_goals(&boxes);
        let mut score = pushes - parent.refunds + to_goals + 32 * self.missing(filled, &boxes)
            - 2 * nearer
            - i32::from(targets.contains(&to))
            + nearest.map_or(8, |nearest| 2 * (1 + nearest));
        let mut premature = parent.premature;
        if premature || self.is_later(filled, to) {
            let mut frozen = Vec::new();
            freeze::stuck(features, &mut position.taken, &position.boxes, &mut frozen);
            let is_later = |square: Square| self.is_later(filled, features.board().place(square));
            let count = frozen.iter().filter(|&&square| is_later(square)).count() as i32;
            premature = count > 0;
            score += count * to_goals / 2;
        }
        if in_corral {
            score = score.min(parent.score);
        }
        let refunds = parent.refunds + i32::from(nearer > 0);
        let (player, last, expanded) = (from, Some(to), false);
        let node = ReferenceNode { boxes, player, pushes, refunds, stage: filled, premature, score, last, expanded };
        let number = known.unwrap_or(self.nodes.len());
        if known.is_some() {
            self.nodes[number] = node;
        } else {
            self.nodes.push(node);
            self.by_key.insert(key, number);
        }
        let best = self.open.keys().next();
        if score <= parent.score && best.is_none_or(|&best| score <= best) {
            self.expand(number);
        } else {
            self.open.entry(score).or_default().push(number);
        }
    }
}

/// The engine's expansions: boxes, player and score, `count` of them if there are so many.
fn expansions(search: &mut StageSearch<'_>, count: usize) -> Vec<(Vec<Square>, Square, i32)> {
    let halt = Halt::new(Budget::unlimited());
    let mut known: Vec<bool> = Vec::new();
    let mut list = Vec::new();
    // The least work is at most one expansion.
    while list.len() < count && search.run(1, &halt) == SliceEnd::Open {
        known.resize(search.nodes.len(), false);
        for (number, node) in search.nodes.iter().enumerate() {
            if node.expanded && !std::mem::replace(&mut known[number], true) {
                list.push((squares(search.set(number as u32)).collect(), node.step.player, node.score));
            }
        }
    }
    list
}

#[test]
fn orders_and_expansions_agree_with_the_reference() {
    let mut random = SplitMix64::new(9);
    let mut maps: Vec<Map> = (0..3).map(|_| goal_room(&mut random)).collect();
    maps.extend([DOOR, PASSAGE].map(|text| Map::from_xsb(text).unwrap()));
    maps.extend(levels(9, 400));
    let (mut orders, mut compared, mut parked) = (0, 0, 0);
    for map in maps {
        let board = Arc::new(Board::new(&map).unwrap());
        let contexts = [(); 2].map(|()| Context::new(FeatureBoard::new(Arc::clone(&board)), None, Arc::default()));
        let features = &contexts[0].board;
        let level = ReferenceLevel::new(features);
        if level.starts == level.goals || level.starts.iter().any(|&coord| level.to_goal(coord).is_none()) {
            continue;
        }
        let coord = |square: Square| board.place(square);
        for options in OPTIONS {
            let stages = find_order(features, options);
            let target = |target: &Target| (coord(target.square), target.home);
            let targets: Option<Vec<Vec<CoordTarget>>> =
                stages.as_ref().map(|stages| stages.iter().map(|stage| stage.iter().map(target).collect()).collect());
            assert_eq!(targets, level.stages(options), "{map}\n{options:?}");
            let (Some(stages), Some(targets)) = (stages, targets) else { continue };
            orders += 1;
            parked += targets.iter().flatten().filter(|(_, home)| home.is_some()).count();
            let mut reference = ReferenceSearch::new(&contexts[1], &level, &targets);
            reference.run();
            let perimeter = Perimeter::new(1 << 22);
            let mut search = StageSearch::new(&contexts[0], &perimeter, PackingOrder::new(features, stages));
            let expansions = expansions(&mut search, reference.expanded.len());
            for (place, (real, &number)) in expansions.into_iter().zip(&reference.expanded).enumerate() {
                let node = &reference.nodes[number];
                let boxes: Coords = real.0.iter().map(|&square| coord(square)).collect();
                let expected = (&node.boxes, node.player, node.score);
                assert_eq!((&boxes, coord(real.1), real.2), expected, "expansion {place}\n{map}\n{targets:?}");
                compared += 1;
            }
        }
    }
    assert!(orders > 80 && parked > 0 && compared > 1_000, "{orders} {parked} {compared}");
}
