//! Which heights the search uses: some fitted to the start, and later ones to where the search stands.
//!
//! Easy levels need no more than the first. Heights that make the bound of the start high may say little about positions in
//! the middle. So now and then, after
//! three times as many expansions as before, some of the spots that wait in the lowest buckets are taken as a sample, and
//! heights are fitted to their mean; then to those that this has helped least. They are kept if they
//! raise the mean over the sample of the best bound there is. Spots met before are judged by them when their turn comes.
//!
//! Where a level is small enough for linear programs, what they give is better, and after the first heights there are only
//! tariffs ([`dual_bounds`](crate::dual_bounds)).

use crate::Settings;
use crate::bounds::{Bounds, Pairings};
use crate::ownership::Ownership;
use crate::parity::ParityBound;
use crate::potential::{Pose, Potential};
use crate::shards::Shards;
use crate::store::{DEAD, POTENTIALS};
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use lurd_search::Budget;

/// Rounds of ascent for each potential.
const ROUNDS: usize = 150;

/// Spots in a sample.
const SAMPLE: usize = 48;

/// After so many times as many expansions heights are fitted to where the search stands again.
pub(crate) const FACTOR: u64 = 3;

/// What the mean of the best bound must gain, in moves, for heights to be kept.
const LEAST_GAIN: f64 = 0.3;

/// The heights to begin with: flat ones, and some fitted to the start.
pub(crate) fn first(board: &DenseBoard, settings: Settings, budget: &Budget) -> Vec<Potential> {
    let mut potentials = vec![Potential::flat(board)];
    if !board.is_hopeless() && settings.fitted > 0 {
        let [walks, _] = claims(settings);
        potentials.push(Potential::fitted(board, &[start(board)], ROUNDS, &potentials[0], walks, budget));
    }
    potentials
}

/// The start as a position to fit to.
pub(crate) fn start(board: &DenseBoard) -> Pose {
    let boxes = board.starts().iter().map(|&square| square.into()).collect();
    Pose { boxes, player: board.start_player() }
}

/// More heights once a level has turned out not to be easy: fitted to the start in another way, and to positions on the
/// way, in which the boxes nearest to their goals have got there.
pub(crate) fn more<const L: usize, const G: usize>(
    board: &DenseBoard,
    settings: Settings,
    bounds: &mut Bounds<L>,
    budget: &Budget,
) {
    let [walks, any] = claims(settings);
    let start = start(board);
    let mut wanted = Vec::new();
    if any != walks {
        wanted.push((start.clone(), any));
    }
    for part in 1..settings.fitted {
        let done = board.boxes() * part / settings.fitted;
        let pose = bounds.potentials[1].halfway(board, &start, done);
        wanted.extend(pose.filter(|_| done > 0).map(|pose| (pose, walks)));
    }
    for (pose, claims) in wanted {
        if bounds.count() < POTENTIALS {
            let fitted = Potential::fitted(board, &[pose], ROUNDS, &bounds.potentials[0], claims, budget);
            bounds.add::<G>(board, fitted, settings.pairs, budget);
        }
    }
}

/// The two ways to give steps away.
fn claims(settings: Settings) -> [Ownership; 2] {
    if settings.tolls { [Ownership::Walks, Ownership::Any] } else { [Ownership::Nothing; 2] }
}

/// A spot of the sample: where its boxes and the player are, and the best bound so far.
pub(crate) struct Drawn<const L: usize> {
    pub(crate) pose: Pose,
    pub(crate) boxes: Set<L>,
    pub(crate) bound: ParityBound,
    /// The moves so far.
    pub(crate) moves: u32,
}

/// Whether new bounds of a sample, none below the old, gain so much on the mean; if so they are taken over.
pub(crate) fn raises<const L: usize>(drawn: &mut [Drawn<L>], bounds: &[ParityBound], least_gain: f64) -> bool {
    let gain: u32 = bounds.iter().zip(&*drawn).map(|(now, old)| now.sum() - old.bound.sum()).sum();
    let enough = f64::from(gain) >= 2.0 * least_gain * drawn.len() as f64;
    if enough {
        drawn.iter_mut().zip(bounds).for_each(|(drawn, &now)| drawn.bound = now);
    }
    enough
}

