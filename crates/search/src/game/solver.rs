//! The search itself: one recursion, whose switches make it minimax, alpha-beta, or
//! either with a memo.

use super::tree::{Fate, Unrecorded, Watch};
use super::{Game, Score, Side, Strategy};
use std::collections::HashMap;

/// What a search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Positions visited: the root, every ended game and every answer of the memo included.
    pub nodes: u64,
    /// Visits in which the game was over.
    pub ends: u64,
    /// Visits left early because alpha-beta showed that the other moves cannot matter.
    pub cutoffs: u64,
    /// Visits answered by the memo.
    pub memo_hits: u64,
    /// Positions in the memo now.
    pub memo_entries: u64,
}

/// A move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveScore<M> {
    /// The move.
    pub mv: M,
    /// The score of the position before it, if it is made.
    pub score: Score,
}

/// What a memo entry says of the true score.
#[derive(Clone, Copy)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// Searches positions of one game and keeps its memo from one to the next.
///
/// The memo is keyed by the game's key *and* the side to move: games begun by MAX and
/// games begun by MIN may share a solver. (A memo keyed by the board alone would hand
/// the one the other's values with the wrong sign.)
pub struct Solver<'g, G: Game> {
    game: &'g G,
    strategy: Strategy,
    memo: HashMap<(G::Key, Side), (Score, Bound)>,
    effort: Effort,
    /// Move lists that are not in use, one per ply of the deepest line so far.
    spare: Vec<Vec<G::Move>>,
}

impl<'g, G: Game> Solver<'g, G> {
    /// A solver with an empty memo.
    pub fn new(game: &'g G, strategy: Strategy) -> Self {
        Self { game, strategy, memo: HashMap::new(), effort: Effort::default(), spare: Vec::new() }
    }

    /// What all searches of this solver cost so far.
    pub fn effort(&self) -> Effort {
        Effort { memo_entries: self.memo.len() as u64, ..self.effort }
    }

    /// The exact score of a position.
    pub fn score(&mut self, position: &G::Position) -> Score {
        self.visit(position, Score::LOWEST, Score::HIGHEST, &mut Unrecorded)
    }

    /// The exact score of every move, in the game's order; empty where the game is over.
    pub fn move_scores(&mut self, position: &G::Position) -> Vec<MoveScore<G::Move>> {
        if self.game.end_value(position).is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let scored = |mv| {
            let score = self.score(&self.game.play(position, mv)).one_ply_before();
            MoveScore { mv, score }
        };
        moves.into_iter().map(scored).collect()
    }

    /// The best move, the first in the game's order among equals, and its score;
    /// `None` where the game is over.
    pub fn best_move(&mut self, position: &G::Position) -> Option<MoveScore<G::Move>> {
        let side = self.game.side_to_move(position);
        let better = |best: MoveScore<_>, next: MoveScore<_>| {
            if side.prefers(next.score, best.score) { next } else { best }
        };
        self.move_scores(position).into_iter().reduce(better)
    }

    /// The principal variation: best play of both sides to the end of the game, equal
    /// moves in the game's order.
    ///
    /// It is found by asking a solver of its own that saves all it can, because a memo
    /// and alpha-beta forget lines; the effort of this solver does not change.
    pub fn best_line(&self, position: &G::Position) -> Vec<G::Move> {
        let mut guide = Self::new(self.game, Strategy::BEST);
        let mut line = Vec::new();
        let mut position = position.clone();
        while let Some(best) = guide.best_move(&position) {
            line.push(best.mv);
            position = self.game.play(&position, best.mv);
        }
        line
    }

    /// Visits a position. The result is exact inside the window `alpha < score < beta`;
    /// at or below `alpha` it is an upper bound, at or above `beta` a lower bound.
    pub(super) fn visit<W: Watch<G::Move>>(
        &mut self,
        position: &G::Position,
        alpha: Score,
        beta: Score,
        watch: &mut W,
    ) -> Score {
        self.effort.nodes += 1;
        if let Some(value) = self.game.end_value(position) {
            self.effort.ends += 1;
            watch.answer(Score::end(value), Fate::End);
            return Score::end(value);
        }
        let side = self.game.side_to_move(position);
        let key = (self.game.key(position), side);
        if self.strategy.memo
            && let Some(&(score, bound)) = self.memo.get(&key)
            && match bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            }
        {
            self.effort.memo_hits += 1;
            watch.answer(score, Fate::Remembered);
            return score;
        }

        let mut moves = self.spare.pop().unwrap_or_default();
        self.game.moves(position, &mut moves);
        if self.strategy.ordering {
            moves.sort_by_cached_key(|&mv| std::cmp::Reverse(self.game.promise(position, mv)));
        }
        let (score, cut) = self.visit_moves(position, side, &moves, (alpha, beta), watch);
        moves.clear();
        self.spare.push(moves);

        let fate = if cut { Fate::CutOff } else { Fate::Searched };
        watch.answer(score, fate);
        if self.strategy.memo {
            let bound = match score {
                score if score >= beta => Bound::AtLeast,
                score if score <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.memo.insert(key, (score, bound));
        }
        score
    }

    /// The best score of the moves, and whether some were left out.
    fn visit_moves<W: Watch<G::Move>>(
        &mut self,
        position: &G::Position,
        side: Side,
        moves: &[G::Move],
        (mut alpha, mut beta): (Score, Score),
        watch: &mut W,
    ) -> (Score, bool) {
        let mut best = match side {
            Side::Max => Score::LOWEST,
            Side::Min => Score::HIGHEST,
        };
        for (tried, &mv) in moves.iter().enumerate() {
            let child = self.game.play(position, mv);
            watch.enter(mv, self.game.side_to_move(&child), alpha, beta);
            let score = self.visit(&child, alpha.one_ply_after(), beta.one_ply_after(), watch).one_ply_before();
            watch.leave();
            if side.prefers(score, best) {
                best = score;
            }
            if self.strategy.alpha_beta {
                match side {
                    Side::Max => alpha = alpha.max(best),
                    Side::Min => beta = beta.min(best),
                }
                if alpha >= beta && tried + 1 < moves.len() {
                    self.effort.cutoffs += 1;
                    for &left_out in &moves[tried + 1..] {
                        watch.left_out(left_out);
                    }
                    return (best, true);
                }
            }
        }
        (best, false)
    }
}

#[cfg(test)]
mod tests;
