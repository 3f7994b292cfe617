//! Which potential functions the search uses: first some fitted to the start, later ones to the open list.
//!
//! Easy levels need no more than the first. A potential that makes the bound of the start high may say little about
//! positions later in the solution. So now and then, after [`FACTOR`] times as many expansions as before, a sample of the
//! lowest buckets is drawn, and a potential is fitted to its mean, then one to the half that gained least, then some to
//! single states. Each is kept if it raises the mean, over the sample, of the best bound. States stored before are evaluated
//! by it when they are expanded.
//!
//! Where a level is small enough for linear programs, their duals are better, and after the first potentials only dual
//! bounds are added ([`dual_bounds`](crate::dual_bounds)).

use crate::Settings;
use crate::bounds::Matchings;
use crate::ownership::Ownership;
use crate::parity::ParityBound;
use crate::potential::{Position, Potential};
use crate::shared::Shared;
use crate::store::POTENTIALS;
use lurd_base::Budget;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;

/// Rounds of ascent for each potential.
const ROUNDS: usize = 150;

/// Zone states in a sample.
const SAMPLE: usize = 48;

/// After so many times as many expansions potentials are fitted to the open list again.
pub(crate) const FACTOR: u64 = 3;

/// What the mean of the best bound must gain, in moves: each potential costs time with every position.
const LEAST_GAIN: f64 = 0.3;

/// One single state of the sample is tried for each so many expansions, and at most so many.
const TRY_EACH: u64 = 3_000;
const MOST_TRIES: u64 = 24;

/// An open room with few boxes.
const OPEN_SQUARES: u64 = 60;
const FEW_BOXES: u64 = 4;

/// Expansions for each placement of the boxes: the player arrives on several squares, and on some of them more than once.
const EXPANSIONS_EACH: u64 = 16;
const MOST_PATIENCE: u64 = 3_000_000;

/// The first potentials: zero, and one fitted to the start.
pub(crate) fn first(board: &DenseBoard, settings: Settings, budget: &Budget) -> Vec<Potential> {
    let mut potentials = vec![Potential::zero(board)];
    if !board.is_hopeless() && settings.fitted > 0 {
        let [walks, _] = ownerships(settings);
        potentials.push(Potential::fitted(board, &[start(board)], ROUNDS, &potentials[0], walks, budget));
    }
    potentials
}

/// Expansions before bounds are fitted to more than the start, at the least. In an open room with few boxes a fit takes long
/// and there are few positions: most such levels are searched to the end before it pays.
pub(crate) fn patience(board: &DenseBoard) -> u64 {
    let (squares, boxes) = (board.live_count() as u64, board.boxes() as u64);
    if squares < OPEN_SQUARES || boxes > FEW_BOXES {
        return 0;
    }
    let placements = (0..boxes).fold(1, |placements, placed| placements * (squares - placed) / (placed + 1));
    (EXPANSIONS_EACH * placements).min(MOST_PATIENCE)
}

/// The start as a position to fit to.
pub(crate) fn start(board: &DenseBoard) -> Position {
    let boxes = board.starts().iter().map(|&square| square.into()).collect();
    Position { boxes, player: board.start_player() }
}

/// The two ways to assign owners to steps.
fn ownerships(settings: Settings) -> [Ownership; 2] {
    if settings.cost_partitioning { [Ownership::Walks, Ownership::Any] } else { [Ownership::None; 2] }
}

/// A position of the sample with its best bound so far.
pub(crate) struct Sampled<const L: usize> {
    pub(crate) position: Position,
    pub(crate) boxes: Set<L>,
    pub(crate) bound: ParityBound,
    /// The moves so far.
    pub(crate) moves: u32,
}

/// Whether new bounds of a sample, none below the old, raise the mean by so much; if so, they replace the old.
pub(crate) fn raises<const L: usize>(sample: &mut [Sampled<L>], bounds: &[ParityBound], least_gain: f64) -> bool {
    let gain: u32 = bounds.iter().zip(&*sample).map(|(now, old)| now.sum() - old.bound.sum()).sum();
    let enough = f64::from(gain) >= 2.0 * least_gain * sample.len() as f64;
    if enough {
        sample.iter_mut().zip(bounds).for_each(|(sampled, &now)| sampled.bound = now);
    }
    enough
}

