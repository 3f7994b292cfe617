//! One level from a wish: designs are varied by simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) until a start with the
//! wanted grade is found, then cleaned up and proved.
//!
//! The work is counted in boards, not in seconds, and everything random comes from the seed and the number of the level: a
//! level does not depend on the machine, the threads, or the other levels. What a time limit stops is lost, nothing else; only
//! the longest level is sought for as long as the time lasts, if there are boards enough.

use crate::design::Design;
use crate::grid::{Cells, Yard};
use crate::polish;
use crate::pulls::{Layers, MOST_BOXES, Measure, PullSearch, Start};
use crate::wish::{Aim, Style, Wish, WishError};
use lurd::{Cancel, Goal, Level, Limits, Map, Outcome, Report, Request, Solution};
use lurd_base::Budget;
use lurd_base::random::SplitMix64;
use lurd_rate::{Effort, Rating, rate, rate_solution};

/// Positions of a layer that are looked at.
const SAMPLES: usize = 6;
/// Sets of boxes of the largest search while designs are varied: larger ones take seconds. The longest levels have more.
const MOST_SETS: usize = 1_500_000;
const MOST_SETS_LONGEST: usize = 4_000_000;
/// Boards of one annealing, after which a new design is begun.
const ROUND: usize = 1500;
const ROUND_LONGEST: usize = 500;
/// The temperature an annealing begins with, in units of [`surrogate`]: about one square of floor or two pushes of fifty.
const TEMPERATURE: f64 = 0.04;
/// The same for the longest level: one push of sixteen for a new design, half as much where the longest so far is varied.
const TEMPERATURE_LONGEST: f64 = 0.06;
/// The part of a time limit in which the longest level is sought; the rest is for its proof.
const SEARCH_TIME: f64 = 0.75;
/// Nodes for a proof while designs are varied, and for the last one.
const QUICK_NODES: u64 = 400_000;
const PROOF_NODES: u64 = 6_000_000;
/// Bytes for a proof.
const PROOF_MEMORY: usize = 2 << 30;
/// Positions the plain searches of the last rating may generate.
const PLAIN_NODES: u64 = 200_000;
/// Changes to a level before variations of it are judged: it should not come back as it is.
const LIKE_CHANGES: usize = 4;

/// A level that was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The level with its title and notes.
    pub level: Level,
    /// Its rating; the solution in it has been replayed by the referee.
    pub rating: Rating,
    /// Whether it is what was wished for. If not, it is the best of all boards tried.
    pub as_wished: bool,
    /// Boards tried.
    pub boards: usize,
}

/// Why there is no level.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The wish cannot come true.
    #[error(transparent)]
    Wish(#[from] WishError),
    /// Time is up or the work was cancelled.
    #[error("the time was up before the level was finished")]
    Stopped,
    /// No board tried had a start of which no solution leaves a box unpushed.
    #[error(
        "each of {0} boards could be solved with a box that is never pushed; ask for a larger board or fewer boxes"
    )]
    Nothing(usize),
    /// The level to vary is too large.
    #[error("a level to vary must fit into 16x16 squares and have at most {MOST_BOXES} boxes")]
    LikeTooLarge,
}

/// A design with the start that suits the wish best.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) design: Design,
    pub(crate) start: Start,
    pub(crate) pushes: usize,
    /// 0 where the wish is met, below it the farther it is missed. For the longest level its length.
    fitness: f64,
}

impl Candidate {
    /// A start whose fitness is not known yet.
    pub(crate) fn new(design: Design, start: Start, pushes: usize) -> Self {
        Self { design, start, pushes, fitness: 0.0 }
    }

    /// The level.
    pub(crate) fn level(&self) -> Level {
        let Self { design, start, .. } = self;
        Level::new(design.yard.map(&design.goals, &start.boxes, start.player))
    }
}

/// What the annealings of a level have in common.
struct Work {
    number: usize,
    style: Style,
    random: SplitMix64,
    /// Boards tried so far.
    boards: usize,
}

/// Where an annealing stands.
#[derive(Clone, Debug)]
struct Annealed {
    design: Design,
    /// The start of this design, or of one as good, that was rated last.
    candidate: Candidate,
    /// The surrogate objective of the design.
    surrogate: f64,
    /// The largest surrogate of a design that was rated.
    rated: f64,
    /// Whether even its farthest start is too easy.
    too_easy: bool,
}

