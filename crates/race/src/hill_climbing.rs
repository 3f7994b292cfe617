//! Hill climbing for levels with many boxes near their goals, and for few boxes on a large board.
//!
//! Such a level needs no plan, but its positions are expensive: the other strategies generate the pushes of every box in
//! each of them, and prepare tables before. Here boxes are matched with goals at minimum cost. Each box off its goal, the
//! nearest first, then makes one macro move to its goal, or as near to it as the other boxes allow. A move that freezes a
//! box off a goal is not made, and no move is taken back. When no box comes nearer, the level is left to the others.

use crate::macros::{BoxMove, Macro, Macros, PUSH, try_move};
use crate::solution;
use crate::strategy::{Grant, Halt};
use lurd_rules::assignment::{AugmentingPaths, Matching};
use lurd_rules::cuts::Rule;
use lurd_rules::feature::board::{FAR, FeatureBoard};
use lurd_rules::feature::freeze::freezes;
use lurd_rules::feature::position::Position;
use lurd_rules::{Figures, Push, Square};

/// The name shown in notes and logs.
pub(super) const NAME: &str = "hill climbing";

/// Levels with fewer boxes on fewer squares are left to the other strategies, which solve them as fast.
const LEAST_BOXES: usize = 32;
const LEAST_SQUARES: usize = 2_500;

/// Distances held, one for each goal and square: larger levels are not climbed.
const MOST_DISTANCES: usize = 1 << 25;

/// The climb ends after so many macro searches for each box.
const TRIES: usize = 6;

/// What a climb came to.
pub(super) struct Climbed {
    /// The pushes of a solution, if it ended in one.
    pub(super) pushes: Option<Vec<Push>>,
    /// No solution has fewer pushes: what the boxes need to their goals if each were alone.
    pub(super) lower_bound: Option<usize>,
    pub(super) figures: Figures,
}

/// Climbs from the start.
pub(super) fn climb(board: &FeatureBoard, halt: &Halt) -> Climbed {
    let mut climb = Climb::new(board);
    let boxes = board.starts().len();
    let suits = boxes >= LEAST_BOXES || board.len() >= LEAST_SQUARES;
    let distances = boxes * board.len();
    let fits =
        distances <= MOST_DISTANCES && !halt.budget().out_of_memory(board.bytes() + distances * size_of::<u16>());
    let is_solved = suits && fits && climb.run(halt);
    let pushes = is_solved.then(|| solution::pushes(board, &climb.moves)).flatten();
    Climbed { pushes, lower_bound: climb.lower_bound, figures: climb.figures }
}

struct Climb<'b> {
    board: &'b FeatureBoard,
    position: Position,
    macros: Macros,
    moves: Vec<BoxMove>,
    /// The cost of the matching at the start.
    lower_bound: Option<usize>,
    figures: Figures,
}

impl<'b> Climb<'b> {
    fn new(board: &'b FeatureBoard) -> Self {
        Self {
            board,
            position: Position::with(board, board.starts(), board.player()),
            macros: Macros::new(board),
            moves: Vec::new(),
            lower_bound: None,
            figures: Figures::default(),
        }
    }

    /// Whether the last position is solved.
    fn run(&mut self, halt: &Halt) -> bool {
        let boxes = self.position.boxes.len();
        let mut to_goal: Vec<Vec<u16>> = Vec::with_capacity(boxes);
        for &goal in self.board.goals() {
            if halt.is_requested() {
                return false;
            }
            to_goal.push(self.board.lone().distances_to(self.board, &[goal]));
        }
        let mut matching = Matching::empty(boxes);
        let mut paths = AugmentingPaths::new(boxes);
        let mut grant = halt.grant();
        loop {
            let Some(goal_of) = self.matched(&to_goal, &mut matching, &mut paths, halt) else { return false };
            self.lower_bound.get_or_insert(matching.total as usize);
            let left = |climb: &Self, place: usize| to_goal[goal_of[place]][usize::from(climb.position.boxes[place])];
            let mut places: Vec<usize> = (0..boxes).filter(|&place| left(self, place) > 0).collect();
            if places.is_empty() {
                return true;
            }
            places.sort_by_key(|&place| left(self, place));
            let before = self.moves.len();
            for place in places {
                if halt.is_requested() || self.figures.expanded >= (TRIES * boxes) as u64 {
                    return false;
                }
                self.approach(place, &to_goal[goal_of[place]], &mut grant);
            }
            if self.moves.len() == before {
                return false;
            }
        }
    }

    /// The goal of each box by a minimum-cost matching; none if a box can have no goal, or after a halt.
    fn matched(
        &self,
        to_goal: &[Vec<u16>],
        matching: &mut Matching,
        paths: &mut AugmentingPaths,
        halt: &Halt,
    ) -> Option<Vec<usize>> {
        let boxes = &self.position.boxes;
        let costs: Vec<Vec<u16>> =
            boxes.iter().map(|&square| to_goal.iter().map(|row| row[usize::from(square)]).collect()).collect();
        matching.clear();
        let mut pair = |row| paths.augment(|row| &costs[usize::from(row)][..], matching, row);
        let is_perfect = (0..boxes.len() as u16).all(|row| !halt.is_requested() && pair(row));
        let mut goal_of = vec![0; boxes.len()];
        for (goal, &row) in matching.rows.iter().enumerate().filter(|_| is_perfect) {
            goal_of[usize::from(row)] = goal;
        }
        is_perfect.then_some(goal_of)
    }

