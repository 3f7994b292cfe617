//! The search tree of a position, ready to be shown or sent to a page.

use crate::advice::MethodCost;
use crate::analysis::side_name;
use crate::board::Board;
use crate::rules::{Cse, CseMove, Move, Position};
use lurd_search::game::{Fate, Node, Score, Strategy, record_tree};
use serde::Serialize;
use utoipa::ToSchema;

/// A recorded search.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SearchTree)]
pub struct TreeView {
    pub root: TreeNode,
    /// What the whole search cost, with the nodes too deep to be recorded.
    pub cost: MethodCost,
}

/// A node of the tree.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TreeNode {
    /// The move that leads here; none at the root.
    #[serde(rename = "move")]
    #[schema(value_type = Option<CseMove>)]
    pub mv: Option<Move>,
    #[schema(value_type = [String; 3])]
    pub board: Board,
    /// Who moves here: `max` or `min`.
    pub side: &'static str,
    /// 1, 0 or -1; none where the node was left out.
    pub value: Option<i32>,
    /// Moves to the end where one side wins, counted from the root of the tree.
    pub plies: Option<u32>,
    /// `at-least` or `at-most` where the value is only a bound, because it lies outside the window.
    pub bound: Option<&'static str>,
    /// Alpha of the parent when it tried the move, such as `+1 in 3`, counted from the root; none while open.
    pub alpha: Option<String>,
    /// Beta, likewise.
    pub beta: Option<String>,
    /// `searched`, `cut-off`, `remembered`, `end` or `left-out`.
    pub fate: &'static str,
    /// Nodes visited below that are too deep to be recorded.
    pub unrecorded: u64,
    /// The moves in the order they were tried, then the ones left out.
    #[schema(no_recursion)]
    pub children: Vec<TreeNode>,
}

/// Searches a position and records the tree down to `depth` moves below it.
pub fn search_tree(position: &Position, strategy: Strategy, depth: usize) -> TreeView {
    let tree = record_tree(&Cse, position, strategy, depth);
    TreeView { root: view(*position, &tree.root, 0), cost: MethodCost::of(strategy, tree.effort) }
}

/// A score of a position `plies` below the root, counted from the root.
fn from_root(score: Score, plies: u32) -> Score {
    if score.is_open() { score } else { (0..plies).fold(score, |score, _| score.one_ply_before()) }
}

fn view(position: Position, node: &Node<Move>, depth: u32) -> TreeNode {
    let child = |child: &Node<Move>| {
        let position = child.mv.and_then(|mv| position.play(mv).ok()).unwrap_or(position);
        view(position, child, depth + 1)
    };
    // The window belongs to the parent, the score to the node itself.
    let window = (node.window.0, node.window.1);
    let (alpha, beta) = (from_root(window.0, depth.saturating_sub(1)), from_root(window.1, depth.saturating_sub(1)));
    let score = node.score.map(|score| from_root(score, depth));
    let outside = score.and_then(|score| match node.fate {
        Fate::End => None,
        _ if score <= alpha => Some("at-most"),
        _ if score >= beta => Some("at-least"),
        _ => None,
    });
    let told = |bound: Score| (!bound.is_open()).then(|| bound.to_string());
    TreeNode {
        mv: node.mv,
        board: position.board(),
        side: side_name(position.side_to_move()),
        value: score.map(Score::value),
        plies: score.and_then(Score::plies),
        bound: outside,
        alpha: told(alpha),
        beta: told(beta),
        fate: match node.fate {
            Fate::Searched => "searched",
            Fate::CutOff => "cut-off",
            Fate::Remembered => "remembered",
            Fate::End => "end",
            Fate::LeftOut => "left-out",
        },
        unrecorded: node.unrecorded,
        children: node.children.iter().map(child).collect(),
    }
}
