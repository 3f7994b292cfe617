//! The configurations of a vicinity search: the cells of the boxes, and which cells the player has reached with them.

use crate::grid::{Cell, contains, insert};
use crate::store::{Index, NONE, fold};
use crate::usefulness::Use;

/// The data of a configuration except its sets of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) hash: u64,
    pub(super) usefulness: Use,
    /// The last push that led here.
    pub(super) arrival: u32,
}

/// The configurations, numbered as they were added.
#[derive(Debug)]
pub(super) struct Configurations {
    walls: Vec<u64>,
    /// For each configuration its boxes, then the cells the player cannot enter any more: walls, boxes, and cells reached.
    words: Vec<u64>,
    entries: Vec<Entry>,
    index: Index,
}

impl Configurations {
    pub(super) fn new(walls: &[u64]) -> Self {
        Self { walls: walls.to_vec(), words: Vec::new(), entries: Vec::new(), index: Index::new() }
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.entries.clear();
        self.index.clear();
    }

    /// Clears the table and frees its memory.
    pub(super) fn release(&mut self) {
        *self = Self::new(&self.walls);
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.entries.capacity() * size_of::<Entry>() + self.index.bytes()
    }

    #[inline]
    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    #[inline]
    pub(super) fn entry_mut(&mut self, number: u32) -> &mut Entry {
        &mut self.entries[number as usize]
    }

    #[inline]
    pub(super) fn boxes(&self, number: u32) -> &[u64] {
        let width = self.walls.len();
        &self.words[number as usize * 2 * width..][..width]
    }

    /// The boxes of a configuration, and the cells that cannot be entered any more.
    #[inline]
    pub(super) fn sets(&mut self, number: u32) -> (&[u64], &mut [u64]) {
        let width = self.walls.len();
        let (boxes, closed) = self.words[number as usize * 2 * width..][..2 * width].split_at_mut(width);
        (boxes, closed)
    }

    #[inline]
    pub(super) fn find(&self, hash: u64, boxes: &[u64]) -> Option<u32> {
        self.index.find(fold(hash), |number| self.boxes(number) == boxes)
    }

    /// Reads the place in the table where the search for a hash begins.
    #[inline]
    pub(super) fn touch(&self, hash: u64) -> u32 {
        self.index.touch(fold(hash))
    }

    /// Adds a configuration that is not known yet.
    pub(super) fn add(&mut self, boxes: &[u64], hash: u64, usefulness: Use) -> u32 {
        let number = self.entries.len() as u32;
        self.words.extend_from_slice(boxes);
        self.words.extend(boxes.iter().zip(&self.walls).map(|(boxes, walls)| boxes | walls));
        self.entries.push(Entry { hash, usefulness, arrival: NONE });
        self.index.insert(fold(hash), number);
        number
    }

    /// Whether a cell can still be entered.
    #[inline]
    pub(super) fn is_open(&self, number: u32, cell: Cell) -> bool {
        let width = self.walls.len();
        !contains(&self.words[(number as usize * 2 + 1) * width..][..width], cell)
    }

    /// Marks a cell as reached; false if it cannot be entered any more.
    #[inline]
    pub(super) fn reach(&mut self, number: u32, cell: Cell) -> bool {
        let is_open = self.is_open(number, cell);
        if is_open {
            insert(self.sets(number).1, cell);
        }
        is_open
    }
}
