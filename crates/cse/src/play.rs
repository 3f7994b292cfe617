//! A game between a person and the computer, move by move.

use crate::advice::Advice;
use crate::entry::{EntryError, parse_move};
use crate::rules::{Move, Position, Refusal, Start};
use lurd_search::game::{Side, Strategy};

/// Why a turn did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("it is {0}'s turn")]
    NotYourTurn(&'static str),
}

/// A move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub side: Side,
    pub mv: Move,
}

/// A game in progress. A refused entry changes nothing: the turn stays.
#[derive(Clone, Debug)]
pub struct Match {
    start: Position,
    position: Position,
    computer: Side,
    strategy: Strategy,
    turns: Vec<Turn>,
}

impl Match {
    /// A new game. The computer is MAX unless the two swap.
    pub fn new(start: Start, first: Side, computer: Side, strategy: Strategy) -> Self {
        let start = Position::new(start, first);
        Self { start, position: start, computer, strategy, turns: Vec::new() }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the computer moves next; not after the end.
    pub fn is_computers_turn(&self) -> bool {
        self.position.ending().is_none() && self.position.side_to_move() == self.computer
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// What every move of the position is worth, by the computer's method.
    pub fn advice(&self) -> Advice {
        Advice::of(&self.position, self.strategy)
    }

    /// The person's move, as typed.
    pub fn enter(&mut self, text: &str) -> Result<Turn, TurnError> {
        self.place(parse_move(text)?)
    }

    /// The person's move.
    pub fn place(&mut self, mv: Move) -> Result<Turn, TurnError> {
        if self.is_computers_turn() {
            return Err(TurnError::NotYourTurn("the computer"));
        }
        Ok(self.make(mv)?)
    }

    /// The computer's move, and what it thought.
    pub fn computer_moves(&mut self) -> Result<(Turn, Advice), TurnError> {
        if self.position.ending().is_none() && !self.is_computers_turn() {
            return Err(TurnError::NotYourTurn("the person"));
        }
        let advice = self.advice();
        let best = advice.best.ok_or(Refusal::Over)?;
        Ok((self.make(best.mv)?, advice))
    }

    /// Takes back everything since the person's last decision, that move included.
    /// Returns whether there was one.
    pub fn take_back(&mut self) -> bool {
        let Some(last) = self.turns.iter().rposition(|turn| turn.side != self.computer) else {
            return false;
        };
        self.turns.truncate(last);
        let replay = |position: Position, turn: &Turn| position.play(turn.mv).unwrap_or(position);
        self.position = self.turns.iter().fold(self.start, replay);
        true
    }

    fn make(&mut self, mv: Move) -> Result<Turn, Refusal> {
        let turn = Turn { side: self.position.side_to_move(), mv };
        self.position = self.position.play(mv)?;
        self.turns.push(turn);
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ending;

    #[test]
    fn a_wrong_entry_is_refused_and_the_turn_stays() {
        let mut game = Match::new(Start::Left, Side::Min, Side::Max, Strategy::BEST);
        let before = *game.position();
        for entry in ["", "hello", "2 1 C", "9 9 C", "1 1 Q"] {
            assert!(game.enter(entry).is_err(), "{entry}");
            assert_eq!(*game.position(), before);
            assert!(!game.is_computers_turn() && game.turns().is_empty());
        }
        assert!(matches!(game.computer_moves(), Err(TurnError::NotYourTurn("the person"))));
        game.enter("1 1 S").unwrap();
        assert!(game.is_computers_turn());
        assert_eq!(game.enter("1 2 S"), Err(TurnError::NotYourTurn("the computer")));
    }

    #[test]
    fn taking_back_returns_to_the_persons_last_decision() {
        let mut game = Match::new(Start::Right, Side::Max, Side::Max, Strategy::BEST);
        assert!(!game.take_back());
        game.computer_moves().unwrap();
        let before = *game.position();
        let mv = game.position().moves()[0];
        game.place(mv).unwrap();
        if game.is_computers_turn() {
            game.computer_moves().unwrap();
        }
        assert!(game.take_back());
        assert_eq!(*game.position(), before);
        assert_eq!(game.turns().len(), 1);
    }

    #[test]
    fn the_computer_never_does_worse_than_the_value_of_the_start() {
        // Against every reply of a person who picks by a seed, on either side.
        for seed in 0..40u64 {
            for computer in [Side::Max, Side::Min] {
                let first = if seed % 2 == 0 { Side::Max } else { Side::Min };
                let mut game = Match::new(Start::random(seed), first, computer, Strategy::BEST);
                let promised = game.advice().value * computer.sign();
                let mut dice = seed;
                while game.position().ending().is_none() {
                    if game.is_computers_turn() {
                        game.computer_moves().unwrap();
                    } else {
                        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let moves = game.position().moves();
                        game.place(moves[(dice >> 33) as usize % moves.len()]).unwrap();
                    }
                }
                let result = match game.position().ending() {
                    Some(Ending::Won(side)) => side.sign() * computer.sign(),
                    _ => 0,
                };
                assert!(result >= promised, "seed {seed}: {result} < {promised}");
            }
        }
    }
}
