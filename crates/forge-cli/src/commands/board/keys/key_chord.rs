//! One key with its modifiers.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use thiserror::Error;

/// A key with its modifiers. A letter contains its shift key; `shift+tab` is a key of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KeyChord {
    pub(crate) code: KeyCode,
    pub(crate) control: bool,
    pub(crate) alt: bool,
}

/// The text names no key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a key; write one character or a name such as `enter`, `esc`, `tab`, `space`, `up`, `pagedown`, `home`, `delete` or `f5`, with `ctrl+`, `alt+` or `shift+tab` if needed"
)]
pub(crate) struct KeyChordError(String);

/// Keys that are written as a word: how they are read, and how they are shown.
const NAMED: [(&str, &str, KeyCode); 17] = [
    ("enter", "enter", KeyCode::Enter),
    ("esc", "esc", KeyCode::Esc),
    ("tab", "tab", KeyCode::Tab),
    ("shift+tab", "shift+tab", KeyCode::BackTab),
    ("space", "space", KeyCode::Char(' ')),
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("pageup", "pgup", KeyCode::PageUp),
    ("pagedown", "pgdn", KeyCode::PageDown),
    ("home", "home", KeyCode::Home),
    ("end", "end", KeyCode::End),
    ("backspace", "backspace", KeyCode::Backspace),
    ("delete", "delete", KeyCode::Delete),
    ("insert", "insert", KeyCode::Insert),
    ("plus", "+", KeyCode::Char('+')),
];

impl KeyChord {
    /// The character that this key types into a text field.
    pub(crate) fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(typed) if !self.control && !self.alt => Some(typed),
            _ => None,
        }
    }
}

impl From<KeyEvent> for KeyChord {
    fn from(event: KeyEvent) -> Self {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let code = match event.code {
            // Terminals report the letter of a control key in either case.
            KeyCode::Char(letter) if control => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        Self { code, control, alt: event.modifiers.contains(KeyModifiers::ALT) }
    }
}

impl FromStr for KeyChord {
    type Err = KeyChordError;

    fn from_str(text: &str) -> Result<Self, KeyChordError> {
        let refuse = || KeyChordError(text.to_owned());
        let (mut control, mut alt, mut rest) = (false, false, text);
        loop {
            if let Some(after) = rest.strip_prefix("ctrl+") {
                (control, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("alt+") {
                (alt, rest) = (true, after);
            } else {
                break;
            }
        }
        let named = NAMED.iter().find(|(name, _, _)| *name == rest).map(|(_, _, code)| *code);
        let number = rest.strip_prefix('f').and_then(|number| number.parse::<u8>().ok());
        let mut letters = rest.chars();
        let code = match (named, number, letters.next(), letters.next()) {
            (Some(code), ..) => code,
            (None, Some(number @ 1..=12), ..) => KeyCode::F(number),
            (None, None, Some(letter), None) if !letter.is_control() => KeyCode::Char(letter),
            _ => return Err(refuse()),
        };
        if control && matches!(code, KeyCode::Char(letter) if letter.is_uppercase()) {
            return Err(refuse());
        }
        Ok(Self { code, control, alt })
    }
}

impl fmt::Display for KeyChord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.control {
            f.write_str("ctrl+")?;
        }
        if self.alt {
            f.write_str("alt+")?;
        }
        let named = NAMED.iter().find(|(_, _, code)| *code == self.code);
        match (named, self.code) {
            (Some((_, shown, _)), _) => f.write_str(shown),
            (None, KeyCode::Char(letter)) => write!(f, "{letter}"),
            (None, KeyCode::F(number)) => write!(f, "f{number}"),
            (None, _) => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_4_keys_are_read_as_they_are_written() {
        for (text, code, control, alt) in [
            ("q", KeyCode::Char('q'), false, false),
            ("G", KeyCode::Char('G'), false, false),
            ("?", KeyCode::Char('?'), false, false),
            ("+", KeyCode::Char('+'), false, false),
            ("ctrl+c", KeyCode::Char('c'), true, false),
            ("alt+enter", KeyCode::Enter, false, true),
            ("shift+tab", KeyCode::BackTab, false, false),
            ("f12", KeyCode::F(12), false, false),
            ("f", KeyCode::Char('f'), false, false),
        ] {
            assert_eq!(text.parse(), Ok(KeyChord { code, control, alt }), "{text}");
        }
        for text in ["", "qq", "ctrl+", "ctrl+C", "f13", "shift+q", "Enter", "\u{1b}"] {
            assert!(text.parse::<KeyChord>().is_err(), "{text:?}");
        }
    }
}
