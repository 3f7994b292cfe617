//! The tree a search walked, with its windows and cut-offs, for showing.

use super::{Effort, Game, Score, Side, Solver, Strategy};

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// All its moves were searched.
    Searched,
    /// Searched until alpha-beta showed that its remaining moves cannot matter.
    CutOff,
    /// The memo knew enough.
    Remembered,
    /// The game is over here.
    End,
    /// Never visited: its parent was cut off before its turn came.
    LeftOut,
}

/// A node of a recorded tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<M> {
    /// The move that leads here; `None` at the root.
    pub mv: Option<M>,
    /// Who moves here; `None` where the node was left out.
    pub side: Option<Side>,
    /// The window the *parent* had when it tried the move, in the parent's plies.
    pub window: (Score, Score),
    /// What the visit returned, in this node's own plies; `None` where it was left out.
    /// Outside the window it is only a bound.
    pub score: Option<Score>,
    /// What became of it.
    pub fate: Fate,
    /// Positions visited below it that are too deep to be recorded.
    pub unrecorded: u64,
    /// The moves tried, in the order they were tried, then the ones left out.
    pub children: Vec<Node<M>>,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, side: Option<Side>, window: (Score, Score), fate: Fate) -> Self {
        Self { mv, side, window, score: None, fate, unrecorded: 0, children: Vec::new() }
    }

    /// Recorded nodes from here down that were visited.
    pub fn visited(&self) -> u64 {
        u64::from(self.fate != Fate::LeftOut) + self.children.iter().map(Node::visited).sum::<u64>()
    }
}

/// A recorded search.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    /// The position searched.
    pub root: Node<M>,
    /// What the whole search cost, deeper nodes included.
    pub effort: Effort,
}

/// Searches a position and records the nodes down to `depth` plies below it.
///
/// The whole search runs, so the scores are true; only the record is cut at `depth`,
/// because a tree grows too large to show after a few plies.
pub fn record_tree<G: Game>(game: &G, position: &G::Position, strategy: Strategy, depth: usize) -> Tree<G::Move> {
    let window = (Score::LOWEST, Score::HIGHEST);
    let root = Node::new(None, Some(game.side_to_move(position)), window, Fate::Searched);
    let mut recorder = Recorder { open: vec![root], depth, below: 0 };
    let mut solver = Solver::new(game, strategy);
    solver.visit(position, window.0, window.1, &mut recorder);
    let root = recorder.open.swap_remove(0);
    Tree { root, effort: solver.effort() }
}

/// Told of every step of a search.
pub(super) trait Watch<M> {
    /// A move is tried by a node with this window.
    fn enter(&mut self, _mv: M, _side: Side, _alpha: Score, _beta: Score) {}
    /// The visit now open has its score.
    fn answer(&mut self, _score: Score, _fate: Fate) {}
    /// The visit opened last is over.
    fn leave(&mut self) {}
    /// The open visit does not try a move.
    fn left_out(&mut self, _mv: M) {}
}

/// Watches nothing, and costs nothing.
pub(super) struct Unrecorded;

impl<M> Watch<M> for Unrecorded {}

struct Recorder<M> {
    /// The line from the root to the open visit, as far as it is recorded.
    open: Vec<Node<M>>,
    depth: usize,
    /// How many plies the open visit is below the last recorded node.
    below: usize,
}

impl<M> Recorder<M> {
    fn last(&mut self) -> Option<&mut Node<M>> {
        self.open.last_mut()
    }
}

impl<M> Watch<M> for Recorder<M> {
    fn enter(&mut self, mv: M, side: Side, alpha: Score, beta: Score) {
        if self.open.len() <= self.depth {
            self.open.push(Node::new(Some(mv), Some(side), (alpha, beta), Fate::Searched));
            return;
        }
        self.below += 1;
        if let Some(node) = self.last() {
            node.unrecorded += 1;
        }
    }

    fn answer(&mut self, score: Score, fate: Fate) {
        if self.below == 0
            && let Some(node) = self.last()
        {
            node.score = Some(score);
            node.fate = fate;
        }
    }

    fn leave(&mut self) {
        if self.below > 0 {
            self.below -= 1;
        } else if let Some(node) = self.open.pop()
            && let Some(parent) = self.last()
        {
            parent.unrecorded += node.unrecorded;
            parent.children.push(node);
        }
    }

    fn left_out(&mut self, mv: M) {
        if self.open.len() <= self.depth
            && let Some(node) = self.last()
        {
            node.children.push(Node::new(Some(mv), None, (Score::LOWEST, Score::HIGHEST), Fate::LeftOut));
        }
    }
}