/// The surrogate objective for the grade, which needs no proof: how hard the farthest start of a board will be, up to a constant.
/// The grade counts logarithms, that of the floor 1.7 times as much as those of moves, box lines and counterintuitive pushes
/// together, which grow with the pushes.
fn surrogate(pushes: usize, floor: usize) -> f64 {
    (1.0 + pushes as f64).ln() + 1.7 * (1.0 + floor as f64).ln()
}

/// Makes levels for a wish.
#[derive(Clone, Debug)]
pub struct Maker {
    wish: Wish,
    like: Option<Design>,
}

impl Maker {
    /// A maker of new levels.
    ///
    /// # Errors
    /// When the wish cannot come true.
    pub fn new(wish: Wish) -> Result<Self, MakeError> {
        wish.check()?;
        Ok(Self { wish, like: None })
    }

    /// A maker of variations of a level: its walls and goals are where the search begins. Size, boxes and style of the wish
    /// do not matter.
    ///
    /// # Errors
    /// When the level is too large, or the wish cannot come true.
    pub fn like(wish: Wish, map: &Map) -> Result<Self, MakeError> {
        wish.check()?;
        let yard = Yard::of_map(map).ok_or(MakeError::LikeTooLarge)?;
        let trimmed = map.rectangular().trimmed();
        let goals = trimmed.cells().filter(|(_, _, cell)| cell.is_goal());
        let goals = Cells::of(goals.map(|(row, column, _)| crate::grid::cell_at(row, column)));
        let goals = Cells::of(goals.iter().filter(|&cell| yard.floor.contains(cell)));
        if goals.len() == 0 || goals.len() > MOST_BOXES {
            return Err(MakeError::LikeTooLarge);
        }
        let symmetric =
            crate::template::is_symmetric(&yard, &yard.floor) && crate::template::is_symmetric(&yard, &goals);
        let style = if symmetric { Style::Symmetric } else { Style::Open };
        Ok(Self { wish, like: Some(Design { yard, goals, style }) })
    }

    /// What was wished for.
    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// Makes level `number`. `salt` is 0; where the level equals another one, the next salt makes another.
    ///
    /// # Errors
    /// When the budget ends, or no board gives a level at all.
    pub fn make(&self, number: usize, salt: u64, budget: &Budget) -> Result<Generated, MakeError> {
        let mut random = SplitMix64::new(self.wish.seed);
        let mixed = random.next_u64() ^ (number as u64).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ salt.rotate_left(40);
        let styles = Style::ALL;
        let style = self.wish.style.unwrap_or(styles[number % styles.len()]);
        let work = Work { number, style, random: SplitMix64::new(mixed), boards: 0 };
        match self.wish.aim {
            Aim::Grade(_) => self.make_graded(work, budget),
            Aim::Longest => self.make_longest(work, budget),
        }
    }

    /// Annealings of new designs until one gives a level as wished, else the best of all.
    fn make_graded(&self, mut work: Work, budget: &Budget) -> Result<Generated, MakeError> {
        let mut best: Option<(Candidate, Rating)> = None;
        while work.boards < self.wish.boards {
            let mut met = None;
            let is_met = |candidate: &Candidate| {
                if candidate.fitness == 0.0 {
                    met = self.finished(candidate, budget)?;
                }
                Ok(met.is_some())
            };
            let nearest = self.round(&mut work, ROUND, TEMPERATURE, None, is_met, budget)?;
            if let Some((cleaned, rating)) = met {
                return Ok(self.written(&cleaned, rating, &work, true));
            }
            // Without its useless walls a level may be easier than it was: what counts is how it comes out.
            let Some(nearest) = nearest else { continue };
            let (cleaned, rating) = self.cleaned(&nearest, budget).ok_or(MakeError::Stopped)?;
            if pushes_every_box(&cleaned, budget.cancel())
                && best.as_ref().is_none_or(|(_, best)| self.fitness(&rating) > self.fitness(best))
            {
                best = Some((cleaned, rating));
            }
        }
        let (cleaned, rating) = best.ok_or(MakeError::Nothing(work.boards))?;
        let as_wished = self.distance(&rating) == 0.0;
        Ok(self.written(&cleaned, rating, &work, as_wished))
    }

