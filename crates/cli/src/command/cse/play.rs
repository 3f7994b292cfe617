//! `lurd cse play`: a game against the computer, on a screen or line by line, so that it works in a
//! pipe too.

use super::{Player, print};
use crate::command::play::ended;
use crate::exit::{Ending, Exit, Failure};
use crate::{interrupt, units};
use clap::{Args, ValueEnum};
use lurd_cse::{Advice, Match, Position, Start, method_costs};
use lurd_play::{CseOptions, First};
use lurd_search::game::{Side, Strategy};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// Entries refused in a row before the game is given up: whatever feeds the program does not play.
const PATIENCE: usize = 100;

/// The longest line that is read at once.
const LONGEST_LINE: u64 = 1000;

/// Play against the computer
///
/// MAX and MIN in turn put C, S or E into an empty cell of a 3x3 board that starts with one S. Who
/// completes CSE or ESC in a row, a column or a diagonal wins; a full board is a draw. The
/// computer searches every line to its end. After each of its moves it shows what every move was
/// worth, the best play of both sides and what plain minimax, alpha-beta and memo visit.
#[derive(Args, Debug)]
#[command(after_help = COMMANDS)]
pub(crate) struct CsePlayArguments {
    /// Who moves first
    #[arg(long, value_name = "PLAYER", default_value = "max")]
    first: Player,

    /// Where the first S stands in the middle row
    #[arg(long, value_name = "WHERE", default_value = "random")]
    start: Where,

    /// Whom you play; the computer plays the other
    #[arg(long, value_name = "PLAYER", default_value = "min")]
    you: Player,

    /// Let the computer forget positions it has searched (plain minimax then takes seconds a move)
    #[arg(long)]
    no_memo: bool,

    /// Let the computer leave out moves that cannot matter
    #[arg(long, alias = "alpha-beta")]
    alphabeta: bool,

    /// Let the computer try promising moves first; saves work with --alphabeta only
    #[arg(long, requires = "alphabeta")]
    ordering: bool,

    /// Show the computer's moves only, not what it thought
    #[arg(long)]
    quiet: bool,

    /// Play on a screen of its own, with the values of all moves; needs a terminal
    #[arg(long, conflicts_with_all = ["no_memo", "alphabeta", "quiet"])]
    screen: bool,
}

const COMMANDS: &str = "\
Moves are row, column and letter, such as 1 3 C or 13c. Other entries: v shows the value of every \
move, u takes your last move back, ? shows this help, q quits.";

/// Where the first S stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Where {
    /// The left cell
    Left,
    /// The right cell
    Right,
    /// One of the two, by chance
    Random,
}

impl Where {
    fn start(self) -> Start {
        match self {
            Self::Left => Start::Left,
            Self::Right => Start::Right,
            Self::Random => {
                let clock = SystemTime::now().duration_since(UNIX_EPOCH);
                Start::random(clock.map_or(0, |since| u64::from(since.subsec_nanos()) ^ since.as_secs()))
            }
        }
    }
}

/// Plays a game on standard input and output.
pub(super) fn run(arguments: &CsePlayArguments) -> Ending {
    if arguments.screen {
        let start = Some(arguments.start.start());
        let (first, computer) = (arguments.first.into(), Side::from(arguments.you).other());
        return ended(lurd_play::run(First::Cse(CseOptions { start, first, computer, values: true }).into()));
    }
    interrupt::leave_at_once();
    let strategy = Strategy { alpha_beta: arguments.alphabeta, memo: !arguments.no_memo, ordering: arguments.ordering };
    let you = Side::from(arguments.you);
    let game = Match::new(arguments.start.start(), arguments.first.into(), you.other(), strategy);
    let input = io::stdin();
    let echoes = !input.is_terminal();
    let mut table = Table { game, you, thinks_aloud: !arguments.quiet, echoes, out: io::stdout() };
    table.play(&mut input.lock())
}

/// The game and where it is shown.
struct Table<W> {
    game: Match,
    you: Side,
    thinks_aloud: bool,
    /// Whether entries are printed, as a terminal would: what comes from a pipe reads like a game then.
    echoes: bool,
    out: W,
}

