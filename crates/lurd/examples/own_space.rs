//! A state space of your own on the search core: the wolf, the goat and the cabbage.
//!
//! `cargo run --release -p lurd --example own_space`
//!
//! A farmer ferries a wolf, a goat and a cabbage over a river; the boat holds one of them besides him. The wolf eats the
//! goat and the goat the cabbage when the farmer is on the other bank. A state is four bits: who is on the far bank.

use lurd::Budget;
use lurd::search::{Algorithm, Silent, StateSpace, Successors, TieBreak, Verdict, Zero, search};

const FARMER: u8 = 1;
const WOLF: u8 = 2;
const GOAT: u8 = 4;
const CABBAGE: u8 = 8;

struct River;

impl River {
    fn is_safe(state: u8) -> bool {
        let together = |a: u8, b: u8| (state & a != 0) == (state & b != 0);
        together(FARMER, GOAT) || !(together(WOLF, GOAT) || together(GOAT, CABBAGE))
    }
}

impl StateSpace for River {
    type State = u8;
    /// Who crosses with the farmer; 0 for nobody.
    type Action = u8;

    fn starts(&self) -> Vec<u8> {
        vec![0]
    }

    fn is_goal(&self, state: &u8) -> bool {
        *state == FARMER | WOLF | GOAT | CABBAGE
    }

    fn successors(&mut self, state: &u8, out: &mut Successors<u8>) {
        for passenger in [0, WOLF, GOAT, CABBAGE] {
            let same_bank = passenger == 0 || (state & passenger != 0) == (state & FARMER != 0);
            if same_bank && Self::is_safe(state ^ FARMER ^ passenger) {
                out.push(passenger, 1);
            }
        }
    }

    fn apply(&mut self, state: &mut u8, passenger: u8) {
        *state ^= FARMER | passenger;
    }

    fn key_words(&self) -> usize {
        1
    }

    fn pack(&self, state: &u8, words: &mut [u64]) {
        words[0] = u64::from(*state);
    }

    fn unpack(&self, words: &[u64], state: &mut u8) {
        *state = words[0] as u8;
    }
}

fn main() {
    let budget = Budget::unlimited();
    for algorithm in [Algorithm::BreadthFirst, Algorithm::DepthFirst, Algorithm::IterativeDeepening] {
        let outcome = search(algorithm, TieBreak::Lifo, &mut River, &mut Zero, &budget, &mut Silent);
        let Verdict::Solved { path, proof, .. } = outcome.verdict else { continue };
        let name = |&passenger: &u8| match passenger {
            WOLF => "wolf",
            GOAT => "goat",
            CABBAGE => "cabbage",
            _ => "alone",
        };
        let trips: Vec<_> = path.iter().map(name).collect();
        println!("{algorithm:?}: {} ({} expanded, {proof:?})", trips.join(", "), outcome.statistics.expanded);
    }
}
