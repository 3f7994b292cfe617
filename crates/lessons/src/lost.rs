//! Why a position is lost: a smallest set of boxes that can never all be brought to goals, even if every other box were
//! taken off the board, and the best that can still be done with them.
//!
//! Taking boxes away only gives more freedom, so a set that is dead alone is dead on the full board. Sets are tried by
//! size, and each by a search over all its positions: the first dead set is a smallest one.

use lurd::{Bits, Board, Budget, Direction, NO_SQUARE, Square, Walker};
use std::collections::HashSet;

/// Boxes of the largest sets that are tried.
const MOST: usize = 4;
/// Positions of all searches together.
const POSITIONS: usize = 400_000;

/// Boxes that can never all be brought to goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostReason {
    /// A smallest such set. No smaller set of boxes is dead by itself.
    pub boxes: Vec<Square>,
    /// Moves that bring as many of them to goals as can be, in LURD, on the board without the other boxes.
    pub line: String,
    /// How many stand on goals at the end of the line.
    pub home: usize,
    /// Positions of these boxes that were searched: all there are.
    pub positions: usize,
}

impl LostReason {
    /// The reason in words; the boxes are called marked, and the line is left out.
    pub fn words(&self) -> String {
        let boxes = match self.boxes.len() {
            1 => "the marked box can never get home".to_owned(),
            more => format!("the {more} marked boxes can never all get home"),
        };
        let positions = if self.positions == 1 { "position" } else { "positions" };
        format!("{boxes}, even with no other box on the board ({} {positions} tried)", self.positions)
    }
}

/// Looks for a smallest dead set of up to four boxes. `None` where there is none, the search would be too large, or the
/// budget ends: that does not mean that the position can be solved.
pub fn why_lost(board: &Board, boxes: &Bits, player: Square, budget: &Budget) -> Option<LostReason> {
    let squares: Vec<Square> = boxes.iter().collect();
    let mut left = POSITIONS;
    for size in 1..=MOST.min(squares.len()) {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            let set: Vec<Square> = chosen.iter().map(|&at| squares[at]).collect();
            // A search that finds its boxes home early is cheap; one that must look everywhere pays for it.
            match search(board, &set, player, left, budget)? {
                Found::Dead { line, home, positions } => return Some(LostReason { boxes: set, line, home, positions }),
                Found::Solvable { positions } => left = left.checked_sub(positions)?,
            }
            if !advance(&mut chosen, squares.len()) {
                break;
            }
        }
    }
    None
}

/// The next subset in lexicographic order.
fn advance(chosen: &mut [usize], among: usize) -> bool {
    let size = chosen.len();
    let Some(at) = (0..size).rev().find(|&at| chosen[at] < among - size + at) else { return false };
    chosen[at] += 1;
    for next in at + 1..size {
        chosen[next] = chosen[next - 1] + 1;
    }
    true
}

enum Found {
    Dead { line: String, home: usize, positions: usize },
    Solvable { positions: usize },
}

/// A position of the set: its boxes ascending and the lowest square of the player's zone.
type Position = (Vec<Square>, Square);

/// How a position was reached: from which, by which push.
#[derive(Clone, Copy)]
struct Link {
    parent: usize,
    from: Square,
    direction: Direction,
}

/// Searches all positions of a set of boxes. `None` where there are too many, or the budget ends.
fn search(board: &Board, set: &[Square], player: Square, most: usize, budget: &Budget) -> Option<Found> {
    let mut walker = Walker::new(board);
    let bits = |squares: &[Square]| Bits::of(board.len(), squares.iter().copied());
    let zone = walker.fill(board, &bits(set), player);
    let mut known: HashSet<Position> = HashSet::from([(set.to_vec(), zone)]);
    let mut queue: Vec<(Position, Option<Link>)> = vec![((set.to_vec(), zone), None)];
    let home = |squares: &[Square]| squares.iter().filter(|&&square| board.is_goal(square)).count();
    let mut best = 0;
    let mut next = 0;
    while next < queue.len() {
        let (position, _) = queue[next].clone();
        if home(&position.0) == set.len() {
            return Some(Found::Solvable { positions: queue.len() });
        }
        if home(&position.0) > home(&queue[best].0.0) {
            best = next;
        }
        let boxes = bits(&position.0);
        walker.fill(board, &boxes, position.1);
        let mut pushes = Vec::new();
        for &from in &position.0 {
            for direction in Direction::ALL {
                let (stand, to) = (board.neighbour(from, direction.opposite()), board.neighbour(from, direction));
                if stand != NO_SQUARE && to != NO_SQUARE && walker.reached(stand) && !boxes.contains(to) {
                    pushes.push((from, to, direction));
                }
            }
        }
        for (from, to, direction) in pushes {
            let mut squares: Vec<Square> =
                position.0.iter().map(|&square| if square == from { to } else { square }).collect();
            squares.sort_unstable();
            let zone = walker.fill(board, &bits(&squares), from);
            if known.insert((squares.clone(), zone)) {
                queue.push(((squares, zone), Some(Link { parent: next, from, direction })));
            }
        }
        next += 1;
        if queue.len() > most || next % 256 == 0 && budget.is_over() {
            return None;
        }
    }
    let line = line(board, set, player, &queue, best);
    Some(Found::Dead { line, home: home(&queue[best].0.0), positions: queue.len() })
}

