//! Minimal dead sets, indexed by the box that was moved last.
//!
//! Only sets that contain the moved box need to be tested: for every other set nothing has changed, because the player
//! has not crossed it. The player's square after the move is part of the arrival, so the zone needs no test: each arrival
//! has its own list of sets, given by their other boxes. Pairs are one mask, triples one mask for each partner, larger
//! sets a list.

use crate::dense::set::Set;
use std::sync::Arc;

/// An array of sets of live squares with the same number of words.
#[derive(Clone, Debug)]
pub struct Masks {
    words: usize,
    bits: Vec<u64>,
}

impl Masks {
    pub fn new(words: usize, count: usize) -> Self {
        Self { words, bits: vec![0; words * count] }
    }

    pub fn insert(&mut self, number: usize, square: usize) {
        self.bits[number * self.words + square / 64] |= 1 << (square % 64);
    }

    #[inline]
    pub fn get<const L: usize>(&self, number: usize) -> Set<L> {
        let first = number * L;
        let mut set = Set::EMPTY;
        set.0.copy_from_slice(&self.bits[first..first + L]);
        set
    }

    /// A set with fewer words than the type.
    #[inline]
    pub fn part<const L: usize>(&self, number: usize) -> Set<L> {
        Set::from_words(&self.bits[number * self.words..][..self.words])
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.bits[..])
    }
}

/// Dead triples by arrival: the partners, and for each partner the squares that complete a triple.
#[derive(Clone, Debug)]
pub struct Triples {
    pub partners: Masks,
    /// By `arrival * live squares + partner`; each triple is stored under its lower partner only.
    pub thirds: Masks,
}

/// Dead sets of four and more boxes: for each arrival a list of the other boxes.
#[derive(Clone, Debug)]
pub struct Larger {
    pub first: Vec<u32>,
    pub others: Masks,
}

impl Larger {
    /// The sets given as (arrival, other squares).
    pub fn new(words: usize, arrivals: usize, mut sets: Vec<(u16, Vec<u16>)>) -> Self {
        sets.sort();
        let mut first = vec![0u32; arrivals + 1];
        let mut others = Masks::new(words, sets.len());
        for (number, (arrival, squares)) in sets.iter().enumerate() {
            first[usize::from(*arrival) + 1] += 1;
            squares.iter().for_each(|&square| others.insert(number, square.into()));
        }
        for arrival in 0..arrivals {
            first[arrival + 1] += first[arrival];
        }
        Self { first, others }
    }
}

/// The dead sets of one direction of search that are known so far.
#[derive(Clone, Debug)]
pub struct DeadSets {
    live: usize,
    pub pairs: Arc<Masks>,
    pub triples: Option<Arc<Triples>>,
    pub larger: Vec<Arc<Larger>>,
}

impl DeadSets {
    /// No set.
    pub fn none(words: usize, live: usize) -> Self {
        Self { live, pairs: Arc::new(Masks::new(words, 4 * live)), triples: None, larger: Vec::new() }
    }

    /// Whether the box of this arrival is in a dead pair with one of `boxes`.
    #[inline]
    pub fn dead_pair<const L: usize>(&self, arrival: usize, boxes: Set<L>) -> bool {
        !self.pairs.get(arrival).and(boxes).is_empty()
    }

    /// Whether the box of this arrival is in a dead triple with two of `boxes`.
    #[inline]
    pub fn dead_triple<const L: usize>(&self, arrival: usize, boxes: Set<L>) -> bool {
        let Some(triples) = &self.triples else { return false };
        let partners = triples.partners.get(arrival).and(boxes);
        partners.iter().any(|partner| !triples.thirds.get(arrival * self.live + partner).and(boxes).is_empty())
    }

    /// Whether the box of this arrival is in a larger dead set with some of `boxes`.
    #[inline]
    pub fn dead_larger<const L: usize>(&self, arrival: usize, boxes: Set<L>) -> bool {
        self.larger.iter().any(|larger| {
            let (first, last) = (larger.first[arrival] as usize, larger.first[arrival + 1] as usize);
            larger.others.bits[first * L..last * L]
                .chunks_exact(L)
                .any(|others| others.iter().zip(boxes.0).all(|(&others, boxes)| others & !boxes == 0))
        })
    }

    /// Whether the box of this arrival is in any known dead set with some of `boxes`.
    #[inline]
    pub fn dead<const L: usize>(&self, arrival: usize, boxes: Set<L>) -> bool {
        self.dead_pair(arrival, boxes) || self.dead_triple(arrival, boxes) || self.dead_larger(arrival, boxes)
    }

    pub fn bytes(&self) -> usize {
        let triples = self.triples.as_ref().map_or(0, |triples| triples.partners.bytes() + triples.thirds.bytes());
        let larger = self.larger.iter().map(|larger| larger.others.bytes() + size_of_val(&larger.first[..]));
        self.pairs.bytes() + triples + larger.sum::<usize>()
    }
}
