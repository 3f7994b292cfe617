use super::*;

fn mv(text: &str) -> Move {
    crate::parse_move(text).unwrap()
}

fn played(start: Start, moves: &[&str]) -> Position {
    moves.iter().fold(Position::new(start, Side::Max), |position, text| position.play(mv(text)).unwrap())
}

#[test]
fn who_completes_a_line_wins_whoever_placed_the_rest() {
    // MAX: C in the centre row's middle is no help; ESC down the left column wins for MIN.
    let position = played(Start::Left, &["1 1 C", "3 1 E"]);
    assert_eq!(position.ending(), Some(Ending::Won(Side::Min)));
    assert_eq!(position.completed_lines(), [LINES[3]]);
    assert_eq!(position.play(mv("1 2 C")), Err(Refusal::Over));
    assert!(position.moves().is_empty());
}

#[test]
fn only_cse_and_esc_count() {
    for (line, wins) in [("CSE", true), ("ESC", true), ("SCE", false), ("CES", false), ("CSC", false), ("ESE", false)] {
        let letters: Vec<char> = line.chars().collect();
        let moves: Vec<String> = (0..3).map(|row| format!("{} 3 {}", row + 1, letters[row])).collect();
        let position = played(Start::Left, &moves.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(position.ending().is_some(), wins, "{line}");
    }
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let position = played(Start::Left, &["1 1 S", "1 2 S", "1 3 S", "2 2 S", "2 3 S", "3 1 S", "3 2 S", "3 3 S"]);
    assert_eq!(position.ending(), Some(Ending::Draw));
    assert!(position.completed_lines().is_empty());
}

#[test]
fn a_taken_cell_is_refused_with_its_letter() {
    let position = Position::new(Start::Right, Side::Min);
    let refusal = position.play(mv("2 3 C")).unwrap_err();
    assert_eq!(refusal.to_string(), "row 2, column 3 already holds S; choose an empty cell");
    assert_eq!(position.moves().len(), 24);
}

#[test]
fn lines_through_a_cell_are_the_lines_that_hold_it() {
    for cell in Cell::ALL {
        let holding: Vec<usize> = (0..8).filter(|&line| LINES[line].contains(&cell)).collect();
        assert_eq!(LINES_THROUGH[cell.index()], holding);
    }
}

#[test]
fn a_win_at_once_is_seen_exactly_where_a_move_wins() {
    // Walk every position within three moves of both starts.
    fn walk(position: Position, depth: usize) {
        let wins = position.moves().iter().any(|&mv| matches!(position.after(mv).ending(), Some(Ending::Won(_))));
        assert_eq!(position.ending().is_none() && position.can_win_at_once(), wins, "{}", position.board());
        if depth > 0 {
            position.moves().iter().for_each(|&mv| walk(position.after(mv), depth - 1));
        }
    }
    Start::ALL.into_iter().for_each(|start| walk(Position::new(start, Side::Max), 3));
}

#[test]
fn seeds_give_both_starts_about_equally_often() {
    let left = (0..1_000).filter(|&seed| Start::random(seed) == Start::Left).count();
    assert!((400..600).contains(&left), "{left}");
    assert_eq!(Start::random(42), Start::random(42));
}
