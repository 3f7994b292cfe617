//! What helps a player to get better, without a terminal or a page: both use it.
//!
//! | part | where |
//! |---|---|
//! | a tour of lessons, each with a level and a task the program checks | [`lessons`], [`Lesson`] |
//! | hints by degree: where to look, which box, which push | [`Hint`] |
//! | why a position is lost: a smallest set of boxes that is already dead | [`why_lost`] |
//! | the level of the day, levels that follow the player's success, variations of a level | [`daily`], [`Endless`], [`like`] |

mod contest;
mod endless;
mod hint;
mod lesson;
mod lost;
mod tour;

pub use contest::{Contest, SearchPicture};
pub use endless::{Date, DateError, Endless, LikeError, Played, daily, like};
pub use hint::{Degree, Hint};
pub use lesson::{Answer, Lesson, LessonError, Picture, Task, Verdict};
pub use lost::{LostReason, why_lost};
pub use tour::lessons;
