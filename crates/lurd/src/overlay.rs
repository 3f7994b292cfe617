//! What can be seen in a position: for someone who wants to understand it.
//!
//! Everything is computed for the position a board was compiled from, by the same rules the
//! engines use. *Rooms* and *tunnels* have no effect on a search; they are how people talk
//! about a board: a tunnel is where two walls face each other across one square, a room what
//! remains in one piece when the tunnels are taken away.

use lurd_base::Budget;
use lurd_level::Direction;
use lurd_rules::deadlock::corral::{Advice, Corrals};
use lurd_rules::deadlock::{Deadlock, Deadlocks, DetectorName, frozen_boxes};
use lurd_rules::distance::{Distances, FAR};
use lurd_rules::{Bits, Board, NO_SQUARE, Square, Walker};

/// A part of the floor the player cannot reach.
///
/// ```
/// use lurd::{Board, Budget, Level, overlay::Overlay};
/// let board = Board::new(&Level::parse("#######\n#@$ . #\n#######")?.map)?;
/// let overlay = Overlay::new(&board, None, &Budget::unlimited()).ok_or("the budget ended")?;
/// assert_eq!((overlay.corrals[0].squares.len(), overlay.corrals[0].fence.len()), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corral {
    /// Its squares.
    pub squares: Vec<Square>,
    /// The boxes next to it.
    pub fence: Vec<Square>,
}

/// What can be seen in a position.
///
/// ```
/// use lurd::{Board, Budget, Level, overlay::Overlay};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let board = Board::new(&level.map)?;
/// let overlay = Overlay::new(&board, None, &Budget::unlimited()).ok_or("the budget ended")?;
/// assert_eq!(overlay.zone.len(), 2);
/// assert_eq!(overlay.tunnels.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Overlay {
    /// Squares from which a box can never get to a goal.
    pub dead: Vec<Square>,
    /// Squares with walls on two opposite sides.
    pub tunnels: Vec<Square>,
    /// What the tunnels part.
    pub rooms: Vec<Vec<Square>>,
    /// Where the player can walk now.
    pub zone: Vec<Square>,
    /// Where he cannot, piece by piece.
    pub corrals: Vec<Corral>,
    /// Boxes of a corral that must be opened now; empty where there is none.
    pub pushed_first: Vec<Square>,
    /// Boxes that can never move again, unless onto a dead square.
    pub frozen: Vec<Square>,
    /// Fewest pushes from each square to the goal asked for, or to the nearest, on an empty board.
    pub distances: Vec<Option<u16>>,
    /// Why the position is lost, if a rule sees it.
    pub deadlock: Option<Deadlock>,
}

impl Overlay {
    /// Looks at the position a board was compiled from. Distances are to `goal`, or to the
    /// nearest. `None` where the budget ends first.
    ///
    /// ```
    /// use lurd::{Board, Budget, Level, overlay::Overlay};
    /// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
    /// let goal = board.goals()[0];
    /// let overlay = Overlay::new(&board, Some(goal), &Budget::unlimited()).ok_or("the budget ended")?;
    /// assert_eq!(overlay.distances[usize::from(goal)], Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(board: &Board, goal: Option<Square>, budget: &Budget) -> Option<Self> {
        if budget.out_of_memory(Distances::bytes(board)) {
            return None;
        }
        let distances = Distances::to_goals(board, budget).ok()?;
        let boxes = Bits::of(board.len(), board.start_boxes().iter().copied());
        let mut walker = Walker::new(board);
        walker.fill(board, &boxes, board.start_player());
        let mut zone = walker.zone().to_vec();
        zone.sort_unstable();
        let mut corrals = Corrals::new(board);
        let (pushed_first, shut) = match corrals.advise(board, &distances, &boxes, &walker) {
            Advice::Free => (Vec::new(), false),
            Advice::Only(pushes) => {
                let mut first: Vec<Square> = pushes.iter().map(|&(square, _)| square).collect();
                first.dedup();
                (first, pushes.is_empty())
            }
        };
        let tunnels: Vec<Square> = board.squares().filter(|&square| is_tunnel(board, square)).collect();
        let tunnel_set = Bits::of(board.len(), tunnels.iter().copied());
        let corrals = board
            .components(|square| !walker.reached(square) && !boxes.contains(square))
            .into_iter()
            .map(|squares| Corral { fence: around(board, &boxes, &squares), squares })
            .collect::<Vec<_>>();
        let place = goal.and_then(|goal| board.goals().iter().position(|&square| square == goal));
        let deadlock = lost(board, &distances, &boxes).or_else(|| {
            // A corral that no push can ever open.
            let mut boxes: Vec<Square> = corrals.iter().flat_map(|corral| corral.fence.clone()).collect();
            boxes.sort_unstable();
            boxes.dedup();
            shut.then_some(Deadlock { rule: DetectorName::Corral, boxes })
        });
        Some(Self {
            dead: board.squares().filter(|&square| distances.is_dead(square)).collect(),
            rooms: board.components(|square| !tunnel_set.contains(square)),
            tunnels,
            zone,
            corrals,
            pushed_first,
            frozen: frozen_boxes(board, &distances, &boxes).iter().collect(),
            distances: board.squares().map(|square| nearest(board, &distances, square, place)).collect(),
            deadlock,
        })
    }
}

