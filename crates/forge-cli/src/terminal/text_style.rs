//! Text styles, on terminals only.

/// The meaning of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextStyle {
    Plain,
    Bold,
    Dim,
    Success,
    Warning,
    Error,
}

/// Whether escape codes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColorOutput(pub(crate) bool);

impl ColorOutput {
    /// The text with the style, or unchanged.
    pub(crate) fn styled(self, ink: TextStyle, text: &str) -> String {
        let code = match ink {
            TextStyle::Plain => return text.to_owned(),
            TextStyle::Bold => "1",
            TextStyle::Dim => "2",
            TextStyle::Success => "32",
            TextStyle::Warning => "33",
            TextStyle::Error => "31",
        };
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
