//! The cheapest pairing of boxes with places, and what it costs when one box moves.
//!
//! Shortest augmenting paths with dual prices (Kuhn 1955, Jonker and Volgenant 1987). A move changes the row of one
//! box: the new cost is the old one, less the box's price, plus the length of one shortest path back to the
//! place it held. Nothing is changed for that, so all moves of a position are priced from one solved pairing.

/// A solved pairing of as many boxes as places.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    count: usize,
    costs: Vec<i32>,
    box_price: Vec<i32>,
    place_price: Vec<i32>,
    place_of: Vec<usize>,
    box_on: Vec<usize>,
    total: i32,
    length: Vec<i32>,
    previous: Vec<usize>,
    scanned: Vec<bool>,
}

const NOBODY: usize = usize::MAX;

impl Pairing {
    /// Pairs `count` boxes with as many places at a cost for each two. Returns what the cheapest pairing costs.
    pub(super) fn solve(&mut self, count: usize, cost: impl Fn(usize, usize) -> i32) -> i32 {
        self.count = count;
        self.costs.clear();
        for one in 0..count {
            self.costs.extend((0..count).map(|place| cost(one, place)));
        }
        self.place_price.clear();
        self.place_price.resize(count, 0);
        self.box_price.clear();
        self.place_of.clear();
        self.place_of.resize(count, NOBODY);
        self.box_on.clear();
        self.box_on.resize(count, NOBODY);
        for one in 0..count {
            let row = &self.costs[one * count..][..count];
            self.box_price.push(row.iter().copied().min().unwrap_or(0));
        }
        for one in 0..count {
            self.augment(one);
        }
        self.total = (0..count).map(|one| self.costs[one * count + self.place_of[one]]).sum();
        self.total
    }

    /// What the cheapest pairing would cost if the row of one box were another.
    pub(super) fn after(&mut self, moved: usize, cost: impl Fn(usize) -> i32) -> i32 {
        let count = self.count;
        let free = self.place_of[moved];
        let reduced = |place: usize| cost(place) - self.place_price[place];
        let least = (0..count).map(reduced).min().unwrap_or(0);
        if reduced(free) == least {
            return self.total - self.box_price[moved] + least;
        }
        self.length.clear();
        self.length.extend((0..count).map(|place| cost(place) - self.place_price[place]));
        self.scanned.clear();
        self.scanned.resize(count, false);
        loop {
            let Some(next) = self.nearest(|place| place == free) else { return self.total };
            if next == free {
                return self.total - self.box_price[moved] + self.length[free];
            }
            self.scanned[next] = true;
            let owner = self.box_on[next];
            let base = self.length[next] - self.box_price[owner];
            for place in 0..count {
                if !self.scanned[place] {
                    let through = base + self.costs[owner * count + place] - self.place_price[place];
                    self.length[place] = self.length[place].min(through);
                }
            }
        }
    }

    /// The nearest place that is not scanned; among equals one that ends the path.
    fn nearest(&self, ends: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.count).filter(|&place| !self.scanned[place]).min_by_key(|&place| (self.length[place], !ends(place)))
    }

    /// Gives a box a place along a shortest augmenting path.
    fn augment(&mut self, first: usize) {
        let count = self.count;
        self.length.clear();
        self.length.resize(count, i32::MAX);
        self.previous.clear();
        self.previous.resize(count, NOBODY);
        self.scanned.clear();
        self.scanned.resize(count, false);
        let mut from = first;
        let mut lowest = 0;
        let end = loop {
            let base = lowest - self.box_price[from];
            for place in 0..count {
                if self.scanned[place] {
                    continue;
                }
                let through = base + self.costs[from * count + place] - self.place_price[place];
                if through < self.length[place] {
                    self.length[place] = through;
                    self.previous[place] = from;
                }
            }
            let Some(next) = self.nearest(|place| self.box_on[place] == NOBODY) else { return };
            lowest = self.length[next];
            if self.box_on[next] == NOBODY {
                break next;
            }
            self.scanned[next] = true;
            from = self.box_on[next];
        };
        self.box_price[first] += lowest;
        for place in (0..count).filter(|&place| self.scanned[place]) {
            let slack = lowest - self.length[place];
            self.place_price[place] -= slack;
            self.box_price[self.box_on[place]] += slack;
        }
        let mut place = end;
        loop {
            let owner = self.previous[place];
            self.box_on[place] = owner;
            let freed = std::mem::replace(&mut self.place_of[owner], place);
            if owner == first {
                return;
            }
            place = freed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_search::random::SplitMix64;

    fn cheapest(costs: &[Vec<i32>], one: usize, taken: &mut Vec<bool>) -> i32 {
        if one == costs.len() {
            return 0;
        }
        let mut least = i32::MAX;
        for place in 0..costs.len() {
            if !std::mem::replace(&mut taken[place], true) {
                least = least.min(costs[one][place] + cheapest(costs, one + 1, taken));
                taken[place] = false;
            }
        }
        least
    }

    #[test]
    fn costs_are_those_of_the_best_of_all_pairings() {
        let mut dice = SplitMix64::new(7);
        let mut pairing = Pairing::default();
        for round in 0..600 {
            let count = 1 + round % 6;
            let spread = [3, 12, 200][round % 3];
            let mut costs: Vec<Vec<i32>> =
                (0..count).map(|_| (0..count).map(|_| dice.below(spread) as i32).collect()).collect();
            let all = |costs: &[Vec<i32>]| cheapest(costs, 0, &mut vec![false; count]);
            assert_eq!(pairing.solve(count, |one, place| costs[one][place]), all(&costs));
            for _ in 0..4 {
                let moved = dice.below(count);
                let row: Vec<i32> = (0..count).map(|_| dice.below(spread) as i32).collect();
                let found = pairing.after(moved, |place| row[place]);
                let before = std::mem::replace(&mut costs[moved], row);
                assert_eq!(found, all(&costs), "{costs:?}");
                costs[moved] = before;
            }
        }
    }
}
