//! A strategy that sits out its first turns: variants join only when the first ones have not found an answer.

use super::strategy::{Figures, Halt, Strategy, Turn};

/// A strategy and the turns it still sits out.
pub(super) struct Later<S> {
    strategy: S,
    turns: u32,
}

impl<S: Strategy> Later<S> {
    pub(super) fn new(turns: u32, strategy: S) -> Self {
        Self { strategy, turns }
    }
}

impl<S: Strategy> Strategy for Later<S> {
    fn name(&self) -> &'static str {
        self.strategy.name()
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        if self.turns > 0 {
            self.turns -= 1;
            return Turn::Open;
        }
        self.strategy.run(work, halt)
    }

    fn bytes(&self) -> usize {
        self.strategy.bytes()
    }

    fn figures(&self) -> Figures {
        self.strategy.figures()
    }
}
