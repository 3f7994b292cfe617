//! The room connectivity feature of FESS (Shoham and Schaeffer 2020).
//!
//! A room is a connected union of open 2x2 blocks; the rest is corridor. Two rooms are linked if a walk through
//! corridor squares alone leads from one to the other. Boxes that cut a link, or cut a room into pieces of which one
//! loses it, make the level harder: the feature counts lost links.

use lurd_rules::Square;
use lurd_rules::bits::{marks, ones};
use lurd_rules::feature::board::{FeatureBoard, ring};

/// Marks a corridor square, which is in no room.
const CORRIDOR: u8 = u8::MAX;
/// More rooms than this are not counted: the board is a maze, and the count would be noise.
const MOST_ROOMS: usize = 70;

/// Entries of the cache of what rooms reach.
const CACHED: usize = 1 << 12;

#[derive(Clone, Debug)]
pub(super) struct Rooms {
    room: Vec<u8>,
    squares: Vec<Vec<Square>>,
    links: Vec<(u8, u8)>,
    /// Squares whose eight neighbours are all of one room: a box there cuts only what it cuts locally.
    inner: Vec<bool>,
    /// The squares of each room and its neighbours.
    around: Vec<Vec<bool>>,
    /// The rooms whose reach a box on a square may change, a bit each.
    touches: Vec<u128>,
}