/// How the person's turn ended.
enum Reply {
    Moved,
    Left,
}

impl<W: Write> Table<W> {
    fn play(&mut self, input: &mut dyn BufRead) -> Ending {
        let (you, computer) = (print::name(self.you), print::name(self.you.other()));
        let first = print::name(self.game.position().side_to_move());
        writeln!(self.out, "You play {you}, the computer plays {computer}; {first} moves first.")?;
        writeln!(self.out, "Who completes CSE or ESC in a line wins. Enter row, column, letter; ? is help.")?;
        print::board(&mut self.out, self.game.position())?;
        while self.game.position().ending().is_none() {
            if self.game.is_computers_turn() {
                self.computer_moves()?;
            } else if let Reply::Left = self.person_moves(input)? {
                return Ok(Exit::Success);
            }
            print::board(&mut self.out, self.game.position())?;
        }
        self.result()?;
        Ok(Exit::Success)
    }

    fn computer_moves(&mut self) -> Result<(), Failure> {
        let before = *self.game.position();
        let (turn, advice) = self.game.computer_moves().map_err(|error| Failure::usage(error.to_string()))?;
        let value = print::meaning(advice.value, advice.plies);
        writeln!(self.out, "{} plays {}: {value} with best play.", print::name(turn.side), turn.mv)?;
        if self.thinks_aloud {
            self.thoughts(&before, &advice)?;
        }
        Ok(())
    }

    /// The value of each move, the best play, and the nodes of each method.
    fn thoughts(&mut self, position: &Position, advice: &Advice) -> io::Result<()> {
        let out = &mut self.out;
        print::values(out, position.board(), &advice.moves)?;
        let line = print::line_of_play(&advice.principal_variation, position.side_to_move());
        writeln!(out, "  best play: {line}")?;
        let nodes = units::count(advice.nodes);
        writeln!(out, "  {} visited {nodes} nodes to rate every move; for the value alone:", advice.method)?;
        print::costs(&method_costs(position)).print(out)
    }

    fn person_moves(&mut self, input: &mut dyn BufRead) -> Result<Reply, Failure> {
        for _ in 0..PATIENCE {
            write!(self.out, "{} (you) > ", print::name(self.you))?;
            self.out.flush()?;
            let Some(entry) = read_line(input)? else {
                writeln!(self.out, "\nThe input has ended; the game stays unfinished.")?;
                return Ok(Reply::Left);
            };
            if self.echoes {
                writeln!(self.out, "{}", units::printable(&entry))?;
            }
            match entry.trim().to_ascii_lowercase().as_str() {
                "q" | "quit" => {
                    writeln!(self.out, "The game stays unfinished.")?;
                    return Ok(Reply::Left);
                }
                "?" | "h" | "help" => writeln!(self.out, "{COMMANDS}")?,
                "v" | "values" => {
                    let (position, advice) = (*self.game.position(), self.game.advice());
                    self.thoughts(&position, &advice)?;
                }
                "u" | "undo" if self.game.take_back() => return Ok(Reply::Moved),
                "u" | "undo" => writeln!(self.out, "There is no move of yours to take back.")?,
                _ => match self.game.enter(&entry) {
                    Ok(_) => return Ok(Reply::Moved),
                    Err(error) => {
                        let reason = units::printable(&error.to_string());
                        writeln!(self.out, "Not played: {reason}.")?;
                    }
                },
            }
        }
        Err(Failure::usage(format!("{PATIENCE} entries in a row were no move; the game is given up")))
    }

    fn result(&mut self) -> io::Result<()> {
        let result = match self.game.position().ending() {
            Some(lurd_cse::Ending::Won(side)) if side == self.you => {
                format!("{} wins: you have won.", print::name(side))
            }
            Some(lurd_cse::Ending::Won(side)) => format!("{} wins: the computer has won.", print::name(side)),
            _ => "The board is full: a draw.".to_owned(),
        };
        writeln!(self.out, "{result}")?;
        self.out.flush()
    }
}

/// The next line, or as much of it as is read at once; `None` at the end.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}
