//! The tour: a dozen lessons from the rules to search.

use crate::contest::Contest;
use crate::lesson::{Lesson, Task};
use lurd::DetectorName;

/// All lessons in order.
pub fn lessons() -> &'static [Lesson] {
    TOUR
}

const TOUR: &[Lesson] = &[
    Lesson {
        name: "push",
        title: "A push",
        text: "Walk into a box and it moves ahead of you, if the square behind it is free. You cannot pull.",
        board: "#######\n#@ $ .#\n#######",
        task: Task::Solve,
    },
    Lesson {
        name: "behind",
        title: "Behind the box",
        text: "To push a box up you stand below it. Before a box can turn a corner there must be room for you.",
        board: "#######\n#    .#\n# $   #\n#@    #\n#######",
        task: Task::Solve,
    },
    Lesson {
        name: "fewest",
        title: "Fewest pushes",
        text: "A box may be brought home in many ways. The program proves which number of pushes nobody can beat.",
        board: "########\n#   #  #\n# $@ . #\n#   #  #\n# .$   #\n########",
        task: Task::FewestPushes,
    },
    Lesson {
        name: "corner",
        title: "Corners",
        text: "A box in a corner never moves again. If the corner is no goal, the level is lost: the simplest deadlock.",
        board: "#######\n#     #\n# @$  #\n#   . #\n#######",
        task: Task::Lose(DetectorName::Corner),
    },
    Lesson {
        name: "wall",
        title: "Along a wall",
        text: "A box at a wall can only slide along it. If more boxes stand there than goals, one of them is lost.",
        board: "########\n#      #\n# $  @ #\n#      #\n#    . #\n########",
        task: Task::Lose(DetectorName::DeadSquare),
    },
    Lesson {
        name: "freeze",
        title: "Boxes that freeze",
        text: "Two boxes side by side at a wall block each other: neither can move in any direction. Off their goals they are \
               lost, although neither is in a corner.",
        board: "#########\n#   .   #\n#   .   #\n#  $ $  #\n#   @   #\n#########",
        task: Task::Lose(DetectorName::Freeze),
    },
    Lesson {
        name: "corral",
        title: "Behind a fence",
        text: "Boxes can fence off a part of the board. What lies behind cannot be touched until the fence is opened, so \
               good players open it before they do anything else.",
        board: "########\n#  #  .#\n#@ $   #\n#  # $.#\n#  #   #\n########",
        task: Task::Solve,
    },
    Lesson {
        name: "deadlocks",
        title: "What deadlock rules are worth",
        text: "A search that sees at once that a position is lost need not look at anything that follows from it.",
        board: "########\n#      #\n# $  . #\n#  $   #\n#@ $ ..#\n########",
        task: Task::FewerPositions(Contest::WithoutOrWithDeadlocks),
    },
    Lesson {
        name: "a-star",
        title: "Breadth first, or A*",
        text: "Breadth-first search opens positions in the order of their pushes, whatever they look like. A* adds an \
               estimate of what remains and opens the most promising first.",
        board: "#########\n#       #\n#@$   . #\n#  $  . #\n#       #\n#########",
        task: Task::FewerPositions(Contest::BreadthFirstOrAStar),
    },
    Lesson {
        name: "heuristic",
        title: "What a heuristic is worth",
        text: "The nearest goal by Manhattan distance is quick to compute, but two boxes may count on the same goal. The \
               matching gives every box a goal of its own and knows walls: it sees more, so A* opens less.",
        board: "#########\n#       #\n#@$ #.  #\n# $ #.  #\n# $  .  #\n#       #\n#########",
        task: Task::FewerPositions(Contest::ManhattanOrMatching),
    },
    Lesson {
        name: "admissible",
        title: "Never above the truth",
        text: "A* finds a shortest solution if its estimate is never above what is really needed: admissible. Manhattan \
               distance is, because boxes move along rows and columns. Where diagonal moves are allowed, as in one kind of \
               sliding tiles, it is not: one move then brings a piece two nearer.",
        board: "########\n#  #   #\n#@$# . #\n#      #\n#      #\n########",
        task: Task::IsAdmissible,
    },
    Lesson {
        name: "alpha-beta",
        title: "Two players",
        text: "In a game of two, minimax looks at every answer to every move. Alpha-beta leaves out what cannot change the \
               result any more: once a move is refuted it need not know how badly.",
        board: "#####\n#@$.#\n#####",
        task: Task::GameSearch,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{Answer, LessonError};
    use lurd::{Cancel, Goal};

    fn verdict(lesson: &Lesson, answer: &Answer<'_>) -> Result<crate::Verdict, LessonError> {
        lesson.check(answer, &Cancel::new())
    }

    #[test]
    fn names_differ_and_can_stand_in_a_link() {
        let mut names: Vec<_> = lessons().iter().map(|lesson| lesson.name).collect();
        assert_eq!(names.len(), 12);
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 12);
    }

    /// Every level can be solved, the best solution does every task that asks for one, and nothing at all does none.
    #[test]
    fn tasks_to_play_can_be_done() {
        for lesson in lessons() {
            let level = lesson.level().unwrap_or_else(|| panic!("{}", lesson.name));
            let best = lurd::prove(&level, Goal::Pushes).unwrap().solution.unwrap_or_else(|| panic!("{}", lesson.name));
            if lesson.options().is_empty() {
                let nothing = verdict(lesson, &Answer::Play("")).unwrap();
                assert!(!nothing.done, "{}: {}", lesson.name, nothing.words);
                let done = verdict(lesson, &Answer::Play(&best.lurd)).unwrap().done;
                assert_eq!(done, !matches!(lesson.task, Task::Lose(_)), "{}", lesson.name);
                assert!(matches!(verdict(lesson, &Answer::Option(0)), Err(LessonError::WrongKind(_))));
            }
        }
    }

    #[test]
    fn levels_can_be_lost_as_the_lesson_asks() {
        let asked = |lesson: &&Lesson| matches!(lesson.task, Task::Lose(_));
        for lesson in lessons().iter().filter(asked) {
            assert!(lost_by_search(lesson).is_some(), "{}", lesson.name);
        }
    }

    /// Moves of at most ten steps that do the task, by breadth-first search over moves.
    fn lost_by_search(lesson: &Lesson) -> Option<String> {
        let mut layer = vec![String::new()];
        let mut seen = std::collections::HashSet::new();
        for _ in 0..10 {
            let mut next = Vec::new();
            for moves in layer {
                for letter in ['l', 'u', 'r', 'd'] {
                    let longer = format!("{moves}{letter}");
                    match verdict(lesson, &Answer::Play(&longer)) {
                        Ok(verdict) if verdict.done => return Some(longer),
                        Ok(_) => {
                            let position = lurd::check(&lesson.level()?, &longer).ok()?.board;
                            if seen.insert(position) {
                                next.push(longer);
                            }
                        }
                        Err(_) => {}
                    }
                }
            }
            layer = next;
        }
        None
    }

    /// The lesson's claim is measured each time; here it is what the text says.
    #[test]
    fn questions_have_the_answer_their_text_gives() {
        for lesson in lessons().iter().filter(|lesson| !lesson.options().is_empty()) {
            let right = if lesson.task == Task::IsAdmissible { 0 } else { 1 };
            let verdict_of = |option| {
                verdict(lesson, &Answer::Option(option)).unwrap_or_else(|error| panic!("{}: {error}", lesson.name))
            };
            assert!(verdict_of(right).done, "{}: {}", lesson.name, verdict_of(right).words);
            assert!(!verdict_of(1 - right).done);
            assert!(matches!(verdict(lesson, &Answer::Play("r")), Err(LessonError::WrongKind(_))));
        }
    }
}