impl Rooms {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        let count = board.len();
        let wall = count as Square;
        let block = |corner: Square| {
            let (right, down) = (board.next(corner, 1), board.next(corner, 3));
            let across = board.next(right, 3);
            let is_open = board.bare()[usize::from(corner)] == 0 && ![right, down, across].contains(&wall);
            is_open.then_some([corner, right, down, across])
        };
        let is_corner: Vec<bool> = (0..=wall).map(|square| block(square).is_some()).collect();
        let corner_at = |square: Square| is_corner[usize::from(square)];
        let mut number = vec![CORRIDOR; count];
        let mut rooms = 0usize;
        for first in 0..wall {
            let alone = !board.neighbours(first).iter().any(|&next| corner_at(next));
            if !corner_at(first) || number[usize::from(first)] != CORRIDOR || alone || rooms == MOST_ROOMS {
                continue;
            }
            number[usize::from(first)] = rooms as u8;
            board.flood(&mut vec![first], |_, next| {
                let is_new = corner_at(next) && number[usize::from(next)] == CORRIDOR;
                if is_new {
                    number[usize::from(next)] = rooms as u8;
                }
                is_new
            });
            rooms += 1;
        }
        let mut room = vec![CORRIDOR; count + 1];
        let mut disputed = vec![false; count + 1];
        for corner in 0..wall {
            let own = number[usize::from(corner)];
            if own == CORRIDOR {
                continue;
            }
            for square in block(corner).into_iter().flatten() {
                let place = &mut room[usize::from(square)];
                disputed[usize::from(square)] |= *place != CORRIDOR && *place != own;
                *place = own;
            }
        }
        let mut squares = vec![Vec::new(); rooms];
        for square in 0..count {
            if disputed[square] {
                room[square] = CORRIDOR;
            } else if room[square] != CORRIDOR {
                squares[usize::from(room[square])].push(square as Square);
            }
        }
        let around = |members: &Vec<Square>| {
            let beside = members.iter().flat_map(|&square| board.neighbours(square));
            marks(count + 1, &members.iter().chain(beside).copied().collect::<Vec<_>>())
        };
        let around = squares.iter().map(around).collect();
        let inner = (0..wall)
            .map(|square| {
                let own = room[usize::from(square)];
                own != CORRIDOR
                    && ring(board, square).iter().all(|&next| next == wall || room[usize::from(next)] == own)
            })
            .collect();
        let mut all = Self { room, squares, links: Vec::new(), inner, around, touches: vec![0; count + 1] };
        let mut scratch = RoomScratch::new(board);
        for from in 0..rooms as u8 {
            let Some(&first) = all.squares[usize::from(from)].first() else { continue };
            scratch.generation += 1;
            let reached = all.reach(board, board.bare(), first, from, &mut scratch);
            for square in 0..count {
                let seen = |&next: &Square| scratch.seen[usize::from(next)] == scratch.generation;
                if seen(&(square as Square)) || board.neighbours(square as Square).iter().any(seen) {
                    all.touches[square] |= 1 << from;
                }
            }
            for to in from + 1..rooms as u8 {
                if reached >> to & 1 != 0 {
                    all.links.push((from, to));
                }
            }
        }
        all
    }

    pub(super) fn room_of(&self, square: Square) -> Option<u8> {
        Some(self.room[usize::from(square)]).filter(|&room| room != CORRIDOR)
    }

    /// Whether a square belongs to a room or touches it.
    pub(super) fn is_around(&self, room: u8, square: Square) -> bool {
        self.around[usize::from(room)][usize::from(square)]
    }

    /// Whether moving a box off or onto this square cannot change the count: all around it is one
    /// room, and what is free around it stays joined without it.
    fn is_harmless(&self, board: &FeatureBoard, taken: &[u8], square: Square) -> bool {
        if !self.inner[usize::from(square)] {
            return false;
        }
        let around = ring(board, square).map(|next| taken[usize::from(next)] == 0);
        // Squares at even places touch the middle; a free corner joins its two neighbours.
        let sides = (0..4).filter(|&side| around[2 * side]).count();
        let joins =
            (0..4).filter(|&side| around[2 * side] && around[2 * side + 1] && around[(2 * side + 2) % 8]).count();
        sides > 0 && (sides <= joins + 1)
    }

    /// Links lost on a board with these squares taken; what each room reaches is left in `scratch`.
    pub(super) fn lost(&self, board: &FeatureBoard, taken: &[u8], scratch: &mut RoomScratch) -> u32 {
        let mut keys = std::mem::take(&mut scratch.keys);
        keys.clear();
        keys.resize(self.squares.len(), 0);
        for square in (0..board.len()).filter(|&square| taken[square] != 0 && board.bare()[square] == 0) {
            for room in ones(self.touches[square]) {
                keys[room] ^= board.box_key(square as Square);
            }
        }
        let mut reached = std::mem::take(&mut scratch.reached);
        reached.clear();
        for (room, &key) in keys.iter().enumerate() {
            reached.push(self.cached_reach(board, taken, room as u8, key, scratch));
        }
        let lost = self.count_lost(&reached);
        (scratch.keys, scratch.reached) = (keys, reached);
        lost
    }

    /// Links lost after a box went from one square to another, where `taken` has it. Before that `before` were lost,
    /// and `scratch` holds what each room reached.
    pub(super) fn lost_after(
        &self,
        board: &FeatureBoard,
        taken: &mut [u8],
        (from, to): (Square, Square),
        before: u32,
        scratch: &mut RoomScratch,
    ) -> u32 {
        if self.links.is_empty() {
            return 0;
        }
        let what = std::mem::take(&mut taken[usize::from(to)]);
        let unchanged = self.is_harmless(board, taken, from) && self.is_harmless(board, taken, to);
        taken[usize::from(to)] = what;
        if unchanged {
            return before;
        }
        let mut after = std::mem::take(&mut scratch.reached_after);
        after.clone_from(&scratch.reached);
        for room in ones(self.touches[usize::from(from)] | self.touches[usize::from(to)]) {
            let key_of = |square: Square| {
                if self.touches[usize::from(square)] >> room & 1 != 0 { board.box_key(square) } else { 0 }
            };
            let key = scratch.keys[room] ^ key_of(from) ^ key_of(to);
            after[room] = self.cached_reach(board, taken, room as u8, key, scratch);
        }
        let lost = self.count_lost(&after);
        scratch.reached_after = after;
        lost
    }

    fn count_lost(&self, reached: &[u128]) -> u32 {
        let is_kept =
            |&&(a, b): &&(u8, u8)| reached[usize::from(a)] >> b & 1 != 0 && reached[usize::from(b)] >> a & 1 != 0;
        (self.links.len() - self.links.iter().filter(is_kept).count()) as u32
    }

    /// [`common_reach`](Self::common_reach), cached by the key of the boxes that touch what the room can reach: few
    /// such sets of boxes occur.
    fn cached_reach(&self, board: &FeatureBoard, taken: &[u8], room: u8, key: u64, scratch: &mut RoomScratch) -> u128 {
        let key = key ^ board.zone_key(Square::from(room)) | 1;
        let place = (key >> 17) as usize % CACHED;
        if scratch.cache[place].0 != key {
            scratch.cache[place] = (key, self.common_reach(board, taken, room, scratch));
        }
        scratch.cache[place].1
    }

    /// The rooms that every free piece of a room still reaches.
    fn common_reach(&self, board: &FeatureBoard, taken: &[u8], room: u8, scratch: &mut RoomScratch) -> u128 {
        let mut common = u128::MAX;
        let mut any = false;
        let begun = scratch.generation + 1;
        for &square in &self.squares[usize::from(room)] {
            if taken[usize::from(square)] == 0 && scratch.seen[usize::from(square)] < begun {
                scratch.generation += 1;
                common &= self.reach(board, taken, square, room, scratch);
                any = true;
            }
        }
        if any { common } else { 0 }
    }

    /// The rooms a walk from a square reaches through its own room and corridors.
    fn reach(&self, board: &FeatureBoard, taken: &[u8], from: Square, own: u8, scratch: &mut RoomScratch) -> u128 {
        let mut reached = 0u128;
        scratch.queue.clear();
        scratch.queue.push(from);
        scratch.seen[usize::from(from)] = scratch.generation;
        while let Some(square) = scratch.queue.pop() {
            for &next in board.neighbours(square) {
                let there = usize::from(next);
                if taken[there] != 0 {
                    continue;
                }
                let room = self.room[there];
                if room != CORRIDOR && room != own {
                    reached |= 1 << room;
                } else if scratch.seen[there] != scratch.generation {
                    scratch.seen[there] = scratch.generation;
                    scratch.queue.push(next);
                }
            }
        }
        reached
    }
}

