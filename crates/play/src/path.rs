//! The shortest way to walk to a square, and to push one box to a square.

use lurd::{Bits, Board, Direction, NO_SQUARE, Square, State, Walker};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Squares a push path may look at before it gives up: some tenths of a second. Only boards of
/// many thousand squares come near it.
const MOST_LOOKS: usize = 40_000_000;

/// Why a box is not pushed somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoPush {
    #[error("there is no box to push")]
    NoBox,
    /// Walls or other boxes are in the way.
    #[error("that box cannot be pushed there alone")]
    Blocked,
    #[error("the board is too large to work that out; push it part of the way")]
    TooLarge,
}

/// The steps of a shortest walk that pushes nothing.
pub(crate) fn walk(board: &Board, boxes: &Bits, from: Square, to: Square) -> Option<Vec<Direction>> {
    if boxes.contains(to) {
        return None;
    }
    let mut letters = String::new();
    Walker::new(board)
        .walk(board, boxes, from, to, &mut letters)
        .then(|| letters.chars().filter_map(Direction::from_letter).collect())
}

/// The steps that bring the box on `from` to `to` with the fewest pushes and, among those, the
/// fewest moves. The other boxes stay where they are.
///
/// A search over where the box is and from which side it was pushed last: after a push the
/// player stands on the square the box left, so these two say everything.
pub(crate) fn push(board: &Board, state: &State, from: Square, to: Square) -> Result<Vec<Direction>, NoPush> {
    if !state.boxes.contains(from) {
        return Err(NoPush::NoBox);
    }
    if to != from && state.boxes.contains(to) {
        return Err(NoPush::Blocked);
    }
    let mut search = PushSearch::new(board, state, from);
    let end = search.run(to)?;
    search.steps(end).ok_or(NoPush::Blocked)
}

/// Pushes first, moves second: the order of tuples is the order of preference.
type Cost = (u32, u32);

/// A box square and the direction of the push that brought it there.
type Node = (Square, Option<Direction>);

struct PushSearch<'a> {
    board: &'a Board,
    start: &'a State,
    from: Square,
    others: Bits,
    walker: Walker,
    best: Vec<Option<(Cost, Node)>>,
}

impl<'a> PushSearch<'a> {
    fn new(board: &'a Board, start: &'a State, from: Square) -> Self {
        let mut others = start.boxes.clone();
        others.remove(from);
        Self { board, start, from, others, walker: Walker::new(board), best: vec![None; board.len() * 4] }
    }

    fn slot(square: Square, direction: Direction) -> usize {
        usize::from(square) * 4 + direction as usize
    }

    /// Where the player stands in a node.
    fn player(&self, (square, direction): Node) -> Square {
        direction.map_or(self.start.player, |direction| self.board.neighbour(square, direction.opposite()))
    }

    /// Dijkstra's algorithm; returns the node in which the box has arrived.
    fn run(&mut self, to: Square) -> Result<Node, NoPush> {
        let mut queue: BinaryHeap<Reverse<(Cost, Square, u8)>> = BinaryHeap::new();
        let first: Node = (self.from, None);
        if self.from == to {
            return Ok(first);
        }
        let mut looks = 0;
        self.expand(first, (0, 0), &mut queue, &mut looks);
        while let Some(Reverse((cost, square, direction))) = queue.pop() {
            let direction = Direction::ALL[usize::from(direction)];
            if self.best[Self::slot(square, direction)].is_none_or(|(known, _)| known < cost) {
                continue;
            }
            let node = (square, Some(direction));
            if square == to {
                return Ok(node);
            }
            if looks > MOST_LOOKS {
                return Err(NoPush::TooLarge);
            }
            self.expand(node, cost, &mut queue, &mut looks);
        }
        Err(NoPush::Blocked)
    }

    fn expand(
        &mut self,
        node: Node,
        (pushes, moves): Cost,
        queue: &mut BinaryHeap<Reverse<(Cost, Square, u8)>>,
        looks: &mut usize,
    ) {
        let (square, _) = node;
        let player = self.player(node);
        self.others.insert(square);
        self.walker.measure(self.board, &self.others, player);
        self.others.remove(square);
        *looks += self.walker.zone_size();
        for direction in Direction::ALL {
            let behind = self.board.neighbour(square, direction.opposite());
            let ahead = self.board.neighbour(square, direction);
            let blocked = behind == NO_SQUARE || ahead == NO_SQUARE || self.others.contains(ahead);
            if blocked || !self.walker.reached(behind) {
                continue;
            }
            let cost = (pushes + 1, moves + u32::from(self.walker.steps(behind)) + 1);
            let slot = &mut self.best[Self::slot(ahead, direction)];
            if slot.is_none_or(|(known, _)| cost < known) {
                *slot = Some((cost, node));
                queue.push(Reverse((cost, ahead, direction as u8)));
            }
        }
    }

