//! Colours and emphasis. Only the sixteen colours of the terminal are used, so that its own theme applies.

use ratatui::style::{Color, Modifier, Style};

use crate::commands::board::state::{CardMeaning, TextTone};

/// The styles of the board; without colours, emphasis and shapes remain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoardTheme {
    pub(crate) has_colors: bool,
}

impl BoardTheme {
    fn colored(self, color: Color) -> Style {
        if self.has_colors { Style::new().fg(color) } else { Style::new() }
    }

    pub(crate) fn plain(self) -> Style {
        Style::new()
    }

    pub(crate) fn dim(self) -> Style {
        // Bright black is readable where a terminal does not know dimmed text.
        if self.has_colors {
            Style::new().fg(Color::DarkGray)
        } else {
            Style::new().add_modifier(Modifier::DIM)
        }
    }

    pub(crate) fn bold(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What has the focus.
    pub(crate) fn focus(self) -> Style {
        self.colored(Color::LightBlue).add_modifier(Modifier::BOLD)
    }

    /// The selected item of a list.
    pub(crate) fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub(crate) fn problem(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// The shape of a meaning, and the words that a person must read.
    pub(crate) fn meaning(self, meaning: CardMeaning) -> Style {
        let color = match meaning {
            CardMeaning::Failed => Color::Red,
            CardMeaning::NeedsYou => Color::Yellow,
            CardMeaning::Landing => Color::Cyan,
            CardMeaning::Checking => Color::Magenta,
            CardMeaning::Working => Color::LightBlue,
            CardMeaning::Landed => Color::Green,
            CardMeaning::Held | CardMeaning::Queued | CardMeaning::Cancelled => return self.dim(),
        };
        let style = self.colored(color);
        match meaning {
            CardMeaning::Failed | CardMeaning::NeedsYou => style.add_modifier(Modifier::BOLD),
            _ => style,
        }
    }

    pub(crate) fn text(self, tone: TextTone) -> Style {
        match tone {
            TextTone::Plain => self.plain(),
            TextTone::Dim => self.dim(),
            TextTone::Bold => self.bold(),
            TextTone::Added => self.colored(Color::Green),
            TextTone::Removed | TextTone::Failure => self.colored(Color::Red),
            TextTone::Hunk => self.colored(Color::Cyan),
            TextTone::Tool => self.colored(Color::LightBlue),
        }
    }
}