/// The room count of a position, and working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RoomScratch {
    /// The rooms that all pieces of each room reach in the position last counted.
    reached: Vec<u128>,
    /// The keys of the boxes that matter to each room.
    keys: Vec<u64>,
    reached_after: Vec<u128>,
    seen: Vec<u64>,
    generation: u64,
    queue: Vec<Square>,
    cache: Vec<(u64, u128)>,
}

impl RoomScratch {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        Self { seen: vec![0; board.len() + 1], generation: 1, cache: vec![(0, 0); CACHED], ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support;
    use lurd_base::random::SplitMix64;

    fn board(text: &str) -> FeatureBoard {
        FeatureBoard::new(test_support::board(text))
    }

    /// Rooms of random size in a row and a column each, with doors between neighbours.
    fn house(dice: &mut SplitMix64) -> String {
        let (rows, columns) = (2 + dice.below(2), 2 + dice.below(2));
        let (height, width) = (rows * 5 + 1, columns * 6 + 1);
        let mut grid = vec![vec!['#'; width]; height];
        for (row, line) in grid.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                if row % 5 != 0 && column % 6 != 0 && dice.below(12) > 0 {
                    *cell = ' ';
                }
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let (top, left) = (row * 5, column * 6);
                grid[top + 2][left + 2] = ' ';
                if row > 0 {
                    (grid[top - 1][left + 2], grid[top][left + 2], grid[top + 1][left + 2]) = (' ', ' ', ' ');
                }
                if column > 0 {
                    (grid[top + 2][left - 1], grid[top + 2][left], grid[top + 2][left + 1]) = (' ', ' ', ' ');
                }
            }
        }
        grid[1][1] = '.';
        grid[2][2] = '@';
        grid[2][3] = '$';
        grid.iter().map(|line| line.iter().collect::<String>() + "\n").collect()
    }

    /// The links lost by counting each room anew, without the cache and the keys.
    fn by_definition(rooms: &Rooms, board: &FeatureBoard, taken: &[u8]) -> u32 {
        let mut scratch = RoomScratch::new(board);
        let count = rooms.squares.len() as u8;
        let reached: Vec<u128> = (0..count).map(|room| rooms.common_reach(board, taken, room, &mut scratch)).collect();
        rooms.count_lost(&reached)
    }

    #[test]
    fn a_door_links_two_rooms_and_a_box_in_it_cuts_them() {
        let board = board("#########\n#.  #   #\n# @$    #\n#   #   #\n#########");
        let rooms = Rooms::new(&board);
        assert_eq!((rooms.squares.len(), rooms.links.len()), (2, 1));
        let door = (0..board.len() as Square).find(|&square| board.board().place(square) == (2, 4)).unwrap();
        assert_eq!(rooms.room_of(door), None);
        let mut taken = board.bare().to_vec();
        let mut scratch = RoomScratch::new(&board);
        assert_eq!(rooms.lost(&board, &taken, &mut scratch), 0);
        taken[usize::from(door)] = 1;
        assert_eq!(rooms.lost(&board, &taken, &mut scratch), 1);
    }

    #[test]
    fn counting_after_a_move_gives_what_counting_anew_gives() {
        let mut dice = SplitMix64::new(3);
        let (mut moves, mut changes) = (0, 0);
        for _ in 0..60 {
            let board = board(&house(&mut dice));
            let rooms = Rooms::new(&board);
            let mut scratch = RoomScratch::new(&board);
            for _ in 0..20 {
                let mut taken = board.bare().to_vec();
                let free: Vec<usize> = (0..board.len()).filter(|&square| taken[square] == 0).collect();
                for _ in 0..dice.below(free.len() / 4 + 1) {
                    taken[free[dice.below(free.len())]] = 1;
                }
                let before = rooms.lost(&board, &taken, &mut scratch);
                assert_eq!(before, by_definition(&rooms, &board, &taken));
                for _ in 0..20 {
                    let from = free[dice.below(free.len())];
                    let to = free[dice.below(free.len())];
                    if taken[from] == 0 || taken[to] != 0 {
                        continue;
                    }
                    let mut moved = taken.clone();
                    (moved[from], moved[to]) = (0, 1);
                    let after =
                        rooms.lost_after(&board, &mut moved, (from as Square, to as Square), before, &mut scratch);
                    assert_eq!(after, by_definition(&rooms, &board, &moved));
                    moves += 1;
                    changes += usize::from(after != before);
                }
            }
        }
        assert!(moves > 2_000 && changes > 100, "{moves} {changes}");
    }
}
