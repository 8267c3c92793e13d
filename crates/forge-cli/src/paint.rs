//! Colour, on terminals only.

/// What a piece of text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Strong,
    Faint,
    Good,
    Doubtful,
    Bad,
}

/// Whether escape codes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// The text in its colour, or as it is.
    pub(crate) fn text(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Plain => return text.to_owned(),
            Ink::Strong => "1",
            Ink::Faint => "2",
            Ink::Good => "32",
            Ink::Doubtful => "33",
            Ink::Bad => "31",
        };
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