    /// Short annealings of new designs for half of the boards, then of the longest one so far: "go with the winners" (Aldous
    /// and Vazirani, 1994). How far one annealing comes depends on its beginning more than on its length.
    fn make_longest(&self, mut work: Work, budget: &Budget) -> Result<Generated, MakeError> {
        let mut longest: Option<Candidate> = None;
        let by_clock = || {
            let time = budget.limits().time.map_or(f64::INFINITY, |time| time.as_secs_f64() * SEARCH_TIME);
            budget.elapsed().as_secs_f64() / time
        };
        loop {
            // The part of the search that is over.
            let spent = by_clock().max(work.boards as f64 / self.wish.boards as f64);
            if spent >= 1.0 {
                break;
            }
            let winner = longest.as_ref().filter(|_| spent >= 0.5).map(|longest| longest.design);
            let temperature = if winner.is_some() { TEMPERATURE_LONGEST / 2.0 } else { TEMPERATURE_LONGEST };
            let is_late = |_: &Candidate| Ok(by_clock() >= 1.0);
            let found = self.round(&mut work, ROUND_LONGEST, temperature, winner, is_late, budget)?;
            longest = longest.into_iter().chain(found).max_by(|one, other| one.fitness.total_cmp(&other.fitness));
        }
        let none = if budget.out_of_time() { MakeError::Stopped } else { MakeError::Nothing(work.boards) };
        let longest = longest.ok_or(none)?;
        let (cleaned, rating) = self.cleaned(&longest, budget).ok_or(MakeError::Stopped)?;
        Ok(self.written(&cleaned, rating, &work, true))
    }

    /// One annealing, of at most so many boards and of as many as are left, from a design or from a new one. Gives what came
    /// nearest to the wish until then, or until a candidate `is_enough`.
    fn round(
        &self,
        work: &mut Work,
        most: usize,
        temperature: f64,
        from: Option<Design>,
        mut is_enough: impl FnMut(&Candidate) -> Result<bool, MakeError>,
        budget: &Budget,
    ) -> Result<Option<Candidate>, MakeError> {
        let Work { style, random, boards, .. } = work;
        let round = most.min(self.wish.boards - *boards);
        let mut current: Option<Annealed> = None;
        let mut nearest: Option<Candidate> = None;
        for step in 0..round {
            if budget.is_over() {
                return Err(MakeError::Stopped);
            }
            *boards += 1;
            let design = match &current {
                Some(annealed) => Some(annealed.design.varied(random)),
                None => from.or_else(|| self.begin(*style, random)),
            };
            let temperature = temperature * (1.0 - step as f64 / round as f64);
            // Exponentially distributed, as the criterion of Metropolis asks.
            let loss = -temperature * ((1 + random.below(1 << 30)) as f64 / f64::from(1 << 30)).ln();
            let Some(annealed) = design.and_then(|design| self.anneal(&design, current.as_ref(), loss, budget)) else {
                continue;
            };
            let candidate = &annealed.candidate;
            if nearest.as_ref().is_none_or(|nearest| candidate.fitness > nearest.fitness) {
                nearest = Some(candidate.clone());
            }
            if is_enough(candidate)? {
                break;
            }
            current = Some(annealed);
        }
        Ok(nearest)
    }

    fn begin(&self, style: Style, random: &mut SplitMix64) -> Option<Design> {
        match &self.like {
            None => Design::random(&self.wish, style, random),
            Some(design) => Some((0..LIKE_CHANGES).fold(*design, |design, _| design.varied(random))),
        }
    }

    /// How far a rating misses the wish; 0 where it meets it. The longest level is never long enough.
    fn distance(&self, rating: &Rating) -> f64 {
        let Aim::Grade(grades) = &self.wish.aim else { return 0.0 };
        let (low, high) = (f64::from(*grades.start()), f64::from(*grades.end()) + 1.0);
        let fine = rating.grade.fine;
        // Grades go on below 1 and above 10.
        if fine < low && *grades.start() > 1 {
            low - fine
        } else if fine >= high && *grades.end() < 10 {
            fine - high + f64::EPSILON
        } else {
            0.0
        }
    }

    /// How well a finished level suits the wish: the more the better.
    fn fitness(&self, rating: &Rating) -> f64 {
        match self.wish.aim {
            Aim::Longest => rating.pushes.best as f64,
            Aim::Grade(_) => -self.distance(rating),
        }
    }

