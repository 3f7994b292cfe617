//! How things look: colours for every kind of terminal, and signs that need none.
//!
//! Meaning never hangs on colour alone: walls, boxes, goals and the player have signs
//! of their own. The colours are from Okabe and Ito's palette for the colour-blind,
//! those of it that stand out from both a white and a black background.

use lurd::Cell;
use ratatui::style::{Color, Modifier, Style};

/// How many colours the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours {
    /// None, or the user wants none (`NO_COLOR`).
    None,
    /// The sixteen of old, whose shades the terminal chooses.
    Sixteen,
    /// The table of 256.
    Indexed,
    /// Any.
    Full,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Wall,
    Goal,
    Box,
    BoxHome,
    Player,
    /// A box that can never get home, and what is said about it.
    Lost,
    Text,
    Quiet,
    Title,
    Key,
    Good,
    Hint,
}

/// Colours and signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    colours: Colours,
    unicode: bool,
}

impl Theme {
    pub(crate) fn new(colours: Colours, unicode: bool) -> Self {
        Self { colours, unicode }
    }

    /// What the environment says the terminal can do. `variable` looks up one of its variables.
    pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = value("TERM").unwrap_or_default();
        let true_colour = value("COLORTERM").is_some_and(|it| it == "truecolor" || it == "24bit");
        let single = term.starts_with("vt") || term.ends_with("-m") || term.contains("mono");
        let colours = if value("NO_COLOR").is_some() || single {
            Colours::None
        } else if true_colour || term.ends_with("-direct") {
            Colours::Full
        } else if term.contains("256") {
            Colours::Indexed
        } else {
            Colours::Sixteen
        };
        let locale = value("LC_ALL").or_else(|| value("LC_CTYPE")).or_else(|| value("LANG"));
        let unicode = locale.map_or(cfg!(windows), |locale| locale.to_lowercase().replace('-', "").contains("utf8"));
        Self { colours, unicode }
    }

    pub(crate) fn colours(self) -> Colours {
        self.colours
    }

    /// What this process's environment says.
    pub(crate) fn from_environment() -> Self {
        Self::detect(|name| std::env::var(name).ok())
    }

    pub(crate) fn style(self, role: Role) -> Style {
        let style = match self.colour(role) {
            Some(colour) => Style::new().fg(colour),
            None => Style::new(),
        };
        match role {
            Role::Box | Role::BoxHome | Role::Player | Role::Title | Role::Key | Role::Good | Role::Hint => {
                style.add_modifier(Modifier::BOLD)
            }
            Role::Lost => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            // Dim text is hard to read where no colour backs it up.
            Role::Wall | Role::Goal | Role::Text | Role::Quiet => style,
        }
    }

    fn colour(self, role: Role) -> Option<Color> {
        let [rgb, indexed, sixteen] = match role {
            Role::Wall | Role::Quiet => [GREY, Color::Indexed(244), Color::Reset],
            Role::Box | Role::Lost => [VERMILION, Color::Indexed(166), Color::Magenta],
            Role::BoxHome | Role::Good => [GREEN, Color::Indexed(29), Color::Green],
            Role::Player | Role::Key | Role::Title => [BLUE, Color::Indexed(32), Color::Blue],
            Role::Goal | Role::Hint => [PURPLE, Color::Indexed(168), Color::Cyan],
            Role::Text => return None,
        };
        match self.colours {
            Colours::None => None,
            Colours::Sixteen => Some(sixteen),
            Colours::Indexed => Some(indexed),
            Colours::Full => Some(rgb),
        }
    }

    pub(crate) fn cell_style(self, cell: Cell) -> Style {
        self.style(match cell {
            Cell::Wall => Role::Wall,
            Cell::Floor => Role::Text,
            Cell::Goal => Role::Goal,
            Cell::Box => Role::Box,
            Cell::BoxOnGoal => Role::BoxHome,
            Cell::Player | Cell::PlayerOnGoal => Role::Player,
        })
    }

    /// The sign of a square, two columns wide.
    pub(crate) fn wide(self, cell: Cell) -> &'static str {
        let [(unicode, plain), _] = signs(cell);
        self.sign(unicode, plain)
    }

    /// The sign of a square, one column wide.
    pub(crate) fn narrow(self, cell: Cell) -> &'static str {
        let [_, (unicode, plain)] = signs(cell);
        self.sign(unicode, plain)
    }

    /// The first of two signs where the terminal can show it, else the plain one.
    pub(crate) fn sign(self, unicode: &'static str, plain: &'static str) -> &'static str {
        if self.unicode { unicode } else { plain }
    }
}

