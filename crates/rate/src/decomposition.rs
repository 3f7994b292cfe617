//! How well a solution falls into two nearly independent parts.
//!
//! Jarušek and Pelánek (2010) found the decomposition of a level into two parts to predict best how long people need: a level
//! whose boxes can be dealt with group after group is easy. Here the groups are boxes: a solution that deals with one group
//! and then with the other switches once; boxes that depend on each other make it go to and fro.

use crate::Replay;

/// Boxes up to which all splits are tried.
const EXHAUSTIVE: usize = 14;

/// The fewest switches between two groups of boxes, over all ways to split the boxes that are pushed into two groups of which
/// the smaller has at least a third of them. 0 where fewer than two boxes are pushed.
///
/// Up to 14 boxes the value is exact. Beyond, splits are improved by moving and exchanging single boxes (as in Kernighan and
/// Lin 1970), which may miss the best split.
pub fn switches_between_halves(replay: &Replay) -> usize {
    let links = links(replay);
    let boxes = links.len();
    if boxes < 2 {
        return 0;
    }
    let least = (boxes / 3).max(1);
    if boxes <= EXHAUSTIVE {
        // The last box is always in the second group: a split and its mirror image are the same.
        (1..1u32 << (boxes - 1))
            .filter(|split| (least..=boxes - least).contains(&(split.count_ones() as usize)))
            .map(|split| cut(&links, &|index| split >> index & 1 == 1))
            .min()
            .unwrap_or(0)
    } else {
        local_search(&links, least)
    }
}

/// How often the solution goes from one box to another, for every pair of boxes that are pushed, in the order they are first pushed.
fn links(replay: &Replay) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    let mut visits: Vec<usize> = Vec::new();
    for push in &replay.pushes {
        let place = order.iter().position(|&mover| mover == push.mover).unwrap_or_else(|| {
            order.push(push.mover);
            order.len() - 1
        });
        if visits.last() != Some(&place) {
            visits.push(place);
        }
    }
    let mut links = vec![vec![0; order.len()]; order.len()];
    for pair in visits.windows(2) {
        links[pair[0]][pair[1]] += 1;
        links[pair[1]][pair[0]] += 1;
    }
    links
}

fn cut(links: &[Vec<usize>], first: &dyn Fn(usize) -> bool) -> usize {
    let pairs = (0..links.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| first(a) != first(b)).map(|(a, b)| links[a][b]).sum()
}

/// From every split along the order of the first pushes, single boxes change sides while that saves switches.
fn local_search(links: &[Vec<usize>], least: usize) -> usize {
    let boxes = links.len();
    let mut best = usize::MAX;
    for border in least..=boxes - least {
        let mut first: Vec<bool> = (0..boxes).map(|index| index < border).collect();
        loop {
            let size = first.iter().filter(|&&side| side).count();
            let gain = |index: usize| -> isize {
                let weight = |same: bool| -> isize {
                    let others = (0..boxes).filter(|&other| other != index && (first[other] == first[index]) == same);
                    others.map(|other| links[index][other] as isize).sum()
                };
                weight(false) - weight(true)
            };
            let allowed = |index: &usize| if first[*index] { size > least } else { size < boxes - least };
            let moved = (0..boxes).filter(allowed).max_by_key(|&index| (gain(index), usize::MAX - index));
            match moved {
                Some(index) if gain(index) > 0 => first[index] = !first[index],
                _ => break,
            }
        }
        best = best.min(cut(links, &|index| first[index]));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReplayedPush;
    use lurd::Direction;

    /// A replay that pushes these boxes one after the other.
    fn replay(movers: &[usize]) -> Replay {
        let push =
            |&mover: &usize| ReplayedPush { mover, from: 0, to: 1, direction: Direction::Right, after_walk: true };
        Replay { pushes: movers.iter().map(push).collect(), moves: Vec::new(), ends: Vec::new() }
    }

    #[test]
    fn boxes_one_after_the_other_need_one_switch() {
        assert_eq!(switches_between_halves(&replay(&[0, 0, 1, 2, 2, 3])), 1);
        assert_eq!(switches_between_halves(&replay(&[5])), 0);
        assert_eq!(switches_between_halves(&replay(&[])), 0);
    }

    #[test]
    fn boxes_that_depend_on_each_other_stay_together() {
        assert_eq!(switches_between_halves(&replay(&[0, 1, 0, 1, 0, 1, 2, 3, 2, 3])), 1);
        assert_eq!(switches_between_halves(&replay(&[0, 1, 0, 1])), 3);
        assert_eq!(switches_between_halves(&replay(&[0, 1, 2, 0, 1, 2])), 3);
    }

    /// On few boxes the local search finds what trying all splits finds, or a little more, never less.
    #[test]
    fn local_search_is_no_better_than_all_splits() {
        let mut random = lurd_base::random::SplitMix64::new(7);
        for _ in 0..200 {
            let boxes = 3 + random.below(6);
            let movers: Vec<usize> = (0..4 * boxes).map(|_| random.below(boxes)).collect();
            let replay = replay(&movers);
            let links = links(&replay);
            let exact = switches_between_halves(&replay);
            let found = local_search(&links, (links.len() / 3).max(1));
            assert!(found >= exact && found <= exact + 4, "{found} against {exact}");
        }
    }
}