    /// Where an annealing goes on from a design; `None` where it stays where it is. A search backwards is cheap and a proof is
    /// not: as long as levels are too easy, starts are rated only where the surrogate exceeds all before it, and a board
    /// with a smaller one is taken if what is lost is at most `loss`.
    fn anneal(&self, design: &Design, current: Option<&Annealed>, loss: f64, budget: &Budget) -> Option<Annealed> {
        let search = PullSearch::new(&design.yard, &design.goals, Measure::Pushes);
        let most = if self.wish.aim == Aim::Longest { MOST_SETS_LONGEST } else { MOST_SETS };
        if search.sets() > most {
            return None;
        }
        let layers = search.run(SAMPLES, 1, budget).ok()?;
        let last = layers.samples.len().checked_sub(1).filter(|&last| last > 0)?;
        let surrogate = match &self.wish.aim {
            Aim::Longest => (last as f64).ln(),
            Aim::Grade(_) => surrogate(last, design.yard.floor.len()),
        };
        let rated = current.map_or(f64::NEG_INFINITY, |current| current.rated);
        let unrated = |current: &Annealed| {
            let stays = surrogate >= current.surrogate - loss;
            stays.then(|| Annealed { design: *design, surrogate, ..current.clone() })
        };
        if let Some(current) = current
            && current.too_easy
            && surrogate <= rated
        {
            return unrated(current);
        }
        let candidate = match &self.wish.aim {
            Aim::Longest => {
                let away = |start: &&Start| start.boxes.without(&design.goals) == start.boxes;
                let Some(start) = layers.samples[last].iter().find(away) else { return current.and_then(unrated) };
                Candidate { design: *design, start: *start, pushes: last, fitness: last as f64 }
            }
            Aim::Grade(_) => self.graded(design, &layers, last, budget)?,
        };
        let too_easy = match &self.wish.aim {
            Aim::Longest => true,
            Aim::Grade(_) => candidate.pushes == last && candidate.fitness < 0.0,
        };
        if !too_easy && current.is_some_and(|current| candidate.fitness < current.candidate.fitness) {
            return None;
        }
        Some(Annealed { design: *design, candidate, surrogate, rated: rated.max(surrogate), too_easy })
    }

    /// Looks for the layer whose positions have the wanted grade: the last, and if that is too hard, by bisection.
    fn graded(&self, design: &Design, layers: &Layers, last: usize, budget: &Budget) -> Option<Candidate> {
        let Aim::Grade(grades) = &self.wish.aim else { return None };
        let (mut low, mut high) = (1, last);
        let mut best: Option<Candidate> = None;
        let mut depth = last;
        loop {
            let found = layers.samples[depth].iter().find_map(|start| self.weighed(design, start, depth, budget));
            match found {
                None if depth == last => return None,
                // So near to solved some box is home already and stays there.
                None => low = depth + 1,
                Some((candidate, fine)) => {
                    let too_hard = fine >= f64::from(*grades.end()) + 1.0;
                    let met = candidate.fitness == 0.0;
                    if best.as_ref().is_none_or(|best| candidate.fitness > best.fitness) {
                        best = Some(candidate);
                    }
                    if met || !too_hard && depth == last {
                        return best;
                    }
                    if too_hard {
                        high = depth - 1;
                    } else {
                        low = depth + 1;
                    }
                }
            }
            if low > high {
                return best;
            }
            depth = low.midpoint(high);
        }
    }

    /// A start with its fitness and fine grade, if no solution leaves a box unpushed.
    fn weighed(&self, design: &Design, start: &Start, pushes: usize, budget: &Budget) -> Option<(Candidate, f64)> {
        let mut candidate = Candidate::new(*design, *start, pushes);
        let level = candidate.level();
        let solution = fewest_pushes(&level, QUICK_NODES, budget.cancel())?;
        let rating = rate_solution(&level, &solution.lurd, 0, budget.cancel()).ok()?;
        if !pushes_every_box(&candidate, budget.cancel()) {
            return None;
        }
        candidate.fitness = self.fitness(&rating);
        Some((candidate, rating.grade.fine))
    }

    /// The level cleaned up and rated, if it still meets the wish then.
    fn finished(&self, candidate: &Candidate, budget: &Budget) -> Result<Option<(Candidate, Rating)>, MakeError> {
        let (cleaned, rating) = self.cleaned(candidate, budget).ok_or(MakeError::Stopped)?;
        let suits = self.distance(&rating) == 0.0 && pushes_every_box(&cleaned, budget.cancel());
        Ok(suits.then_some((cleaned, rating)))
    }

