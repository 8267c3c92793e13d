//! Wraps lines to the width of the screen.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The pieces of a line that fit into `width` columns; an empty line is one empty piece.
pub(crate) fn wrap_line(line: &str, width: u16) -> Vec<&str> {
    let width = usize::from(width.max(2));
    if line.width() <= width {
        return vec![line];
    }
    let (mut pieces, mut start, mut used) = (Vec::new(), 0, 0);
    for (at, letter) in line.char_indices() {
        let needed = letter.width().unwrap_or(0);
        if used + needed > width {
            pieces.extend(line.get(start..at));
            (start, used) = (at, 0);
        }
        used += needed;
    }
    pieces.extend(line.get(start..));
    pieces
}

/// Text wrapped between words; words that are too long are split. Keeps the line ends of the text.
pub(crate) fn wrap_words(text: &str, width: u16) -> Vec<String> {
    let room = usize::from(width.max(2));
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > room {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            let mut pieces = wrap_line(word, width);
            let last = pieces.pop().unwrap_or_default();
            lines.extend(pieces.into_iter().map(str::to_owned));
            line.push_str(last);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn lines_fit_and_nothing_is_lost() {
        assert_eq!(wrap_line("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap_line("", 4), [""]);
        assert_eq!(
            wrap_words("one two three\n\nabcdefgh", 7),
            ["one two", "three", "", "abcdefg", "h"]
        );
    }
}