/// Fits heights to spots that wait, and keeps those that help; the more were expanded, the more are tried.
pub(crate) fn refit<const L: usize, const G: usize>(
    board: &DenseBoard,
    settings: Settings,
    bounds: &mut Bounds<L>,
    shards: &Shards<L>,
    expanded: u64,
    budget: &Budget,
) {
    let mut pairings = Pairings::default();
    pairings.grow(board, bounds);
    let mut drawn = draw(board, bounds, shards, SAMPLE);
    let mut lowest = drawn.len();
    for claims in claims(settings) {
        if drawn.is_empty() || bounds.count() == POTENTIALS {
            return;
        }
        let poses: Vec<Pose> = drawn[..lowest].iter().map(|drawn| drawn.pose.clone()).collect();
        let fitted = Potential::fitted(board, &poses, ROUNDS, &bounds.potentials[0], claims, budget);
        bounds.add::<G>(board, fitted, settings.pairs, budget);
        pairings.grow(board, bounds);
        let mut now = |drawn: &Drawn<L>| bound(board, bounds, &mut pairings, drawn.boxes, drawn.pose.player);
        let raised: Vec<ParityBound> =
            drawn.iter().map(&mut now).zip(&drawn).map(|(now, old)| now.unwrap_or(old.bound)).collect();
        if !raises(&mut drawn, &raised, LEAST_GAIN) {
            bounds.drop_last();
            pairings = Pairings::default();
            pairings.grow(board, bounds);
        }
        // The other half: those with the lowest bounds, which heights for the mean help least.
        drawn.sort_by_key(|drawn| drawn.bound.sum());
        lowest = drawn.len() / 2;
    }
    let tries = (expanded / TRY_EACH).min(MOST_TRIES) as usize;
    for number in 0..tries.min(drawn.len()) {
        if bounds.count() == POTENTIALS {
            return;
        }
        let claims = claims(settings)[number % 2];
        let one = &drawn[number * drawn.len() / tries].pose;
        let fitted = Potential::fitted(board, std::slice::from_ref(one), ROUNDS, &bounds.potentials[0], claims, budget);
        try_out::<L, G>(board, bounds, fitted, settings.pairs, &mut drawn, budget);
    }
}

/// Keeps heights if they raise the bounds of the sample.
fn try_out<const L: usize, const G: usize>(
    board: &DenseBoard,
    bounds: &mut Bounds<L>,
    fitted: Potential,
    pairs: bool,
    drawn: &mut [Drawn<L>],
    budget: &Budget,
) {
    let mut matcher = Matcher::new(&fitted.way, board.boxes());
    let mut matching = Matching::empty(board.boxes());
    let raised: Vec<ParityBound> = drawn
        .iter()
        .map(|Drawn { pose, bound, .. }| {
            let rows = pose.boxes.iter().map(|&square| board.row_at(square, pose.player));
            let mut bound = *bound;
            if matcher.solve(&fitted.way, &mut matching, rows) {
                bound.raise(fitted.bound(matching.total, pose.player) as u32);
            }
            bound
        })
        .collect();
    if raises(drawn, &raised, LEAST_GAIN_OF_ONE) {
        bounds.add::<G>(board, fitted, pairs, budget);
    }
}

/// Draws spots that wait.
pub(crate) fn draw<const L: usize>(
    board: &DenseBoard,
    bounds: &Bounds<L>,
    shards: &Shards<L>,
    count: usize,
) -> Vec<Drawn<L>> {
    let mut pairings = Pairings::default();
    let mut drawn = Vec::new();
    pairings.grow(board, bounds);
    for (shard, spot) in shards.sample(count) {
        let shard = shards.lock(shard);
        let stand = shard.store.stands(spot).map(|(_, stand)| stand).find(|stand| !stand.is_worked_off());
        let (boxes, Some(stand)) = (shard.store.spot(spot).boxes, stand) else { continue };
        let player = stand.cell();
        if let Some(bound) = bound(board, bounds, &mut pairings, boxes, player) {
            let pose = Pose { boxes: boxes.iter().collect(), player };
            drawn.push(Drawn { pose, boxes, bound, moves: stand.cost().moves });
        }
    }
    drawn
}

/// A spot of the sample for each so many expansions, and at most so many, gets heights of its own.
const TRY_EACH: u64 = 3_000;
const MOST_TRIES: u64 = 24;

/// What they must raise the mean by: they cost as much as others with every position.
const LEAST_GAIN_OF_ONE: f64 = 0.3;

fn bound<const L: usize>(
    board: &DenseBoard,
    bounds: &Bounds<L>,
    pairings: &mut Pairings,
    boxes: Set<L>,
    player: usize,
) -> Option<ParityBound> {
    let mut costs = [DEAD; POTENTIALS];
    let paired = pairings.solve(board, bounds, boxes, player, 0, &mut costs);
    let by_tariffs = pairings.by_tariffs(bounds, boxes, player, u32::MAX);
    paired.then(|| {
        let mut bound = bounds.of(boxes, &costs, bounds.count() as u16, player);
        bound.raise_each(by_tariffs);
        bound
    })
}
