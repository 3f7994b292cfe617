//! The search tree of a position, ready to be shown or sent to a page.

use crate::advice::MethodCost;
use crate::analysis::side_name;
use crate::board::Board;
use crate::rules::{Cse, Move, Position};
use lurd_search::game::{Fate, Node, Score, Strategy, record_tree};
use serde::Serialize;

/// A recorded search.
#[derive(Clone, Debug, Serialize)]
pub struct TreeView {
    pub root: TreeNode,
    /// What the whole search cost, with the nodes too deep to be recorded.
    pub cost: MethodCost,
}

/// A node of the tree.
#[derive(Clone, Debug, Serialize)]
pub struct TreeNode {
    /// The move that leads here; none at the root.
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    pub board: Board,
    /// Who moves here: `max` or `min`.
    pub side: &'static str,
    /// 1, 0 or -1; none where the node was left out.
    pub value: Option<i32>,
    /// Plies to the end where one side wins.
    pub plies: Option<u32>,
    /// Alpha of the parent when it tried the move, such as `+1 in 3`; none while open.
    pub alpha: Option<String>,
    /// Beta, likewise.
    pub beta: Option<String>,
    /// `searched`, `cut-off`, `remembered`, `end` or `left-out`.
    pub fate: &'static str,
    /// Nodes visited below that are too deep to be recorded.
    pub unrecorded: u64,
    /// The moves in the order they were tried, then the ones left out.
    pub children: Vec<TreeNode>,
}

/// Searches a position and records the tree down to `depth` moves below it.
pub fn search_tree(position: &Position, strategy: Strategy, depth: usize) -> TreeView {
    let tree = record_tree(&Cse, position, strategy, depth);
    TreeView { root: view(*position, &tree.root), cost: MethodCost::of(strategy, tree.effort) }
}

fn view(position: Position, node: &Node<Move>) -> TreeNode {
    let child = |child: &Node<Move>| {
        let position = child.mv.and_then(|mv| position.play(mv).ok()).unwrap_or(position);
        view(position, child)
    };
    let bound = |score: Score| (!score.is_open()).then(|| score.to_string());
    TreeNode {
        mv: node.mv,
        board: position.board(),
        side: side_name(position.side_to_move()),
        value: node.score.map(Score::value),
        plies: node.score.and_then(Score::plies),
        alpha: bound(node.window.0),
        beta: bound(node.window.1),
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
