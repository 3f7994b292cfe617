//! The front door: a solver with everything set by name.

use crate::{Certificate, Choices, Disk, Goal, Level, Progress, Report, Request, SolveError, Watch, watch};
use lurd_base::Cancel;
use std::time::Duration;

/// Called with the progress of a search.
type Callback<'a> = Box<dyn FnMut(&Progress) + 'a>;

/// Solves levels. Everything that is not set has a default: any solution, one thread, no limits.
///
/// ```
/// use lurd::{Goal, Level, Proof, Solver};
/// use std::time::Duration;
///
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let report = Solver::new()
///     .goal(Goal::Pushes)
///     .time_limit(Duration::from_secs(10))
///     .threads(2)
///     .on_progress(|progress| eprintln!("{} positions", progress.expanded))
///     .solve(&level)?;
/// assert_eq!(report.proof, Proof::OptimalPushes);
/// assert_eq!(report.solution.map(|solution| solution.lurd).as_deref(), Some("rRR"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Solver<'a> {
    config: Request,
    cancel: Cancel,
    progress: Option<Callback<'a>>,
}

/// Passes progress on and keeps the certificate.
struct Keeper<'s, 'a> {
    progress: Option<&'s mut (dyn FnMut(&Progress) + 'a)>,
    certificate: Option<Certificate>,
}

