//! One line of text that the user edits.

use crossterm::event::KeyCode;

use crate::commands::board::keys::KeyChord;

/// A line of text with a cursor. The cursor is a position between characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LineEdit {
    letters: Vec<char>,
    cursor: usize,
}

impl LineEdit {
    /// A line with this text and the cursor at its end.
    pub(crate) fn with_text(text: &str) -> Self {
        let letters: Vec<char> = text.chars().filter(|letter| !letter.is_control()).collect();
        Self { cursor: letters.len(), letters }
    }

    pub(crate) fn text(&self) -> String {
        self.letters.iter().collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The text before and after the cursor.
    pub(crate) fn split(&self) -> (String, String) {
        let (before, after) = self.letters.split_at(self.cursor.min(self.letters.len()));
        (before.iter().collect(), after.iter().collect())
    }

    /// Inserts text at the cursor; line ends become spaces, other control characters are dropped.
    pub(crate) fn insert(&mut self, text: &str) {
        for letter in text.chars() {
            let letter = if matches!(letter, '\n' | '\r' | '\t') { ' ' } else { letter };
            if !letter.is_control() {
                self.letters.insert(self.cursor, letter);
                self.cursor += 1;
            }
        }
    }

    /// Edits the line; returns whether the key has a meaning here.
    pub(crate) fn press(&mut self, key: KeyChord) -> bool {
        if let Some(letter) = key.typed() {
            self.insert(letter.encode_utf8(&mut [0; 4]));
            return true;
        }
        match (key.code, key.control) {
            (KeyCode::Backspace, false) if self.cursor > 0 => {
                self.cursor -= 1;
                self.letters.remove(self.cursor);
            }
            (KeyCode::Backspace, false) => {}
            (KeyCode::Delete, _) if self.cursor < self.letters.len() => {
                self.letters.remove(self.cursor);
            }
            (KeyCode::Delete, _) => {}
            (KeyCode::Left, _) => self.cursor = self.cursor.saturating_sub(1),
            (KeyCode::Right, _) => self.cursor = (self.cursor + 1).min(self.letters.len()),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.cursor = 0,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.cursor = self.letters.len(),
            (KeyCode::Char('u'), true) => {
                self.letters.drain(..self.cursor);
                self.cursor = 0;
            }
            (KeyCode::Char('w'), true) => self.delete_word(),
            _ => return false,
        }
        true
    }

    fn delete_word(&mut self) {
        let before = self.letters.get(..self.cursor).unwrap_or_default();
        let end = before.iter().rposition(|letter| *letter != ' ').map_or(0, |at| at + 1);
        let word = before.get(..end).unwrap_or_default();
        let start = word.iter().rposition(|letter| *letter == ' ').map_or(0, |at| at + 1);
        self.letters.drain(start..self.cursor);
        self.cursor = start;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn a_line_is_edited_at_its_cursor() {
        let mut line = LineEdit::default();
        line.insert("add the ünit\ntest");
        for (key, text) in [
            ("ctrl+w", "add the ünit "),
            ("ctrl+w", "add the "),
            ("left", "add the "),
            ("backspace", "add th "),
            ("é", "add thé "),
            ("home", "add thé "),
            ("delete", "dd thé "),
            ("ctrl+u", "dd thé "),
            ("end", "dd thé "),
            ("ctrl+u", ""),
            ("backspace", ""),
            ("ctrl+w", ""),
        ] {
            assert!(line.press(key.parse().expect("a key")), "{key}");
            assert_eq!(line.text(), text, "{key}");
        }
        assert!(!line.press("up".parse().expect("a key")));
    }
}
