//! `/lessons`: the tour, one lesson by its name, the check of an answer, and a picture of the searches a lesson is about.

use crate::Refusal;
use crate::look::cell;
use lurd::{Board, Cancel};
use lurd_cse::MethodCost;
use lurd_lessons::{Answer, Lesson, LessonError, Picture, SearchPicture, Task};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PictureKind {
    Searches,
    Estimates,
    Methods,
}

/// A lesson. All of it is text.
#[derive(Serialize, ToSchema)]
#[schema(as = Lesson)]
pub struct LessonView {
    name: &'static str,
    title: &'static str,
    text: &'static str,
    /// The level in XSB; null where the lesson is about another game.
    board: Option<&'static str>,
    task: String,
    /// What to choose from; empty where the task is to play.
    options: &'static [&'static str],
    /// What there is to see.
    picture: Option<PictureKind>,
}

impl LessonView {
    fn new(lesson: &'static Lesson) -> Self {
        let picture = match lesson.task {
            Task::Solve | Task::FewestPushes | Task::Lose(_) => None,
            Task::FewerPositions(_) => Some(PictureKind::Searches),
            Task::IsAdmissible => Some(PictureKind::Estimates),
            Task::GameSearch => Some(PictureKind::Methods),
        };
        Self {
            name: lesson.name,
            title: lesson.title,
            text: lesson.text,
            board: (lesson.task != Task::GameSearch).then_some(lesson.board),
            task: lesson.task_words(),
            options: lesson.options(),
            picture,
        }
    }
}

/// The lessons in their order.
#[derive(Serialize, ToSchema)]
pub struct Tour {
    lessons: Vec<LessonView>,
}

/// `/lessons`: the tour.
pub fn tour() -> Tour {
    Tour { lessons: lurd_lessons::lessons().iter().map(LessonView::new).collect() }
}

fn named(name: &str) -> Result<&'static Lesson, Refusal> {
    let lessons = lurd_lessons::lessons();
    lessons.iter().find(|lesson| lesson.name == name).ok_or_else(|| {
        let names: Vec<&str> = lessons.iter().map(|lesson| lesson.name).collect();
        Refusal::not_found(format!("there is no such lesson; the lessons are {}", names.join(", ")))
    })
}

/// `/lessons/{name}`: one lesson.
///
/// # Errors
/// When there is none of this name.
pub fn lesson(name: &str) -> Result<LessonView, Refusal> {
    named(name).map(LessonView::new)
}

/// What a student did: moves, or the option chosen.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonAnswer {
    lesson: String,
    /// Moves in LURD, counts allowed.
    moves: Option<String>,
    /// The number of the option, from 0.
    option: Option<usize>,
}

/// What came of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LessonVerdict {
    done: bool,
    words: String,
}

/// `/lessons/check`: an answer, checked. What is claimed about searches is measured.
///
/// # Errors
/// When there is no such lesson, the answer is of the wrong kind, or its moves break the rules.
pub fn check_lesson(answer: LessonAnswer) -> Result<LessonVerdict, Refusal> {
    let lesson = named(&answer.lesson)?;
    let moves = answer.moves.as_deref().map(lurd::notation::decode).transpose().map_err(Refusal::unprocessable)?;
    let given = match (&moves, answer.option) {
        (Some(moves), None) => Answer::Play(&moves.letters),
        (None, Some(option)) => Answer::Option(option),
        _ => return Err(Refusal::unprocessable("an answer is either moves or an option")),
    };
    let verdict = lesson.check(&given, &Cancel::new()).map_err(|error: LessonError| Refusal::unprocessable(error))?;
    Ok(LessonVerdict { done: verdict.done, words: verdict.words })
}

/// The lesson to be seen.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureAsking {
    lesson: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SearchPicture)]
struct SearchView {
    name: &'static str,
    expanded: u64,
    pushes: usize,
    /// Pairs of cell and in how many of the positions opened a box stands on it.
    visits: Vec<(usize, u64)>,
    /// Positions opened by their pushes from the start.
    layers: Vec<u64>,
}

impl SearchView {
    fn new(picture: SearchPicture, board: &Board) -> Self {
        let SearchPicture { name, expanded, pushes, visits, layers } = picture;
        let visited = board.squares().zip(visits).filter(|&(_, visits)| visits > 0);
        let visits = visited.map(|(square, visits)| (cell(board, square), visits)).collect();
        Self { name, expanded, pushes, visits, layers }
    }
}

/// What the searches of a lesson opened. Cells are numbered row * width + column.
#[derive(Serialize, ToSchema)]
#[schema(as = LessonPicture)]
pub struct PictureView {
    searches: Vec<SearchView>,
    methods: Vec<MethodCost>,
}

/// `/lessons/picture`: what the searches of a lesson opened. Of estimates `/admissibility` tells.
///
/// # Errors
/// When there is no such lesson, or it is not about searches.
pub fn lesson_picture(asking: PictureAsking) -> Result<PictureView, Refusal> {
    let lesson = named(&asking.lesson)?;
    let none = || Refusal::unprocessable("there is no picture of a search in this lesson");
    match lesson.picture(&Cancel::new()) {
        Some(Picture::Searches(pictures)) => {
            let board = Board::new(&lesson.level().ok_or_else(none)?.map).map_err(Refusal::unprocessable)?;
            let searches = pictures.into_iter().map(|picture| SearchView::new(picture, &board)).collect();
            Ok(PictureView { searches, methods: Vec::new() })
        }
        Some(Picture::Methods(methods)) => Ok(PictureView { searches: Vec::new(), methods }),
        Some(Picture::Estimates) | None => Err(none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RefusalKind;

    fn checked(lesson: &str, moves: Option<&str>, option: Option<usize>) -> Result<LessonVerdict, Refusal> {
        check_lesson(LessonAnswer { lesson: lesson.to_owned(), moves: moves.map(str::to_owned), option })
    }

    #[test]
    fn answers_are_checked_and_wrong_ones_get_a_sentence() {
        assert!(checked("push", Some("rRR"), None).unwrap().done);
        assert!(!checked("push", Some("r"), None).unwrap().done);
        assert!(checked("a-star", None, Some(1)).unwrap().done);
        assert!(!checked("a-star", None, Some(0)).unwrap().done);
        for (lesson, moves, option) in
            [("push", Some("u"), None), ("push", None, Some(0)), ("push", None, None), ("push", Some("r"), Some(1))]
        {
            assert_eq!(checked(lesson, moves, option).unwrap_err().kind(), RefusalKind::Unprocessable);
        }
        assert_eq!(checked("nothing", Some("r"), None).unwrap_err().kind(), RefusalKind::NotFound);
    }

    #[test]
    fn every_lesson_is_found_by_its_name_and_its_picture_is_there() {
        let tour = tour().lessons;
        assert_eq!(tour.len(), 12);
        for view in tour {
            assert_eq!(lesson(view.name).unwrap().title, view.title);
            let picture = lesson_picture(PictureAsking { lesson: view.name.to_owned() });
            match view.picture {
                Some(PictureKind::Searches) => assert_eq!(picture.unwrap().searches.len(), 2),
                Some(PictureKind::Methods) => assert!(picture.unwrap().methods.len() > 1),
                _ => assert!(picture.is_err(), "{}", view.name),
            }
        }
    }
}
