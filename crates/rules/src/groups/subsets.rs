//! Sets of squares: binomial coefficients, ranks in colexicographic order, subsets one after the other.

/// The most boxes in a group: four slots each in a word of 32 bits.
pub const MOST: usize = 6;

/// Binomial coefficients by `[count][among]`; `u128::MAX` where one does not fit.
pub fn binomials(count: usize, among: usize) -> Vec<Vec<u128>> {
    let mut rows = vec![vec![1u128; among + 1]];
    for size in 1..=count {
        let mut row = vec![0u128; among + 1];
        for n in 1..=among {
            row[n] = row[n - 1].saturating_add(rows[size - 1][n - 1]);
        }
        rows.push(row);
    }
    rows
}

/// Numbers of sets of up to [`MOST`] squares.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// `choose[size][square]`: sets of `size` among the squares below `square`.
    choose: Vec<Vec<usize>>,
}

impl Ranks {
    /// Ranks of sets of squares below `squares`.
    pub fn new(squares: usize) -> Self {
        let narrow = |row: Vec<u128>| row.into_iter().map(|n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
        Self { choose: binomials(MOST, squares).into_iter().map(narrow).collect() }
    }

    /// How many sets of a size there are.
    pub fn count(&self, size: usize) -> usize {
        self.choose[size].last().copied().unwrap_or(0)
    }

    /// The rank of a set given in ascending order.
    #[inline]
    pub fn rank(&self, squares: &[u16]) -> usize {
        squares.iter().enumerate().map(|(index, &square)| self.choose[index + 1][usize::from(square)]).sum()
    }

    /// The set of a rank, in ascending order; places beyond `size` hold 0.
    #[inline]
    pub fn squares(&self, mut rank: usize, size: usize) -> [u16; MOST] {
        let mut squares = [0; MOST];
        for (count, square) in squares[..size].iter_mut().enumerate().rev() {
            let row = &self.choose[count + 1];
            let found = row.partition_point(|&sets| sets <= rank) - 1;
            rank -= row[found];
            *square = found as u16;
        }
        squares
    }
}

/// The rank of a pair of squares, in any order, as [`Ranks::rank`] gives it.
#[inline]
pub fn pair_rank(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high - 1) / 2 + low
}

pub fn pair_count(squares: usize) -> usize {
    squares * squares.saturating_sub(1) / 2
}

/// The subsets of a list, in lexicographic order of positions.
#[derive(Clone, Debug)]
pub struct Subsets {
    positions: [u16; MOST],
    size: usize,
    among: usize,
    done: bool,
}

impl Subsets {
    pub fn new(size: usize, among: usize) -> Self {
        Self { positions: std::array::from_fn(|index| index as u16), size, among, done: size > among }
    }

    pub fn is_done(&self) -> bool {
        self.done
    }
}

impl Iterator for Subsets {
    type Item = [u16; MOST];

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let current = self.positions;
        let last = |index: usize| (self.among - self.size + index) as u16;
        match (0..self.size).rev().find(|&index| self.positions[index] < last(index)) {
            None => self.done = true,
            Some(index) => {
                let first = self.positions[index] + 1;
                for (offset, position) in self.positions[index..self.size].iter_mut().enumerate() {
                    *position = first + offset as u16;
                }
            }
        }
        Some(current)
    }
}

/// The set after its `index`th square became `to`, in ascending order, and the place of `to` in it.
#[inline]
pub fn moved(squares: &[u16; MOST], size: usize, index: usize, to: u16) -> ([u16; MOST], usize) {
    let mut next = *squares;
    let mut place = index;
    while place > 0 && next[place - 1] > to {
        next[place] = next[place - 1];
        place -= 1;
    }
    while place + 1 < size && next[place + 1] < to {
        next[place] = next[place + 1];
        place += 1;
    }
    next[place] = to;
    (next, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_all_subsets_without_gaps() {
        for (size, among) in [(1, 1), (2, 2), (2, 9), (3, 8), (4, 9), (6, 6), (6, 10), (3, 2)] {
            let ranks = Ranks::new(among);
            let mut found: Vec<usize> = Subsets::new(size, among).map(|set| ranks.rank(&set[..size])).collect();
            assert!(
                Subsets::new(size, among)
                    .all(|set| ranks.squares(ranks.rank(&set[..size]), size)[..size] == set[..size])
            );
            found.sort_unstable();
            assert_eq!(found, (0..ranks.count(size)).collect::<Vec<_>>());
            if size == 2 {
                assert_eq!(ranks.count(2), pair_count(among));
                for set in Subsets::new(2, among) {
                    let (a, b) = (set[0].into(), set[1].into());
                    assert_eq!((pair_rank(a, b), pair_rank(b, a)), (ranks.rank(&set[..2]), ranks.rank(&set[..2])));
                }
            }
        }
    }

    #[test]
    fn moved_sets_stay_sorted() {
        for set in Subsets::new(4, 9) {
            for (index, to) in (0..4).flat_map(|index| (0..9u16).map(move |to| (index, to))) {
                if set[..4].contains(&to) {
                    continue;
                }
                let (next, place) = moved(&set, 4, index, to);
                let mut expected: Vec<u16> = set[..4].iter().copied().filter(|&square| square != set[index]).collect();
                expected.push(to);
                expected.sort_unstable();
                assert_eq!((&next[..4], next[place]), (&expected[..], to));
            }
        }
    }

    #[test]
    fn large_binomials_saturate() {
        let rows = binomials(200, 400);
        assert_eq!((rows[2][400], rows[0][0], rows[3][2]), (79_800, 1, 0));
        assert_eq!(rows[200][400], u128::MAX);
    }
}