/// Fewest pushes over all sides the player may be on.
fn nearest(board: &Board, distances: &Distances, square: Square, goal: Option<usize>) -> Option<u16> {
    let sides = Direction::ALL.into_iter().map(|direction| board.neighbour(square, direction));
    let far = |player: Square| match goal {
        Some(goal) => distances.row(square, player)[goal],
        None => distances.nearest(square, player),
    };
    sides.filter(|&player| player != NO_SQUARE).map(far).min().filter(|&pushes| pushes != FAR)
}

/// The first rule that calls the position lost, cheapest rule first, and the boxes at fault.
fn lost(board: &Board, distances: &Distances, boxes: &Bits) -> Option<Deadlock> {
    if boxes.is_subset(board.goal_set()) {
        return None;
    }
    Deadlocks::new(board, distances).anywhere(boxes, board.start_player())
}

fn is_tunnel(board: &Board, square: Square) -> bool {
    let between = |[a, b]: [Direction; 2]| board.wall(square, a) && board.wall(square, b);
    between([Direction::Left, Direction::Right]) || between([Direction::Up, Direction::Down])
}

/// The boxes next to some squares.
fn around(board: &Board, boxes: &Bits, squares: &[Square]) -> Vec<Square> {
    let mut fence = Bits::empty(board.len());
    for &square in squares {
        for direction in Direction::ALL {
            let neighbour = board.neighbour(square, direction);
            if neighbour != NO_SQUARE && boxes.contains(neighbour) {
                fence.insert(neighbour);
            }
        }
    }
    fence.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::Map;

    fn overlay(text: &str) -> (Board, Overlay) {
        let board = Board::new(&Map::from_xsb(text).unwrap()).unwrap();
        let overlay = Overlay::new(&board, None, &Budget::unlimited()).unwrap();
        (board, overlay)
    }

    #[test]
    fn a_box_in_a_corner_is_blamed() {
        let (board, overlay) = overlay("######\n#$ @ #\n#  . #\n######");
        let deadlock = overlay.deadlock.unwrap();
        assert_eq!(deadlock.rule, DetectorName::Corner);
        assert_eq!(deadlock.boxes, [board.square_at(1, 1).unwrap()]);
        assert_eq!(overlay.frozen, deadlock.boxes);
    }

    #[test]
    fn rooms_are_parted_by_tunnels() {
        let (board, overlay) = overlay("#########\n#   #   #\n# @   $.#\n#   #   #\n#########");
        assert_eq!(overlay.tunnels, [board.square_at(2, 4).unwrap()]);
        assert_eq!(overlay.rooms.len(), 2);
        assert_eq!(overlay.rooms.iter().map(Vec::len).sum::<usize>() + 1, board.len());
        assert!(overlay.deadlock.is_none() && overlay.corrals.is_empty());
    }

    #[test]
    fn a_corral_has_its_fence() {
        let (board, overlay) = overlay("#######\n#@$ . #\n#######");
        assert_eq!(overlay.corrals.len(), 1);
        assert_eq!(overlay.corrals[0].fence, [board.square_at(1, 2).unwrap()]);
        assert_eq!(overlay.zone, [board.start_player()]);
        assert_eq!(overlay.distances[usize::from(board.square_at(1, 2).unwrap())], Some(2));
    }

    #[test]
    fn a_solved_position_is_not_lost() {
        assert!(overlay("#####\n#*@ #\n#####").1.deadlock.is_none());
    }
}
