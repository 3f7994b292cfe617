//! What kind of level is wanted.

use crate::grid::STRIDE;
use crate::pulls::MOST_BOXES;
use std::ops::RangeInclusive;

lurd_base::choices! {
    /// What the walls look like.
    Style {
        Rooms = "rooms": "small rooms and passages, from tiles of three by three squares",
        Corridors = "corridors": "passages one square wide with places to turn",
        Open = "open": "one room with a few pillars and corners",
        Symmetric = "symmetric": "walls and goals that are their own mirror image",
    }
}

/// What is to be made as large as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A grade in this range.
    Grade(RangeInclusive<u8>),
    /// As many pushes in the best solution as can be found, whatever the grade.
    Longest,
}

/// A wish for levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// How many boxes.
    pub boxes: RangeInclusive<usize>,
    /// How wide, outer walls included.
    pub width: RangeInclusive<usize>,
    /// How high, outer walls included.
    pub height: RangeInclusive<usize>,
    /// What the levels should be like.
    pub aim: Aim,
    /// The style; `None` takes one after the other.
    pub style: Option<Style>,
    /// The seed: the same wish and seed give the same levels.
    pub seed: u64,
    /// Boards that may be tried for one level before the best found is taken, whatever its grade.
    pub boards: usize,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            boxes: 3..=4,
            width: 8..=10,
            height: 8..=10,
            aim: Aim::Grade(1..=10),
            style: None,
            seed: 0,
            boards: 3000,
        }
    }
}

/// Why a wish cannot come true.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WishError {
    /// A range that ends before it begins.
    #[error("the range of {0} ends before it begins")]
    Empty(&'static str),
    /// No box, or more than the exact search takes.
    #[error("a level needs a box, and the exact search takes at most {MOST_BOXES}: ask for 1 to {MOST_BOXES} boxes")]
    Boxes,
    /// A side that is too short or too long.
    #[error(
        "a side of {side} squares cannot be made: with the outer walls it must be {LEAST_SIDE} to {STRIDE} squares long"
    )]
    Side {
        /// The side.
        side: usize,
    },
    /// More boxes than fit.
    #[error(
        "{boxes} boxes do not fit into {width}x{height}: inside the walls are {inside} squares, and boxes need twice their number and one more"
    )]
    Crowded {
        /// Boxes.
        boxes: usize,
        /// Width.
        width: usize,
        /// Height.
        height: usize,
        /// Squares inside the outer walls.
        inside: usize,
    },
    /// A grade that does not exist.
    #[error("grades are 1 to 10")]
    Grade,
    /// No board may be tried.
    #[error("no level can be made if no board may be tried")]
    Boards,
}

/// The shortest side: one row of floor.
const LEAST_SIDE: usize = 3;

impl Wish {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first part of the wish that cannot come true.
    pub fn check(&self) -> Result<(), WishError> {
        if self.boxes.is_empty() {
            return Err(WishError::Empty("boxes"));
        }
        if self.width.is_empty() {
            return Err(WishError::Empty("widths"));
        }
        if self.height.is_empty() {
            return Err(WishError::Empty("heights"));
        }
        if *self.boxes.start() == 0 || *self.boxes.end() > MOST_BOXES {
            return Err(WishError::Boxes);
        }
        for side in [self.width.start(), self.width.end(), self.height.start(), self.height.end()] {
            if !(LEAST_SIDE..=STRIDE).contains(side) {
                return Err(WishError::Side { side: *side });
            }
        }
        // The largest board must hold the fewest boxes.
        let (boxes, width, height) = (*self.boxes.start(), *self.width.end(), *self.height.end());
        let inside = (width - 2) * (height - 2);
        if inside < 2 * boxes + 1 {
            return Err(WishError::Crowded { boxes, width, height, inside });
        }
        if let Aim::Grade(grades) = &self.aim {
            if grades.is_empty() {
                return Err(WishError::Empty("grades"));
            }
            if *grades.start() < 1 || *grades.end() > 10 {
                return Err(WishError::Grade);
            }
        }
        if self.boards == 0 {
            return Err(WishError::Boards);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut Wish)) -> String {
        let mut wish = Wish::default();
        change(&mut wish);
        wish.check().unwrap_err().to_string()
    }

    #[test]
    fn impossible_wishes_are_sentences() {
        assert_eq!(Wish::default().check(), Ok(()));
        assert!(refused(|wish| wish.boxes = 0..=3).contains("a level needs a box"));
        assert!(refused(|wish| wish.boxes = 3..=9).contains("1 to 6 boxes"));
        let crowded = |wish: &mut Wish| (wish.boxes, wish.width, wish.height) = (6..=6, 3..=3, 3..=3);
        assert!(refused(crowded).contains("6 boxes do not fit into 3x3"));
        assert!(refused(|wish| wish.width = 8..=40).contains("a side of 40 squares"));
        assert!(refused(|wish| wish.aim = Aim::Grade(0..=4)).contains("1 to 10"));
        #[allow(clippy::reversed_empty_ranges, reason = "that is what is refused")]
        let backwards = |wish: &mut Wish| wish.boxes = 4..=3;
        assert!(refused(backwards).contains("ends before it begins"));
    }
}
