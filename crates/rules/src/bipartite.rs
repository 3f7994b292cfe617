//! Bipartite matching: can every row have a column of its own?
//!
//! By augmenting paths (Kuhn 1955), found breadth first over bit sets of columns. Rows are boxes and columns the squares
//! they may end on, or come from: where no matching of all rows exists the position is dead (Hall 1935).

/// A matching of rows with columns, with memory that is reused for the next one.
#[derive(Clone, Debug, Default)]
pub struct BipartiteMatching {
    /// The row paired with each column, undefined for free columns.
    row_of: Vec<u32>,
    free: Vec<u64>,
    /// The columns that the present search for a path has reached.
    reached: Vec<u64>,
    queue: Vec<u32>,
    /// The column before each column on its path.
    previous: Vec<u32>,
}

/// No column before: the path starts here.
const START: u32 = u32::MAX;

impl BipartiteMatching {
    /// Whether every row can have a column of its own. `set(row, word)` is one word of the set of columns a row may have.
    pub fn is_perfect(&mut self, rows: usize, columns: usize, set: impl Fn(usize, usize) -> u64) -> bool {
        self.clear(columns);
        rows <= columns && (0..rows).all(|row| self.augment(row, &set))
    }

    pub fn clear(&mut self, columns: usize) {
        self.row_of.resize(columns, 0);
        self.previous.resize(columns, START);
        self.free.clear();
        self.free.resize(columns.div_ceil(64), u64::MAX);
        self.reached.resize(self.free.len(), 0);
    }

    /// Pairs a row with a column. `false` if the column is not free.
    #[inline]
    pub fn pair(&mut self, row: usize, column: usize) -> bool {
        let bit = 1 << (column % 64);
        let free = self.free[column / 64] & bit != 0;
        if free {
            self.free[column / 64] &= !bit;
            self.row_of[column] = row as u32;
        }
        free
    }

    /// The pairs, as rows and columns.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let taken = |column: &usize| self.free[column / 64] >> (column % 64) & 1 == 0;
        (0..self.row_of.len()).filter(taken).map(|column| (self.row_of[column] as usize, column))
    }

    /// Pairs one more row along an augmenting path. `false`, with nothing changed, if there is none.
    pub fn augment(&mut self, row: usize, set: impl Fn(usize, usize) -> u64) -> bool {
        self.reached.fill(0);
        self.queue.clear();
        let (mut from, mut before, mut next) = (row, START, 0);
        loop {
            for word in 0..self.free.len() {
                let mut open = set(from, word) & !self.reached[word];
                let free = open & self.free[word];
                if free != 0 {
                    let column = word * 64 + free.trailing_zeros() as usize;
                    self.free[word] &= !(free & free.wrapping_neg());
                    self.previous[column] = before;
                    self.flip(column, row);
                    return true;
                }
                self.reached[word] |= open;
                while open != 0 {
                    let column = word * 64 + open.trailing_zeros() as usize;
                    open &= open - 1;
                    self.previous[column] = before;
                    self.queue.push(column as u32);
                }
            }
            let Some(&column) = self.queue.get(next) else { return false };
            next += 1;
            (from, before) = (self.row_of[column as usize] as usize, column);
        }
    }

    /// Moves every row of a path on to the next column, the new row to the first.
    fn flip(&mut self, mut column: usize, row: usize) {
        while self.previous[column] != START {
            let before = self.previous[column] as usize;
            self.row_of[column] = self.row_of[before];
            column = before;
        }
        self.row_of[column] = row as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::random::SplitMix64;

    /// Hall's condition: no rows have together fewer columns than they are.
    #[test]
    fn all_rows_are_matched_where_halls_condition_holds() {
        let mut random = SplitMix64::new(5);
        let mut matching = BipartiteMatching::default();
        let mut counts = [0, 0];
        for round in 0..6000 {
            let (rows, columns) = (1 + round % 6, 1 + random.below(8));
            // Spread over two words.
            let spread = |set: u64| [(set & 7) << 61, set >> 3];
            let sets: Vec<u64> =
                (0..rows).map(|_| random.next_u64() & random.next_u64() & ((1 << columns) - 1)).collect();
            let hall = (1..1u32 << rows).all(|some| {
                let members = (0..rows).filter(|row| some >> row & 1 != 0);
                members.map(|row| sets[row]).fold(0, |all, set| all | set).count_ones() >= some.count_ones()
            });
            assert_eq!(matching.is_perfect(rows, 61 + columns, |row, word| spread(sets[row])[word]), hall, "{sets:?}");
            if hall {
                assert_eq!(matching.pairs().count(), rows);
                assert!(matching.pairs().all(|(row, column)| spread(sets[row])[column / 64] >> (column % 64) & 1 != 0));
            }
            counts[usize::from(hall)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 500), "both kinds must occur: {counts:?}");
    }
}
