//! Can every box have a place of its own? Bipartite matching over bitsets (Kuhn's augmenting paths).

/// Matches rows to columns; its lists are used again and again.
#[derive(Clone, Debug, Default)]
pub struct BipartiteMatching {
    row_of: Vec<u32>,
    tried: Vec<u64>,
}

/// No row.
const FREE: u32 = u32::MAX;

impl BipartiteMatching {
    /// Whether every row can have a column of its own among those set in its words.
    pub fn is_perfect<'a>(&mut self, rows: usize, columns: usize, set: &dyn Fn(usize) -> &'a [u64]) -> bool {
        if rows > columns {
            return false;
        }
        self.row_of.clear();
        self.row_of.resize(columns, FREE);
        for row in 0..rows {
            self.tried.clear();
            self.tried.resize(columns.div_ceil(64).max(1), 0);
            if !self.place(row, set) {
                return false;
            }
        }
        true
    }

    fn place<'a>(&mut self, row: usize, set: &dyn Fn(usize) -> &'a [u64]) -> bool {
        let words = set(row);
        // A free column first: most rows find one at once.
        for (index, &word) in words.iter().enumerate() {
            let mut rest = word & !self.tried[index];
            while rest != 0 {
                let column = index * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if self.row_of[column] == FREE {
                    self.row_of[column] = row as u32;
                    return true;
                }
            }
        }
        for (index, &word) in words.iter().enumerate() {
            loop {
                let rest = word & !self.tried[index];
                if rest == 0 {
                    break;
                }
                let bit = rest.trailing_zeros();
                self.tried[index] |= 1 << bit;
                let column = index * 64 + bit as usize;
                if self.place(self.row_of[column] as usize, set) {
                    self.row_of[column] = row as u32;
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_rows_that_share_two_columns_do_not_fit() {
        let mut matching = BipartiteMatching::default();
        let fits: [[u64; 1]; 3] = [[0b011], [0b001], [0b110]];
        assert!(matching.is_perfect(3, 3, &|row| &fits[row]));
        let crowded: [[u64; 1]; 3] = [[0b011], [0b011], [0b011]];
        assert!(!matching.is_perfect(3, 3, &|row| &crowded[row]));
        assert!(!matching.is_perfect(1, 1, &|_| &[0]));
    }
}