    /// Moves a box as near to its goal as it comes without a freeze.
    fn approach(&mut self, place: usize, to_goal: &[u16], grant: &mut Grant<'_>) {
        let Self { board, position, macros, .. } = self;
        let from = position.boxes[place];
        let left = |square: Square| to_goal[usize::from(square)];
        self.figures.expanded += 1;
        let mut found: Vec<Macro> = Vec::new();
        let mut scratch = Vec::new();
        // Mostly the goal is reached without a detour: then the rest of the board need not be searched.
        for farthest in [left(from), FAR] {
            found.clear();
            let may_enter = |_: &[u8], to: Square| !board.is_dead(to) && left(to) <= farthest;
            macros.find::<PUSH>(board, position, from, may_enter, &mut found);
            let granted = found.iter().take_while(|_| grant.take()).count();
            self.figures.generated += granted as u64;
            found.truncate(granted);
            found.retain(|step| left(step.to) < left(from) && left(step.to) != FAR);
            found.sort_by_key(|step| left(step.to));
            if farthest != FAR && found.first().is_none_or(|step| left(step.to) > 0) {
                continue;
            }
            for step in &found {
                try_move(position, place, from, step.to);
                let is_dead = freezes(board, &mut position.taken, &position.boxes, step.to, &mut scratch);
                try_move(position, place, step.to, from);
                if !is_dead {
                    position.shift(board, from, step.to, step.player);
                    self.moves.push(step.box_move());
                    return;
                }
                self.figures.cuts.count(Rule::Freeze);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{board, replay};
    use lurd_base::Budget;
    use lurd_base::random::SplitMix64;

    /// A room of `side` times `side` boxes, each one push from its goal.
    fn crowd(side: usize) -> String {
        let wall = "#".repeat(3 * side + 3);
        let aisle = format!("#{}#\n", " ".repeat(3 * side + 1));
        let row = format!("# {}#\n", "$. ".repeat(side));
        format!("{wall}\n{}{}{wall}\n", aisle.replacen(' ', "@", 1), format!("{row}{aisle}").repeat(side))
    }

    #[test]
    fn boxes_beside_their_goals_are_pushed_home_one_by_one() {
        for side in [6, 12] {
            let board = board(&crowd(side));
            let features = FeatureBoard::new(board.clone());
            let Climbed { pushes, lower_bound, figures } = climb(&features, &Halt::new(Budget::unlimited()));
            let pushes = pushes.expect("every box is one push from home");
            assert_eq!((pushes.len(), figures.expanded as usize), (side * side, side * side));
            assert_eq!(lower_bound, Some(side * side));
            replay(&board, &pushes);
        }
    }
    /// A hall of `side` times `side` squares with boxes strewn in its middle and goals along a wall.
    fn hall(side: usize, boxes: usize) -> String {
        let mut rows = vec![vec!['#'; side + 2]; side + 2];
        rows[1..=side].iter_mut().for_each(|row| row[1..=side].fill(' '));
        let mut random = SplitMix64::new(5);
        for place in 0..boxes {
            rows[1][2 + 3 * place] = '.';
            let (row, column) = (side / 3 + random.below(side / 3), 2 + 3 * (random.below(side / 3 - 1)));
            rows[row][column] = '$';
        }
        rows[side][1] = '@';
        rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// A level that no other strategy of the race can prepare.
    #[test]
    fn few_boxes_on_a_large_board_are_pushed_home() {
        let board = board(&hall(100, 8));
        let climbed = climb(&FeatureBoard::new(board.clone()), &Halt::new(Budget::unlimited()));
        replay(&board, &climbed.pushes.expect("nothing is in the way"));
    }

    /// With no time left neither distances nor a matching are computed.
    #[test]
    fn a_halt_ends_the_preparation() {
        let features = FeatureBoard::new(board(&hall(60, 8)));
        let halt = Halt::new(Budget::unlimited());
        assert!(climb(&features, &halt).lower_bound.is_some());
        halt.request();
        let Climbed { pushes, lower_bound, figures } = climb(&features, &halt);
        assert_eq!((pushes, lower_bound, figures.expanded), (None, None, 0));
    }

    /// The distances of thousands of goals on a board of tens of thousands of squares are not computed.
    #[test]
    fn a_level_whose_distances_do_not_fit_is_left_to_others() {
        let mut hall = hall(254, 0);
        // Boxes on goals, in pairs that can be pushed.
        hall = hall
            .lines()
            .enumerate()
            .map(|(row, line)| if row % 4 == 2 { line.replace("    ", " *  ") } else { line.into() })
            .collect::<Vec<_>>()
            .join("\n");
        let features = FeatureBoard::new(board(&hall));
        assert!(features.goals().len() * features.len() > MOST_DISTANCES);
        let Climbed { pushes, lower_bound, .. } = climb(&features, &Halt::new(Budget::unlimited()));
        assert_eq!((pushes, lower_bound), (None, None));
    }
}
