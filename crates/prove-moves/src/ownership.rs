//! Ownership: who gets a share of which steps while heights are fitted by ascent.
//!
//! Some steps get an *owner*, a live square; a box there pays for the whole step, or for half of it where some box may
//! be pushed by that step, and the box pushed pays the other half. The walks that the cheapest ways of the
//! sample need ask for the steps on them, and those by which none of its boxes is pushed are given away, each to the square
//! that asks most. Neither giving away only steps that are never pushes, nor all, is always better, so some
//! potentials are fitted in the one way and some in the other.

use crate::box_paths::BoxPaths;
use crate::cost_partition::Shares;
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Which steps may get owners while heights are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// None.
    Nothing,
    /// Those by which no box is ever pushed: nothing is lost by giving them away.
    Walks,
    /// Those, and steps by which no box of the sample is pushed on its cheapest way.
    Any,
}

/// Who owns which steps.
#[derive(Clone, Debug)]
pub(crate) struct Owners {
    /// The live square that owns a step, by `4 * cell + direction`; [`NONE`] for nobody.
    owner: Vec<u16>,
    /// Whether a box can be pushed by a step: then its owner gets half of it.
    halved: Vec<bool>,
}

impl Owners {
    /// Nobody owns anything.
    pub(crate) fn none(board: &DenseBoard, slopes: &BoxPaths) -> Self {
        let halved = (0..4 * board.cells()).map(|step| can_push(board, slopes, step)).collect();
        Self { owner: vec![NONE; 4 * board.cells()], halved }
    }

    /// What everybody gets by these heights.
    pub(crate) fn shares(&self, board: &DenseBoard, slopes: &BoxPaths, heights: &[i32], scale: i32) -> Shares {
        let mut shares = Shares::none(board, slopes, heights, scale);
        for (step, &owner) in self.owner.iter().enumerate().filter(|(_, owner)| **owner != NONE) {
            let all = shares.cost(step);
            shares.give(&[owner.into()], false, step, if self.halved[step] { all / 2 } else { all });
        }
        shares
    }

    /// How much of a step that is a push counts for the box pushed, and how much of a step on a route for the box on its
    /// owner, in halves.
    pub(crate) fn halves(&self, step: usize) -> (i32, i32) {
        match (self.owner[step] == NONE, self.halved[step]) {
            (true, _) => (2, 0),
            (false, true) => (1, 1),
            (false, false) => (0, 2),
        }
    }

    /// Gives steps that nobody owns to squares that ask for them, for the walks of these turns: an arrival and the side it
    /// is to be pushed from, with how often each is needed. Steps `pushed` are not given away.
    pub(crate) fn claim(
        &mut self,
        claims: Ownership,
        board: &DenseBoard,
        slopes: &BoxPaths,
        shares: &Shares,
        turns: &BTreeMap<(usize, usize), u32>,
        pushed: &[bool],
    ) {
        let mut asked: BTreeMap<usize, BTreeMap<usize, u32>> = BTreeMap::new();
        for (&(arrival, side), &times) in turns {
            let Some(walk) = shares.walk(board, slopes, arrival) else { continue };
            let to = usize::from(board.beside(4 * (arrival / 4) + side));
            for step in walk.steps(to) {
                let step = step as usize;
                let free = self.owner[step] == NONE && !pushed[step];
                if free && (claims == Ownership::Any || !self.halved[step]) {
                    *asked.entry(step).or_default().entry(arrival / 4).or_default() += times;
                }
            }
        }
        for (step, asking) in asked {
            // Most votes; among equals the lowest square.
            let most = asking.into_iter().max_by_key(|&(square, votes)| (votes, Reverse(square)));
            if let Some((square, _)) = most {
                self.owner[step] = square as u16;
            }
        }
    }
}

/// Whether a box can be pushed by this step in any solution.
pub(crate) fn can_push(board: &DenseBoard, slopes: &BoxPaths, step: usize) -> bool {
    if slopes.next[step] == NONE {
        return false;
    }
    let square = board.live_at(slopes.next[step].into());
    square != NONE && board.way(Side::Forward).steps[4 * usize::from(square) + step % 4].to != NONE
}