impl Watch for Keeper<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        if let Some(callback) = &mut self.progress {
            callback(progress);
        }
    }

    fn certified(&mut self, certificate: Certificate) {
        self.certificate = Some(certificate);
    }
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<'a> Solver<'a> {
    /// A solver with nothing set.
    ///
    /// ```
    /// # use lurd::{Level, Solver};
    /// let level = Level::parse("#####\n#@$.#\n#####")?;
    /// assert!(Solver::new().solve(&level)?.solution.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// What the answer should be good for: any solution, the fewest pushes, or the fewest moves.
    ///
    /// ```
    /// # use lurd::{Goal, Level, Proof, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let report = Solver::new().goal(Goal::Moves).solve(&level)?;
    /// assert_eq!(report.proof, Proof::OptimalMoves);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn goal(mut self, goal: Goal) -> Self {
        self.config.goal = goal;
        self
    }

    /// What decides between answers that are equally good for the goal.
    ///
    /// ```
    /// # use lurd::{Goal, Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let report = Solver::new().goal(Goal::Moves).then(Goal::Pushes).solve(&level)?;
    /// assert!(report.solution.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn then(mut self, goal: Goal) -> Self {
        self.config.then = Some(goal);
        self
    }

    /// Choices of a classic search: algorithm, formulation, heuristic, deadlock rules.
    ///
    /// ```
    /// # use lurd::{AlgorithmName, Choices, Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let choices = Choices { algorithm: Some(AlgorithmName::IdaStar), ..Choices::default() };
    /// assert_eq!(Solver::new().choices(choices).solve(&level)?.algorithm, "ida-star");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn choices(mut self, choices: Choices) -> Self {
        self.config.classic = choices;
        self
    }

    /// The longest a level may take.
    ///
    /// ```
    /// # use lurd::{Level, Outcome, Solver, Stop};
    /// # use std::time::Duration;
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let report = Solver::new().time_limit(Duration::ZERO).solve(&level)?;
    /// assert_eq!(report.outcome, Outcome::Stopped(Stop::Time));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.config.limits.time = Some(time);
        self
    }

    /// The most bytes the search may hold.
    ///
    /// ```
    /// # use lurd::{Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// assert!(Solver::new().memory_limit(1 << 30).solve(&level)?.solution.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.config.limits.memory = Some(bytes);
        self
    }

    /// The most positions the search may generate: unlike time, the same on every machine.
    ///
    /// ```
    /// # use lurd::{Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// assert!(Solver::new().node_limit(100_000).solve(&level)?.solution.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn node_limit(mut self, nodes: u64) -> Self {
        self.config.limits.nodes = Some(nodes);
        self
    }

    /// Threads that work on one level. With one, runs under a node limit repeat exactly.
    ///
    /// ```
    /// # use lurd::{Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// assert!(Solver::new().threads(2).solve(&level)?.solution.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.config.threads = threads;
        self
    }

    /// A folder where a proof of fewest pushes keeps checkpoints and what does not fit into memory.
    ///
    /// ```no_run
    /// # use lurd::{Disk, Goal, Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let disk = Disk { folder: "proof".into(), limit: Some(10 << 30), resume: true };
    /// let report = Solver::new().goal(Goal::Pushes).disk(disk).solve(&level)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn disk(mut self, disk: Disk) -> Self {
        self.config.disk = Some(disk);
        self
    }

    /// A flag that ends the search from another thread or from the progress callback.
    ///
    /// ```
    /// # use lurd::{Cancel, Level, Outcome, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// assert_eq!(Solver::new().cancel(&cancel).solve(&level)?.outcome, Outcome::Cancelled);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Called a few times a second while a level is solved.
    ///
    /// ```
    /// # use lurd::{Level, Solver};
    /// # let level = Level::parse("#####\n#@$.#\n#####")?;
    /// let mut solver = Solver::new().on_progress(|progress| eprintln!("{:.1} s", progress.seconds));
    /// assert!(solver.solve(&level)?.solution.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(&Progress) + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Solves a level.
    ///
    /// # Errors
    /// When the level cannot be played or the choices do not go together. Running into a limit is no error: the report's
    /// outcome says so.
    ///
    /// ```
    /// # use lurd::{Level, Outcome, Solver};
    /// let stuck = Level::parse("#####\n#$  #\n#@ .#\n#####")?;
    /// assert_eq!(Solver::new().solve(&stuck)?.outcome, Outcome::Unsolvable);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&mut self, level: &Level) -> Result<Report, SolveError> {
        let progress: &mut dyn FnMut(&Progress) = match &mut self.progress {
            Some(progress) => progress,
            None => &mut |_| (),
        };
        crate::solve_with(level, &self.config, &self.cancel, progress)
    }

    /// As [`solve`](Self::solve), for a watcher that wants to see more than progress: every position of a classic
    /// search, the strategies of a race, the certificate of a proof.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    ///
    /// ```
    /// use lurd::{Level, Progress, Race, Solver, Watch};
    ///
    /// struct Strategies(usize);
    /// impl Watch for Strategies {
    ///     fn progress(&mut self, _: &Progress) {}
    ///     fn closely(&self) -> bool {
    ///         true
    ///     }
    ///     fn raced(&mut self, race: &Race) {
    ///         self.0 = race.racers.len();
    ///     }
    /// }
    ///
    /// let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// let mut strategies = Strategies(0);
    /// Solver::new().watch(&level, &mut strategies)?;
    /// assert!(strategies.0 > 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch(&self, level: &Level, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
        watch(level, &self.config, &self.cancel, watcher)
    }

    /// As [`solve`](Self::solve) for the fewest pushes, with the certificate of the proof: what others need to repeat
    /// the work, as [`recheck`](crate::recheck) does. `None` where nothing at all could be proved.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and when the goal is not the fewest pushes.
    ///
    /// ```
    /// # use lurd::{Goal, Level, Solver};
    /// # let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// let (report, certificate) = Solver::new().goal(Goal::Pushes).certify(&level)?;
    /// assert_eq!(certificate.and_then(|proof| proof.lower_bound), report.lower_bound);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify(&mut self, level: &Level) -> Result<(Report, Option<Certificate>), SolveError> {
        let config = Request { certify: true, ..self.config.clone() };
        let mut keeper = Keeper { progress: self.progress.as_deref_mut(), certificate: None };
        let report = watch(level, &config, &self.cancel, &mut keeper)?;
        Ok((report, keeper.certificate))
    }

    /// What is set, for functions that take a [`Request`].
    ///
    /// ```
    /// # use lurd::{Goal, Solver, explain};
    /// let solver = Solver::new().goal(Goal::Moves);
    /// assert_eq!(explain(solver.config())?.formulation, "walk");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn config(&self) -> &Request {
        &self.config
    }
}
