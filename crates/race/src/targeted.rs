//! Pull the boxes apart from the solved board, then push the start position into that picture.
//!
//! Every position of the backward search is known to lead home, so the forward search need only meet one of
//! them. Rounds grow: each looks for a better picture with more work and gives the forward search more. From the second
//! round on a search with weights and one without take turns on the way forward ([`crate::round_robin`]). Where
//! positions are chosen by their value, the way back to the picture is a plan, and the forward search follows that.

use crate::Scene;
use crate::forward::{Aim, ForwardOptions};
use crate::observe::{Snapshot, VisitCounts};
use crate::perimeter::Perimeter;
use crate::planning::{PlanGoal, PlanOptions, Planned, Planning};
use crate::round_robin::RoundRobin;
use crate::strategy::{Halt, Strategy, Turn};
use crate::target::TargetConfiguration;
use lurd_rules::Figures;
use std::sync::Arc;

/// The work of the first search for a picture; doubled every round.
const FIRST_BACKWARD: u64 = 12_000;
/// The work of a forward search for each unit of the backward search.
const FORWARD_SHARE: u64 = 3;

/// The two searches that take turns.
pub(super) struct Targeted<'g> {
    scene: &'g Scene,
    perimeter: &'g Perimeter,
    manner: PlanOptions,
    taste: ForwardOptions,
    backward: Option<Planning<'g>>,
    forward: Option<RoundRobin<'g>>,
    /// Work left for the search whose turn it is.
    left: u64,
    round: u32,
    ended: Figures,
    ended_tracks: VisitCounts,
    exhausted: bool,
}

impl<'g> Targeted<'g> {
    pub(super) fn new(scene: &'g Scene, perimeter: &'g Perimeter, manner: PlanOptions, taste: ForwardOptions) -> Self {
        Self {
            scene,
            perimeter,
            manner,
            taste,
            backward: None,
            forward: None,
            left: FIRST_BACKWARD,
            round: 0,
            ended: Figures::default(),
            ended_tracks: VisitCounts::new(scene.board.len()),
            exhausted: false,
        }
    }

    /// A bout of the backward search; when its share is used up, the forward search begins.
    fn look_for_picture(&mut self, work: u64, halt: &Halt) -> Turn {
        let (scene, perimeter, manner) = (self.scene, self.perimeter, self.manner);
        let backward = self.backward.get_or_insert_with(|| Planning::meeting(scene, manner, perimeter));
        let before = backward.effort();
        let planned = backward.run(work.min(self.left), halt);
        self.left = self.left.saturating_sub(backward.effort() - before);
        if let Some(pushes) = backward.answer() {
            return Turn::Solved(pushes);
        }
        self.exhausted |= planned != Planned::Open;
        if self.left == 0 || self.exhausted {
            let aim = match manner.wanted {
                PlanGoal::Valued => backward.plan().map(|plan| Aim::Plan(Arc::new(plan))),
                _ => backward
                    .best_picture()
                    .map(|squares| Aim::TargetConfiguration(TargetConfiguration::new(&scene.board, squares))),
            };
            let Some(aim) = aim else { return Turn::Spent };
            self.forward = Some(RoundRobin::new(scene, perimeter, aim, self.tastes()));
            self.left = (FIRST_BACKWARD << self.round.min(40)) * FORWARD_SHARE;
        }
        Turn::Open
    }

    /// The tastes of the searches forward that take turns. What the first round solves, it solves without weights.
    fn tastes(&self) -> Vec<ForwardOptions> {
        if self.taste.valued || self.round == 0 {
            return vec![self.taste];
        }
        vec![ForwardOptions { weighted: true, ..self.taste }, self.taste]
    }

    fn next_round(&mut self) {
        if let Some(forward) = self.forward.take() {
            self.ended = self.ended.plus(forward.figures());
            forward.add_tracks(&mut self.ended_tracks);
        }
        self.round += 1;
        self.left = FIRST_BACKWARD << self.round.min(40);
    }
}

impl Strategy for Targeted<'_> {
    fn name(&self) -> &'static str {
        match self.manner.wanted {
            PlanGoal::Valued => "value-guided search",
            _ => "search into an uncrowded picture",
        }
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        let Some(forward) = &mut self.forward else { return self.look_for_picture(work, halt) };
        let before = forward.effort();
        match forward.run(work.min(self.left), halt) {
            Turn::Open => {
                self.left = self.left.saturating_sub(forward.effort() - before);
                if self.left == 0 {
                    self.next_round();
                }
            }
            Turn::Spent if self.exhausted => return Turn::Spent,
            Turn::Spent => self.next_round(),
            turn => return turn,
        }
        Turn::Open
    }

    fn bytes(&self) -> usize {
        self.backward.as_ref().map_or(0, Planning::bytes) + self.forward.as_ref().map_or(0, RoundRobin::bytes)
    }

    fn forget(&mut self) -> bool {
        let begun = self.forward.is_some() && !self.exhausted;
        if begun {
            self.next_round();
        }
        begun
    }

    fn figures(&self) -> Figures {
        let backward = self.backward.as_ref().map_or(Figures::default(), Planning::figures);
        let forward = self.forward.as_ref().map_or(Figures::default(), RoundRobin::figures);
        self.ended.plus(backward).plus(forward)
    }

    fn show(&self, sight: &mut Snapshot) {
        sight.tracks.join(&self.ended_tracks);
        if let Some(backward) = &self.backward {
            sight.tracks.join(backward.tracks());
            sight.nearest = backward.nearest();
        }
        if let Some(forward) = &self.forward {
            forward.add_tracks(&mut sight.tracks);
            sight.nearest = forward.nearest();
        }
    }
}