/// The moves to a position of the search.
fn line(board: &Board, set: &[Square], player: Square, queue: &[(Position, Option<Link>)], end: usize) -> String {
    let mut links = Vec::new();
    let mut at = end;
    while let Some(link) = queue[at].1 {
        links.push(link);
        at = link.parent;
    }
    let mut walker = Walker::new(board);
    let mut boxes = Bits::of(board.len(), set.iter().copied());
    let (mut player, mut moves) = (player, String::new());
    for link in links.into_iter().rev() {
        let stand = board.neighbour(link.from, link.direction.opposite());
        walker.walk(board, &boxes, player, stand, &mut moves);
        moves.push(link.direction.letter(true));
        boxes.shift(link.from, board.neighbour(link.from, link.direction));
        player = link.from;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::{Goal, Level, State};

    fn reason(text: &str) -> Option<LostReason> {
        let board = Board::new(&Level::parse(text).unwrap().map).unwrap();
        let State { boxes, player } = State::start(&board);
        why_lost(&board, &boxes, player, &Budget::unlimited())
    }

    #[test]
    fn the_smallest_set_is_found() {
        let corner = reason("#######\n#$    #\n# @$ .#\n#    .#\n#######").unwrap();
        assert_eq!((corner.boxes.len(), corner.home, corner.line.as_str()), (1, 0, ""));
        assert!(corner.words().starts_with("the marked box can never get home"), "{}", corner.words());
        let line = reason("#######\n#.$ $ #\n#  @  #\n#    .#\n#######").unwrap();
        assert_eq!((line.boxes.len(), line.home), (2, 1), "one goal at the wall, two boxes: {line:?}");
        assert!(reason("######\n#@$ .#\n######").is_none(), "this one can be solved");
    }

    /// Every reason is right: the level with only these boxes, and enough goals taken away in any way, is unsolvable; and the
    /// line can be played.
    #[test]
    fn reasons_hold_on_the_board_without_the_other_boxes() {
        let texts = [
            "########\n#      #\n# $$   #\n# $$ @ #\n# .... #\n########",
            "#######\n#.$$  #\n#  @  #\n#    .#\n#######",
        ];
        for text in texts {
            let level = Level::parse(text).unwrap();
            assert_eq!(lurd::prove(&level, Goal::Pushes).unwrap().outcome, lurd::Outcome::Unsolvable);
            let board = Board::new(&level.map).unwrap();
            let found = reason(text).unwrap();
            let mut boxes = Bits::of(board.len(), found.boxes.iter().copied());
            let mut player = board.start_player();
            for letter in found.line.chars() {
                let direction = Direction::from_letter(letter).unwrap();
                let next = board.neighbour(player, direction);
                assert_ne!(next, NO_SQUARE);
                if boxes.contains(next) {
                    let to = board.neighbour(next, direction);
                    assert!(to != NO_SQUARE && !boxes.contains(to));
                    boxes.shift(next, to);
                }
                player = next;
            }
            assert_eq!(boxes.iter().filter(|&square| board.is_goal(square)).count(), found.home);
            assert!(found.home < found.boxes.len());
        }
    }

    #[test]
    fn it_can_be_stopped() {
        let board = Board::new(&Level::parse("#####\n#@$.#\n#####").unwrap().map).unwrap();
        let State { boxes, player } = State::start(&board);
        assert!(search(&board, &[boxes.iter().next().unwrap()], player, 0, &Budget::unlimited()).is_none());
    }
}