impl<const L: usize, const G: usize> Shared<L, G> {
    /// More potentials once a level has turned out not to be easy: fitted to the start with the other ownership, and to
    /// intermediate positions in which the boxes nearest to their goals are there.
    pub(crate) fn add_potentials(&mut self, budget: &Budget) {
        let Self { board, settings, bounds, .. } = self;
        let [walks, any] = ownerships(*settings);
        let start = start(board);
        let mut wanted = Vec::new();
        if any != walks {
            wanted.push((start.clone(), any));
        }
        for part in 1..settings.fitted {
            let done = board.boxes() * part / settings.fitted;
            let position = bounds.potentials[1].intermediate(board, &start, done);
            wanted.extend(position.filter(|_| done > 0).map(|position| (position, walks)));
        }
        for (position, ownership) in wanted {
            if bounds.count() < POTENTIALS {
                let fitted = Potential::fitted(board, &[position], ROUNDS, &bounds.potentials[0], ownership, budget);
                bounds.add(fitted, budget);
            }
        }
    }

    /// Fits potentials to the open list and keeps those that help; the more was expanded, the more are tried.
    pub(crate) fn refit_potentials(&mut self, expanded: u64, budget: &Budget) {
        let mut sample = self.draw(SAMPLE);
        let Self { board, settings, bounds, .. } = self;
        let mut matchings = Matchings::default();
        matchings.grow(bounds);
        let mut lowest = sample.len();
        for ownership in ownerships(*settings) {
            if sample.is_empty() || bounds.count() == POTENTIALS {
                return;
            }
            let positions: Vec<Position> = sample[..lowest].iter().map(|sampled| sampled.position.clone()).collect();
            let fitted = Potential::fitted(board, &positions, ROUNDS, &bounds.potentials[0], ownership, budget);
            bounds.add(fitted, budget);
            matchings.grow(bounds);
            let mut now = |old: &Sampled<L>| matchings.bound(bounds, old.boxes, old.position.player);
            let raised: Vec<ParityBound> = sample.iter().map(|old| now(old).unwrap_or(old.bound)).collect();
            if !raises(&mut sample, &raised, LEAST_GAIN) {
                bounds.drop_last();
                matchings = Matchings::default();
                matchings.grow(bounds);
            }
            // Next the half with the lowest bounds, which a potential for the mean helps least.
            sample.sort_by_key(|sampled| sampled.bound.sum());
            lowest = sample.len() / 2;
        }
        let tries = (expanded / TRY_EACH).min(MOST_TRIES) as usize;
        for number in 0..tries.min(sample.len()) {
            if bounds.count() == POTENTIALS {
                return;
            }
            let ownership = ownerships(*settings)[number % 2];
            let one = &sample[number * sample.len() / tries].position;
            let first = &bounds.potentials[0];
            let fitted = Potential::fitted(board, std::slice::from_ref(one), ROUNDS, first, ownership, budget);
            if raises_by_matching(board, &fitted, &mut sample) {
                bounds.add(fitted, budget);
            }
        }
    }

    /// Draws a sample of the open list.
    pub(crate) fn draw(&self, count: usize) -> Vec<Sampled<L>> {
        let mut matchings = Matchings::default();
        matchings.grow(&self.bounds);
        let sampled = |(shard, state)| {
            let shard = self.shards.lock(shard);
            let boxes = shard.store.state(state).boxes;
            let (_, arrival) = shard.store.arrivals(state).find(|(_, arrival)| !arrival.is_expanded())?;
            let player = arrival.cell();
            let bound = matchings.bound(&self.bounds, boxes, player)?;
            let position = Position { boxes: boxes.iter().collect(), player };
            Some(Sampled { position, boxes, bound, moves: arrival.cost().moves })
        };
        self.shards.sample(count).into_iter().filter_map(sampled).collect()
    }
}

/// Whether the matchings by a potential, without interactions, raise the bounds of the sample enough.
fn raises_by_matching<const L: usize>(board: &DenseBoard, fitted: &Potential, sample: &mut [Sampled<L>]) -> bool {
    let mut matcher = Matcher::new(&fitted.way, board.boxes());
    let mut matching = Matching::empty(board.boxes());
    let raised = |Sampled { position, bound, .. }: &Sampled<L>| {
        let mut bound = *bound;
        if matcher.solve(&fitted.way, &mut matching, position.rows(board)) {
            bound.raise(fitted.bound(matching.total, position.player) as u32);
        }
        bound
    };
    let raised: Vec<ParityBound> = sample.iter().map(raised).collect();
    raises(sample, &raised, LEAST_GAIN)
}
