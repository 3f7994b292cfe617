//! What a push is worth on the way through the stages; smaller scores are better.
//!
//! Filled targets weigh most. Among positions with as many of them, the box on its way to an open target of the
//! stage goes first, and the pushes that brought it nearer are given back, so that one box marches all the
//! way before another moves. A target that is emptied again throws the position back to its stage.

use crate::phases::order::Stage;
use lurd_rules::Square;
use lurd_rules::feature::board::{FAR, FeatureBoard, WALL};
use lurd_rules::feature::lone_box::LoneBox;
use std::sync::OnceLock;

/// What a target that is not filled costs.
const TARGET: i32 = 32;
/// What it costs to push a box that cannot reach any open target of the stage.
const ASTRAY: i32 = 8;

/// The stages with all that is asked of them.
#[derive(Debug)]
pub(super) struct Course {
    stages: Vec<Stage>,
    /// Targets of all stages before each stage, and of all.
    before: Vec<usize>,
    /// For each square the stages that want a box there, in order.
    wants: Vec<Vec<(usize, Option<usize>)>>,
    /// Pushes to each target of a stage, with all goals filled earlier as walls.
    rows: Vec<OnceLock<Vec<Vec<u16>>>>,
}

/// What is added up along the way to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    /// The stage that is being filled.
    pub(super) stage: u16,
    /// Pushes that brought no box nearer to a target.
    pub(super) spent: u16,
    /// Pushes of all boxes to their nearest goals.
    pub(super) distance: u16,
    /// A box is stuck on a goal before its time.
    pub(super) hasty: bool,
}

impl Course {
    pub(super) fn new(board: &FeatureBoard, stages: Vec<Stage>) -> Self {
        let mut wants = vec![Vec::new(); board.len() + 1];
        let mut before = vec![0];
        for (number, stage) in stages.iter().enumerate() {
            for target in stage {
                wants[usize::from(target.square)].push((number, target.home));
            }
            before.push(before[number] + stage.len());
        }
        let rows = stages.iter().map(|_| OnceLock::new()).collect();
        Self { stages, before, wants, rows }
    }

    /// The first stage from this one on that is not filled.
    pub(super) fn unfilled(&self, mut stage: usize, taken: &[u8]) -> usize {
        let full = |stage: &Stage| stage.iter().all(|target| taken[usize::from(target.square)] != 0);
        while stage < self.stages.len() && full(&self.stages[stage]) {
            stage += 1;
        }
        stage
    }

    /// The stage after a box has left a square.
    pub(super) fn after_leaving(&self, stage: usize, from: Square) -> usize {
        let wanted = self.wants[usize::from(from)].iter().rev().find(|&&(number, _)| number <= stage);
        match wanted {
            // A parked box may go when its time has come, and towards the end at any time.
            Some(&(_, Some(home))) if stage >= home || stage + 2 >= self.stages.len() => stage,
            Some(&(number, _)) => number,
            None => stage,
        }
    }

    /// Targets that count as not filled.
    fn missing(&self, stage: usize, taken: &[u8]) -> usize {
        let all = self.before[self.stages.len()] - self.before[stage];
        let filled = self
            .stages
            .get(stage)
            .map_or(0, |stage| stage.iter().filter(|target| taken[usize::from(target.square)] != 0).count());
        all - filled
    }

    /// The stage of a goal, if it is to be filled only later than `stage`.
    pub(super) fn is_early(&self, stage: usize, square: Square) -> bool {
        self.wants[usize::from(square)].first().is_some_and(|&(number, _)| number > stage)
    }

    /// The score of the first position.
    pub(super) fn first(&self, board: &FeatureBoard, boxes: &[Square], taken: &[u8]) -> (Tally, i32) {
        let stage = self.unfilled(0, taken);
        let distance: u32 = boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum();
        let distance = distance.min(u32::from(u16::MAX)) as u16;
        let tally = Tally { stage: stage as u16, spent: 0, distance, hasty: false };
        (tally, i32::from(distance) + TARGET * self.missing(stage, taken) as i32)
    }

    /// The tally and the score after a push from `from` to `to`, made already in `taken`.
    pub(super) fn after(
        &self,
        board: &FeatureBoard,
        tally: Tally,
        from: Square,
        to: Square,
        taken: &[u8],
    ) -> (Tally, i32) {
        let stage = self.after_leaving(usize::from(tally.stage), from);
        let mut approached = 0;
        let mut lands = false;
        let mut nearest = FAR;
        if let Some(targets) = self.stages.get(stage) {
            for (target, row) in targets.iter().zip(self.rows(board, stage)) {
                // Open before the push: filled since, or not at all.
                if target.square != to && taken[usize::from(target.square)] != 0 {
                    continue;
                }
                let (before, now) = (row[usize::from(from)], row[usize::from(to)]);
                approached += i32::from(now < before);
                lands |= target.square == to;
                nearest = nearest.min(now);
            }
        }
        let distance = (tally.distance + board.to_goal(to)).saturating_sub(board.to_goal(from));
        let next = self.unfilled(stage, taken);
        let score = i32::from(tally.spent) + 1 + i32::from(distance) + TARGET * self.missing(next, taken) as i32
            - 2 * approached
            - i32::from(lands)
            + if nearest == FAR { ASTRAY } else { 2 * (1 + i32::from(nearest)) };
        let spent = tally.spent.saturating_add(u16::from(approached == 0));
        (Tally { stage: next as u16, spent, distance, hasty: tally.hasty }, score)
    }

    fn rows(&self, board: &FeatureBoard, stage: usize) -> &[Vec<u16>] {
        self.rows[stage].get_or_init(|| {
            let mut walls = board.bare().to_vec();
            for target in self.stages[..stage].iter().flatten() {
                if target.home.is_none() {
                    walls[usize::from(target.square)] = WALL;
                }
            }
            let lone = LoneBox::new(board, &walls);
            self.stages[stage].iter().map(|target| lone.distances_to(board, &[target.square])).collect()
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let rows: usize = self.rows.iter().filter_map(OnceLock::get).map(Vec::len).sum();
        rows * self.wants.len() * size_of::<u16>() + self.wants.len() * size_of::<Vec<u8>>()
    }
}
