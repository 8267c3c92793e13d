//! Removes the escape sequences of a terminal, such as colours, from the output of programs.

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

/// The text without escape sequences; other control characters stay.
pub(crate) fn strip_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != ESCAPE {
            plain.push(c);
            continue;
        }
        match chars.next() {
            // A control sequence ends with a letter or a similar character.
            Some('[') => {
                chars.by_ref().find(|c| ('@'..='~').contains(c));
            }
            // A command for the operating system ends with a bell, or with an escape and a backslash.
            Some(']') => {
                let end = chars.by_ref().find(|c| matches!(*c, BELL | ESCAPE));
                if end == Some(ESCAPE) {
                    chars.next();
                }
            }
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_titles_are_removed() {
        let text = "\u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}a\u{1b}]8;;x\u{1b}\\b\u{1b}(c\td";
        assert_eq!(strip_escapes(text), "red abc\td");
        assert_eq!(strip_escapes("open \u{1b}[31"), "open ");
    }
}
