//! Ownership: a coarse cost partition, chosen while a potential function is fitted by ascent.
//!
//! Some steps get an *owner*, a live square. A box there pays for the whole step, or for half of it where some box may be
//! pushed by that step; the box pushed pays the other half. The walks on the cheapest paths of the sample demand the steps
//! they consist of; a step by which no box of the sample is pushed goes to the square that demands it most. Neither giving
//! away only steps that are never pushes nor all such steps is always better, so some potentials are fitted in the one way
//! and some in the other.

use crate::box_paths::BoxPaths;
use crate::cost_partition::Shares;
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Which steps may get an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    None,
    /// Those by which no box is ever pushed: nothing is lost.
    Walks,
    /// Those, and steps by which no box of the sample is pushed on its cheapest path.
    Any,
}

#[derive(Clone, Debug)]
pub(crate) struct Owners {
    /// The live square that owns a step, by `4 * cell + direction`; [`NONE`] where no square does.
    owner: Vec<u16>,
    /// Whether a box can be pushed by a step: then its owner gets half of it.
    halved: Vec<bool>,
}

impl Owners {
    pub(crate) fn none(board: &DenseBoard, paths: &BoxPaths) -> Self {
        let halved = (0..4 * board.cells()).map(|step| can_push(board, paths, step)).collect();
        Self { owner: vec![NONE; 4 * board.cells()], halved }
    }

    /// The cost partition by a potential function.
    pub(crate) fn shares(&self, board: &DenseBoard, paths: &BoxPaths, potential: &[i32], scale: i32) -> Shares {
        let mut shares = Shares::none(board, paths, potential, scale);
        for (step, &owner) in self.owner.iter().enumerate().filter(|(_, owner)| **owner != NONE) {
            let all = shares.cost(step);
            shares.give(&[owner.into()], false, step, if self.halved[step] { all / 2 } else { all });
        }
        shares
    }

    /// The share of the box pushed by a step, and that of its owner, in halves.
    pub(crate) fn halves(&self, step: usize) -> (i32, i32) {
        match (self.owner[step] == NONE, self.halved[step]) {
            (true, _) => (2, 0),
            (false, true) => (1, 1),
            (false, false) => (0, 2),
        }
    }

    /// Assigns steps without owner to the squares whose walks demand them. `walks` counts the walks of the sample by box
    /// arrival and the side from which the box is pushed next. Steps `pushed` keep no owner.
    pub(crate) fn assign(
        &mut self,
        ownership: Ownership,
        board: &DenseBoard,
        paths: &BoxPaths,
        shares: &Shares,
        walks: &BTreeMap<(usize, usize), u32>,
        pushed: &[bool],
    ) {
        let mut demand: BTreeMap<usize, BTreeMap<usize, u32>> = BTreeMap::new();
        for (&(arrival, side), &times) in walks {
            let Some(cheapest) = shares.walks(board, paths, arrival, [side].into_iter()) else { continue };
            let to = usize::from(board.beside(4 * (arrival / 4) + side));
            for step in cheapest.steps(to) {
                let step = step as usize;
                let free = self.owner[step] == NONE && !pushed[step];
                if free && (ownership == Ownership::Any || !self.halved[step]) {
                    *demand.entry(step).or_default().entry(arrival / 4).or_default() += times;
                }
            }
        }
        for (step, squares) in demand {
            // The greatest demand; among equals the lowest square.
            let most = squares.into_iter().max_by_key(|&(square, times)| (times, Reverse(square)));
            if let Some((square, _)) = most {
                self.owner[step] = square as u16;
            }
        }
    }
}

/// Whether a box can be pushed by this step in any solution.
pub(crate) fn can_push(board: &DenseBoard, paths: &BoxPaths, step: usize) -> bool {
    if paths.next[step] == NONE {
        return false;
    }
    let square = board.live_at(paths.next[step].into());
    square != NONE && board.way(Side::Forward).steps[4 * usize::from(square) + step % 4].to != NONE
}