/// The signs of a square, two columns wide and one, each in Unicode and plain.
fn signs(cell: Cell) -> [(&'static str, &'static str); 2] {
    match cell {
        Cell::Wall => [("██", "##"), ("█", "#")],
        Cell::Floor => [("  ", "  "), (" ", " ")],
        Cell::Goal => [("··", ".."), ("·", ".")],
        Cell::Box => [("[]", "[]"), ("$", "$")],
        Cell::BoxOnGoal => [("▐▌", "{}"), ("*", "*")],
        Cell::Player => [("()", "()"), ("@", "@")],
        Cell::PlayerOnGoal => [("«»", "<>"), ("+", "+")],
    }
}

const GREY: Color = Color::Rgb(128, 128, 128);
const VERMILION: Color = Color::Rgb(213, 94, 0);
const GREEN: Color = Color::Rgb(0, 158, 115);
const BLUE: Color = Color::Rgb(0, 124, 194);
const PURPLE: Color = Color::Rgb(204, 121, 167);

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of WCAG 2 against white and against black; 3 is the least for large signs.
    #[test]
    fn colours_stand_out_on_light_and_on_dark() {
        for colour in [GREY, VERMILION, GREEN, BLUE, PURPLE] {
            let Color::Rgb(r, g, b) = colour else { unreachable!() };
            let linear = |channel: u8| {
                let c = f64::from(channel) / 255.0;
                if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            let light = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
            assert!(1.05 / (light + 0.05) >= 3.0, "{colour:?} on white");
            assert!((light + 0.05) / 0.05 >= 3.0, "{colour:?} on black");
        }
    }

    #[test]
    fn every_square_has_a_sign_of_its_own() {
        let cells = [Cell::Wall, Cell::Floor, Cell::Goal, Cell::Box, Cell::BoxOnGoal, Cell::Player, Cell::PlayerOnGoal];
        for unicode in [true, false] {
            let theme = Theme::new(Colours::None, unicode);
            for (i, &one) in cells.iter().enumerate() {
                assert_eq!((theme.wide(one).chars().count(), theme.narrow(one).chars().count()), (2, 1));
                for &other in &cells[..i] {
                    assert!(theme.wide(one) != theme.wide(other) && theme.narrow(one) != theme.narrow(other));
                }
            }
        }
    }

    #[test]
    fn the_environment_decides() {
        let with = |pairs: &[(&str, &str)]| {
            let pairs: Vec<(String, String)> = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
            Theme::detect(move |name| pairs.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
        };
        let xterm = ("TERM", "xterm-256color");
        assert_eq!(with(&[xterm, ("LANG", "en_GB.UTF-8")]), Theme::new(Colours::Indexed, true));
        assert_eq!(with(&[xterm, ("NO_COLOR", "1")]).colours, Colours::None);
        assert_eq!(with(&[("TERM", "vt220")]).colours, Colours::None);
        assert_eq!(with(&[("TERM", "xterm")]).colours, Colours::Sixteen);
        assert_eq!(with(&[xterm, ("NO_COLOR", "")]).colours, Colours::Indexed);
        assert_eq!(with(&[xterm, ("COLORTERM", "truecolor")]).colours, Colours::Full);
        assert_eq!(
            with(&[("TERM", "linux"), ("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]),
            Theme { colours: Colours::Sixteen, unicode: false }
        );
    }

    #[test]
    fn no_colour_means_no_colour() {
        let theme = Theme::new(Colours::None, true);
        for role in [Role::Wall, Role::Box, Role::Lost, Role::Key, Role::Good, Role::Hint] {
            assert_eq!((theme.style(role).fg, theme.style(role).bg), (None, None));
        }
    }
}
