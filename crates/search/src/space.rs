//! What a game must say of itself to be searched.
//!
//! A state has two shapes. The *working* shape ([`StateSpace::State`]) is what a
//! game computes with; a search holds two or three of them and reuses them. The
//! *packed* shape is a fixed number of 64-bit words, the state's full identity:
//! searches store it by the million, hash it and compare it word by word, so two
//! different states are never taken for one.

/// The cost of an action or a path: a small integer.
pub type Cost = u32;

/// Why a successor was cut: an index into [`StateSpace::reasons`].
pub type Reason = u8;

/// An action that leads out of a state, with its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<A> {
    /// What is done.
    pub action: A,
    /// What it costs: at least 1.
    pub cost: Cost,
}

/// The buffer that [`StateSpace::successors`] fills; reused from one expansion to the next.
#[derive(Debug)]
pub struct Successors<A> {
    edges: Vec<Edge<A>>,
    cuts: Vec<(A, Reason)>,
}

impl<A> Default for Successors<A> {
    fn default() -> Self {
        Self { edges: Vec::new(), cuts: Vec::new() }
    }
}

impl<A: Copy> Successors<A> {
    /// Adds an action worth trying.
    pub fn push(&mut self, action: A, cost: Cost) {
        debug_assert!(cost > 0, "an action costs at least 1");
        self.edges.push(Edge { action, cost });
    }

    /// Records a legal action that was not worth trying, and why.
    pub fn cut(&mut self, action: A, reason: Reason) {
        self.cuts.push((action, reason));
    }

    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.cuts.clear();
    }

    /// The actions worth trying, in the order the game gave them.
    pub fn edges(&self) -> &[Edge<A>] {
        &self.edges
    }

    /// The actions that were cut.
    pub fn cuts(&self) -> &[(A, Reason)] {
        &self.cuts
    }
}

/// What the cuts made by a space leave standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// A cheapest solution survives: optimality and unsolvability may be claimed.
    KeepsOptimum,
    /// Some solution survives, perhaps not a cheapest one: unsolvability may be claimed.
    KeepsSolution,
    /// Nothing is promised.
    Unsound,
}

/// A graph given by its start states, its goal test and its successors.
pub trait StateSpace {
    /// The working shape of a state. `clone_from` should reuse memory.
    type State: Clone;
    /// An action; small and cheap to copy.
    type Action: Copy + PartialEq + std::fmt::Debug;

    /// The states a search starts from, at cost 0. Mostly one; a search that runs
    /// backwards from the solved boards starts from several.
    fn starts(&self) -> Vec<Self::State>;

    /// Whether the search may end here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Adds every action worth trying to `out` (which comes in empty), in a fixed order.
    fn successors(&mut self, state: &Self::State, out: &mut Successors<Self::Action>);

    /// Turns `state` into its successor under an action that
    /// [`successors`](Self::successors) gave for it.
    fn apply(&mut self, state: &mut Self::State, action: Self::Action);

    /// How many words a packed state has.
    fn key_words(&self) -> usize;

    /// Packs a state: equal states give equal words, different states different words.
    fn pack(&self, state: &Self::State, words: &mut [u64]);

    /// The inverse of [`pack`](Self::pack).
    fn unpack(&self, words: &[u64], state: &mut Self::State);

    /// The names of the reasons used with [`Successors::cut`].
    fn reasons(&self) -> &[&'static str] {
        &[]
    }

    /// What the cuts leave standing.
    fn pruning(&self) -> Pruning {
        Pruning::KeepsOptimum
    }

    /// Whether `action` goes on with what `previous` was doing: the inertia tie-break prefers it.
    fn continues(&self, previous: Self::Action, action: Self::Action) -> bool {
        let _ = (previous, action);
        false
    }
}
