//! Scores of positions on the way through the stages, after YASS (Damgaard); smaller is better.
//!
//! Filled targets weigh most. Among positions with equally many, the box on its way to an open target of the stage goes
//! first, and the pushes that brought it nearer are refunded, so that one box goes all the way before another moves.
//! Emptying a target sets the position back to its stage.

use crate::phases::order::{Stage, Target};
use lurd_rules::Square;
use lurd_rules::feature::board::{FAR, FeatureBoard, WALL};
use lurd_rules::feature::lone_box::LoneBox;
use std::sync::OnceLock;

/// The cost of a target that is not filled.
const TARGET: i32 = 32;
/// The cost of pushing a box that cannot reach any open target of the stage.
const NO_TARGET: i32 = 8;

/// The stages with tables for the score.
#[derive(Debug)]
pub(super) struct PackingOrder {
    stages: Vec<Stage>,
    /// The number of targets before each stage, and of all.
    before: Vec<usize>,
    /// For each square the stages in which it is a target, in order, and the home stage of the box.
    stages_of: Vec<Vec<(usize, Option<usize>)>>,
    /// Pushes to each target of a stage, with all goals filled earlier as walls.
    rows: Vec<OnceLock<Vec<Vec<u16>>>>,
}

/// What accumulates along the path to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) stage: u16,
    /// Pushes that were not refunded: they brought no box nearer to a target.
    pub(super) charged: u16,
    /// Pushes of all boxes to their nearest goals.
    pub(super) distance: u16,
    /// A box is frozen on a goal of a later stage.
    pub(super) premature: bool,
}

impl PackingOrder {
    pub(super) fn new(board: &FeatureBoard, stages: Vec<Stage>) -> Self {
        let mut stages_of = vec![Vec::new(); board.len() + 1];
        let mut before = vec![0];
        for (number, stage) in stages.iter().enumerate() {
            for target in stage {
                stages_of[usize::from(target.square)].push((number, target.home));
            }
            before.push(before[number] + stage.len());
        }
        let rows = stages.iter().map(|_| OnceLock::new()).collect();
        Self { stages, before, stages_of, rows }
    }

    /// The first stage from this one on that is not filled.
    pub(super) fn unfilled(&self, stage: usize, taken: &[u8]) -> usize {
        let is_open = |target: &Target| taken[usize::from(target.square)] == 0;
        (stage..self.stages.len()).find(|&stage| self.stages[stage].iter().any(is_open)).unwrap_or(self.stages.len())
    }

    /// The stage after a box has left a square.
    pub(super) fn after_leaving(&self, stage: usize, from: Square) -> usize {
        let left = self.stages_of[usize::from(from)].iter().rev().find(|&&(number, _)| number <= stage);
        match left {
            // A parked box may leave from its home stage on, and in the last two stages.
            Some(&(_, Some(home))) if stage >= home || stage + 2 >= self.stages.len() => stage,
            Some(&(number, _)) => number,
            None => stage,
        }
    }

    /// Targets that are not filled: those of later stages, and the open ones of this.
    fn missing(&self, stage: usize, taken: &[u8]) -> usize {
        let targets = self.stages.get(stage).into_iter().flatten();
        let filled = targets.filter(|target| taken[usize::from(target.square)] != 0).count();
        self.before[self.stages.len()] - self.before[stage] - filled
    }

    /// Whether a square is first a target in a later stage.
    pub(super) fn is_later(&self, stage: usize, square: Square) -> bool {
        self.stages_of[usize::from(square)].first().is_some_and(|&(number, _)| number > stage)
    }

    /// The score of the first position.
    pub(super) fn first(&self, board: &FeatureBoard, boxes: &[Square], taken: &[u8]) -> (Progress, i32) {
        let stage = self.unfilled(0, taken);
        let distance: u32 = boxes.iter().map(|&square| u32::from(board.to_goal(square))).sum();
        let distance = distance.min(u32::from(u16::MAX)) as u16;
        let progress = Progress { stage: stage as u16, charged: 0, distance, premature: false };
        (progress, i32::from(distance) + TARGET * self.missing(stage, taken) as i32)
    }

    /// The progress and the score after a push from `from` to `to`, made already in `taken`.
    pub(super) fn after(
        &self,
        board: &FeatureBoard,
        progress: Progress,
        from: Square,
        to: Square,
        taken: &[u8],
    ) -> (Progress, i32) {
        let stage = self.after_leaving(usize::from(progress.stage), from);
        let mut approached = 0;
        let mut lands = false;
        let mut nearest = FAR;
        if let Some(targets) = self.stages.get(stage) {
            for (target, row) in targets.iter().zip(self.rows(board, stage)) {
                // Only targets that were open before the push.
                if target.square != to && taken[usize::from(target.square)] != 0 {
                    continue;
                }
                let (before, now) = (row[usize::from(from)], row[usize::from(to)]);
                approached += i32::from(now < before);
                lands |= target.square == to;
                nearest = nearest.min(now);
            }
        }
        let distance = (progress.distance + board.to_goal(to)).saturating_sub(board.to_goal(from));
        let next = self.unfilled(stage, taken);
        let score = i32::from(progress.charged) + 1 + i32::from(distance) + TARGET * self.missing(next, taken) as i32
            - 2 * approached
            - i32::from(lands)
            + if nearest == FAR { NO_TARGET } else { 2 * (1 + i32::from(nearest)) };
        let charged = progress.charged.saturating_add(u16::from(approached == 0));
        (Progress { stage: next as u16, charged, distance, premature: progress.premature }, score)
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
        rows * self.stages_of.len() * size_of::<u16>() + self.stages_of.len() * size_of::<Vec<u8>>()
    }
}
