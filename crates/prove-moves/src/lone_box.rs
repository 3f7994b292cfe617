//! How many moves a box needs if it is alone, the player's walks round it included.
//!
//! Take all other boxes off the board and give this one any goal: whatever the player does in a solution, done
//! here, still brings the box to a goal, because a push of a box that is gone is a step. So the whole solution
//! has at least as many moves. The largest of these numbers over all boxes is a bound; their sum is none, because one
//! walk, or the pushes of one box, may serve several boxes at a time.

use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::set::Set;

/// Moves by the box's live square and the player's cell.
#[derive(Clone, Debug)]
pub(crate) struct LoneBound {
    cells: usize,
    moves: Vec<u16>,
}

/// No way to any goal.
const NEVER: u16 = u16::MAX;

impl LoneBound {
    /// Breadth-first search backwards from the box on a goal, the player anywhere.
    pub(crate) fn new<const G: usize>(board: &DenseBoard) -> Self {
        let (cells, live) = (board.cells(), board.live_count());
        let plane: Plane<G> = board.plane();
        let steps = &board.way(Side::Forward).steps;
        let mut undone = vec![NONE; 4 * live];
        for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            undone[usize::from(step.arrival)] = number as u16;
        }
        let mut moves = vec![NEVER; live * cells];
        let mut layer = Vec::new();
        for &goal in board.goals() {
            for player in plane.floor.iter().filter(|&cell| cell != board.cell(goal.into())) {
                moves[usize::from(goal) * cells + player] = 0;
                layer.push((usize::from(goal), player));
            }
        }
        let mut distance = 0;
        while !layer.is_empty() && distance + 1 < NEVER {
            distance += 1;
            for (square, player) in std::mem::take(&mut layer) {
                let mut visit = |square: usize, player: usize| {
                    let known = &mut moves[square * cells + player];
                    if *known == NEVER {
                        *known = distance;
                        layer.push((square, player));
                    }
                };
                for next in plane.beside(Set::single(player)).and(plane.floor).iter() {
                    if next != board.cell(square) {
                        visit(square, next);
                    }
                }
                for (arrival, &number) in undone.iter().enumerate().skip(4 * square).take(4) {
                    if usize::from(board.beside(arrival)) == player && number != NONE {
                        let number = usize::from(number);
                        visit(number / 4, steps[number].reach.into());
                    }
                }
            }
        }
        Self { cells, moves }
    }

    /// The most that any of the boxes needs.
    #[inline]
    pub(crate) fn bound<const L: usize>(&self, boxes: Set<L>, player: usize) -> i32 {
        let most = boxes.iter().map(|square| self.moves[square * self.cells + player]).max();
        i32::from(most.filter(|&moves| moves != NEVER).unwrap_or(0))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.moves[..])
    }
}