    /// The steps from the start to a node.
    fn steps(&mut self, end: Node) -> Option<Vec<Direction>> {
        let mut chain = vec![end];
        let mut node = end;
        while let (square, Some(direction)) = node {
            node = self.best[Self::slot(square, direction)]?.1;
            chain.push(node);
        }
        chain.reverse();
        let mut steps = Vec::new();
        for pair in chain.windows(2) {
            let (square, _) = pair[0];
            let direction = pair[1].1?;
            let behind = self.board.neighbour(square, direction.opposite());
            self.others.insert(square);
            let way = walk(self.board, &self.others, self.player(pair[0]), behind);
            self.others.remove(square);
            steps.extend(way?);
            steps.push(direction);
        }
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, drawn as game};
    use lurd::Map;
    use std::collections::{HashMap, VecDeque};
    use std::sync::Arc;

    fn at(game: &Game, row: usize, column: usize) -> Square {
        game.board().square_at(row, column).unwrap()
    }

    #[test]
    fn a_walk_goes_round_boxes_and_says_when_there_is_none() {
        let game = game("######\n#@$ .#\n#    #\n######");
        assert_eq!(game.walk_to(at(&game, 1, 3)).unwrap().len(), 4);
        assert_eq!(game.walk_to(game.player()).unwrap().len(), 0);
        assert!(game.walk_to(at(&game, 1, 2)).is_none(), "a box stands there");
        let shut = crate::game::drawn("######\n#@$ .#\n######");
        assert!(shut.walk_to(at(&shut, 1, 3)).is_none());
    }

    #[test]
    fn a_push_path_turns_corners() {
        let mut game = game("#######\n#     #\n# @$  #\n#     #\n#    .#\n#######");
        let (from, to) = (at(&game, 2, 3), at(&game, 4, 5));
        let steps = game.push_to(from, to).unwrap();
        for direction in steps {
            game.step(direction).unwrap();
        }
        assert!(game.is_solved());
        assert_eq!(game.pushes(), 4);
    }

    #[test]
    fn a_box_that_cannot_get_there_has_no_path() {
        let game = game("#######\n#@$  .#\n#     #\n#######");
        assert_eq!(game.push_to(at(&game, 1, 2), at(&game, 2, 2)), Err(NoPush::Blocked), "it cannot leave the wall");
        assert_eq!(game.push_to(at(&game, 1, 3), at(&game, 1, 4)), Err(NoPush::NoBox));
        assert_eq!(game.push_to(at(&game, 1, 2), at(&game, 1, 2)), Ok(Vec::new()));
    }

    #[test]
    fn a_huge_board_is_given_up_and_not_called_blocked() {
        let mut rows = vec![vec![lurd::Cell::Floor; 240]; 240];
        rows[1][1] = lurd::Cell::Player;
        rows[2][2] = lurd::Cell::Box;
        rows[200][200] = lurd::Cell::Goal;
        let game = Game::new(Arc::new(Board::new(&Map::from_rows(&rows)).unwrap()));
        let to = at(&game, 237, 237);
        assert_eq!(game.push_to(at(&game, 2, 2), to), Err(NoPush::TooLarge));
        assert!(game.push_to(at(&game, 2, 2), at(&game, 4, 9)).is_ok());
    }

    /// Every push path has exactly the pushes and moves that a plain search over single steps,
    /// cheapest (pushes, moves) first, finds with the other boxes as walls.
    #[test]
    fn push_paths_are_the_shortest() {
        let level = "########\n#   #  #\n# $    #\n#  ## ##\n# @  $ #\n#  # ..#\n########";
        let game = game(level);
        let board = game.board().clone();
        for from in game.boxes().iter().collect::<Vec<_>>() {
            let expected = brute_force(&board, game.boxes(), game.player(), from);
            for to in board.squares() {
                let found = game.push_to(from, to).ok().map(|steps| {
                    let mut replay = game.clone();
                    steps.iter().for_each(|&d| assert!(replay.step(d).is_some()));
                    assert!(replay.boxes().contains(to));
                    (replay.pushes() as u32, replay.moves() as u32)
                });
                assert_eq!(found, expected.get(&to).copied(), "{from} to {to}");
            }
        }
    }

    fn brute_force(board: &Board, boxes: &Bits, player: Square, from: Square) -> HashMap<Square, Cost> {
        let mut others = boxes.clone();
        others.remove(from);
        let mut known: HashMap<(Square, Square), Cost> = HashMap::from([((from, player), (0, 0))]);
        let mut queue = VecDeque::from([(from, player)]);
        while let Some(here @ (boxed, man)) = queue.pop_front() {
            let (pushes, moves) = known[&here];
            for direction in Direction::ALL {
                let ahead = board.neighbour(man, direction);
                if ahead == NO_SQUARE || others.contains(ahead) {
                    continue;
                }
                let (next, cost) = if ahead == boxed {
                    let beyond = board.neighbour(ahead, direction);
                    if beyond == NO_SQUARE || others.contains(beyond) {
                        continue;
                    }
                    ((beyond, ahead), (pushes + 1, moves + 1))
                } else {
                    ((boxed, ahead), (pushes, moves + 1))
                };
                // Relaxed until nothing improves: slow and plainly right.
                if known.get(&next).is_none_or(|&old| cost < old) {
                    known.insert(next, cost);
                    queue.push_back(next);
                }
            }
        }
        let mut best: HashMap<Square, Cost> = HashMap::new();
        for ((boxed, _), cost) in known {
            let slot = best.entry(boxed).or_insert(cost);
            *slot = (*slot).min(cost);
        }
        best
    }
}