    /// Walls without use taken away, optima proved. `None` when the budget ends.
    fn cleaned(&self, candidate: &Candidate, budget: &Budget) -> Option<(Candidate, Rating)> {
        let cleaned = polish::without_useless_walls(candidate, budget)?;
        let Limits { time, memory, .. } = *budget.limits();
        let proof = Limits {
            nodes: Some(PROOF_NODES),
            memory: Some(memory.map_or(PROOF_MEMORY, |most| most.min(PROOF_MEMORY))),
            time: time.map(|time| time.saturating_sub(budget.elapsed())),
        };
        let effort = Effort { proof, plain_nodes: PLAIN_NODES, threads: 1 };
        // The pull search came here, so there is a solution. Where none is found within the limits there is no level.
        let rating = rate(&cleaned.level(), &effort, budget.cancel(), &mut |_| ()).ok()?;
        // What the time limit cut short would be another level on another machine.
        (!budget.out_of_time()).then_some((cleaned, rating))
    }

    fn written(&self, candidate: &Candidate, rating: Rating, work: &Work, as_wished: bool) -> Generated {
        let &Work { number, style, boards, .. } = work;
        let mut level = candidate.level();
        let mut name = style.name().to_owned();
        name[..1].make_ascii_uppercase();
        if self.like.is_some() {
            name = "Variation".to_owned();
        }
        level.title = Some(format!("{name} {}-{number}", self.wish.seed));
        level.number = number;
        level.notes = vec![
            format!("Grade: {}", rating.grade.number),
            format!("Pushes: {}", rating.pushes),
            format!("Moves: {}", rating.moves),
            format!("Seed: {}", self.wish.seed),
            format!("Generator: lurd {}", env!("CARGO_PKG_VERSION")),
        ];
        Generated { level, rating, as_wished, boards }
    }
}

/// A solution with the fewest pushes, proved, or `None` within the limit.
pub(crate) fn fewest_pushes(level: &Level, nodes: u64, cancel: &Cancel) -> Option<Solution> {
    let report = report(level, nodes, cancel)?;
    report.solution.filter(|_| report.proof == lurd::Proof::OptimalPushes)
}

fn report(level: &Level, nodes: u64, cancel: &Cancel) -> Option<Report> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = Request { goal: Goal::Pushes, limits, ..Request::default() };
    lurd::solve_with(level, &request, cancel, &mut |_| ()).ok()
}

/// Whether no solution, of whatever length, leaves a box unpushed. One that is not on a goal has to be pushed. Of the others,
/// each is proved to be in the way: the level has no solution with a wall in place of the box and its goal.
fn pushes_every_box(candidate: &Candidate, cancel: &Cancel) -> bool {
    let Candidate { design, start, .. } = candidate;
    let home = start.boxes.iter().filter(|&cell| design.goals.contains(cell));
    home.into_iter().all(|cell| {
        let fixed = Cells::of([cell]);
        let yard = Yard { floor: design.yard.floor.without(&fixed), ..design.yard };
        let map = yard.map(&design.goals.without(&fixed), &start.boxes.without(&fixed), start.player);
        report(&Level::new(map), QUICK_NODES, cancel).is_some_and(|report| report.outcome == Outcome::Unsolvable)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::{Board, Cell};
    use lurd_rules::oracle::fewest_by_pushes;

    /// By brute force: with a wall in place of any box that stands on a goal there is no solution.
    #[test]
    fn no_solution_leaves_a_box_unpushed() {
        let [mut levels, mut home] = [0; 2];
        for seed in [813_524, 1, 2, 3] {
            let aim = Aim::Grade(1..=1);
            let wish = Wish { boxes: 3..=3, width: 9..=9, height: 7..=7, aim, seed, boards: 150, ..Wish::default() };
            let maker = Maker::new(wish).unwrap();
            for number in 1..=4 {
                let Ok(made) = maker.make(number, 0, &Budget::unlimited()) else { continue };
                levels += 1;
                let map = &made.level.map;
                for (row, column, _) in map.cells().filter(|&(_, _, cell)| cell == Cell::BoxOnGoal) {
                    home += 1;
                    let mut rows: Vec<Vec<char>> = map.rows().map(|row| row.chars().collect()).collect();
                    rows[row][column] = '#';
                    let text: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
                    let board = Board::new(&Map::from_xsb(&text.join("\n")).unwrap()).unwrap();
                    assert_eq!(fewest_by_pushes(&board), None, "seed {seed}, level {number}:\n{map}");
                }
            }
        }
        println!("{levels} levels with {home} boxes on goals");
        assert!(levels > 10 && home > 0, "{levels} levels with {home} boxes on goals");
    }
}
