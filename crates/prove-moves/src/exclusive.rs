//! Squares of which at most one holds a box while the player is on a cell.
//!
//! Two boxes alone on the board, with the player's zone between them, are searched backwards from every pair of goals, and
//! forwards from every pair of boxes at the start. Where one of the searches does not come, no position of a solution has
//! these boxes and the player there: with the player on a cell of that zone, the two squares *exclude* each other. In a
//! tunnel, at a door, along a wall there are many such. Squares that all exclude each other, a *clique*, hold at most one box
//! while the player makes a step from that cell: what one of them is paid for, another is not ([`flow_lp`](crate::flow_lp)).

use crate::pairs::{Pairs, ZONES, pair_number};
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};

/// Which live squares exclude each other, and cliques of them in which every such pair occurs, and every square.
#[derive(Debug)]
pub(crate) struct Exclusive {
    cells: usize,
    /// The zone of each cell, by pair.
    zones: Vec<u8>,
    /// Whether two boxes and the player can be so in a solution, by `ZONES * pair + zone`.
    alive: Vec<bool>,
    /// By the player's cell.
    pub(crate) cliques: Vec<Vec<Vec<usize>>>,
}

impl Exclusive {
    pub(crate) fn new<const G: usize>(board: &DenseBoard) -> Self {
        let pairs = Pairs::new::<G>(board, |_| 1);
        let (solvable, reachable) = (solvable(board, &pairs), reachable(board, &pairs));
        let alive = solvable.into_iter().zip(reachable).map(|(solvable, reachable)| solvable && reachable).collect();
        let mut exclusive = Self { cells: board.cells(), zones: pairs.zones, alive, cliques: Vec::new() };
        let plane: Plane<G> = board.plane();
        let cliques = |cell| if plane.floor.contains(cell) { exclusive.gather(board, cell) } else { Vec::new() };
        exclusive.cliques = (0..board.cells()).map(cliques).collect();
        exclusive
    }

    /// Whether two squares never hold boxes together while the player is on a cell, which is neither of them.
    pub(crate) fn exclude(&self, cell: usize, one: usize, other: usize) -> bool {
        let pair = pair_number(one, other);
        !self.alive[pair * ZONES + usize::from(self.zones[pair * self.cells + cell])]
    }

    /// Gathers cliques: each begins with a pair that no other has, and grows by the square with which it has most such.
    fn gather(&self, board: &DenseBoard, cell: usize) -> Vec<Vec<usize>> {
        let squares: Vec<usize> = (0..board.live_count()).filter(|&square| board.cell(square) != cell).collect();
        let count = squares.len();
        let mut excluded = vec![false; count * count];
        for one in 0..count {
            for other in 0..one {
                let exclude = self.exclude(cell, squares[one], squares[other]);
                (excluded[one * count + other], excluded[other * count + one]) = (exclude, exclude);
            }
        }
        let mut left = excluded.clone();
        let mut alone = vec![true; count];
        let mut cliques = Vec::new();
        for low in 0..count {
            for high in low + 1..count {
                if !left[low * count + high] {
                    continue;
                }
                let mut clique = vec![low, high];
                let mut fits: Vec<usize> = (0..count).collect();
                let mut newest = 0;
                loop {
                    for &member in &clique[newest..] {
                        fits.retain(|&new| excluded[member * count + new]);
                    }
                    newest = clique.len();
                    let most = fits.iter().copied().max_by_key(|&new| {
                        let gained = clique.iter().filter(|&&member| left[member * count + new]).count();
                        (gained, std::cmp::Reverse(new))
                    });
                    let Some(new) = most else { break };
                    clique.push(new);
                }
                for &one in &clique {
                    alone[one] = false;
                    clique.iter().for_each(|&other| left[one * count + other] = false);
                }
                cliques.push(clique);
            }
        }
        cliques.extend((0..count).filter(|&square| alone[square]).map(|square| vec![square]));
        cliques.iter_mut().flatten().for_each(|square| *square = squares[*square]);
        cliques
    }
}

/// States from which two boxes come to goals.
fn solvable(board: &DenseBoard, pairs: &Pairs) -> Vec<bool> {
    let mut met = vec![false; pairs.witness.len()];
    let mut open = Vec::new();
    for (number, &goal) in board.goals().iter().enumerate() {
        for &other in &board.goals()[..number] {
            for state in pairs.states(pair_number(goal.into(), other.into())) {
                met[state] = true;
                open.push(state);
            }
        }
    }
    while let Some(state) = open.pop() {
        let (first, last) = (pairs.edges.first[state] as usize, pairs.edges.first[state + 1] as usize);
        for &(before, _) in &pairs.edges.before[first..last] {
            if !std::mem::replace(&mut met[before as usize], true) {
                open.push(before as usize);
            }
        }
    }
    met
}

/// States to which two boxes come from where they are at the start.
fn reachable(board: &DenseBoard, pairs: &Pairs) -> Vec<bool> {
    let cells = board.cells();
    let zone_at = |pair: usize, cell: usize| usize::from(pairs.zones[pair * cells + cell]);
    let mut met = vec![false; pairs.witness.len()];
    let mut open = Vec::new();
    let mut meet = |squares: [usize; 2], cell: usize, open: &mut Vec<([usize; 2], usize)>| {
        let pair = pair_number(squares[0], squares[1]);
        let zone = zone_at(pair, cell);
        if !std::mem::replace(&mut met[pair * ZONES + zone], true) {
            open.push((squares, zone));
        }
    };
    for (number, &one) in board.starts().iter().enumerate() {
        for &other in &board.starts()[..number] {
            meet([one.into(), other.into()], board.start_player(), &mut open);
        }
    }
    let steps = &board.way(Side::Forward).steps;
    while let Some(([one, other], zone)) = open.pop() {
        let pair = pair_number(one, other);
        for (moved, stays) in [(one, other), (other, one)] {
            for step in steps[4 * moved..4 * moved + 4].iter().filter(|step| step.to != NONE) {
                let (to, reach) = (usize::from(step.to), usize::from(step.reach));
                if to != stays && board.cell(stays) != reach && zone_at(pair, reach) == zone {
                    meet([to, stays], step.lands.into(), &mut open);
                }
            }
        }
    }
    met
}
