//! The comments of a Rust file, found by a small lexer that skips string and character literals.

use std::iter::Peekable;
use std::str::Chars;

use crate::source_file::SourceFile;

/// One line of a comment. A block comment gives one of these for each of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentLine {
    /// One-based line number.
    pub line: usize,
    /// The text with its marker, such as `/// Reads the file.`
    pub text: String,
}

impl CommentLine {
    /// The text after `///`, or `None` for another kind of comment.
    pub fn item_doc(&self) -> Option<&str> {
        self.text.strip_prefix("///").filter(|rest| !rest.starts_with('/'))
    }
}

/// All comment lines of a file, in source order.
pub fn find_comments(file: &SourceFile) -> Vec<CommentLine> {
    let mut lexer =
        CommentLexer { rest: file.text().chars().peekable(), line: 1, found: Vec::new() };
    lexer.read_code();
    lexer.found
}

struct CommentLexer<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
    found: Vec<CommentLine>,
}

impl CommentLexer<'_> {
    fn read_code(&mut self) {
        // The name that ends here: `r`, `br` or `cr` in front of a quote starts a raw string.
        let mut name = String::new();
        while let Some(character) = self.next() {
            match character {
                '/' if self.next_is('/') => self.read_line_comment(),
                '/' if self.next_is('*') => self.read_block_comment(),
                '"' if is_raw_prefix(&name) => self.skip_raw_string(0),
                '"' => self.skip_string(),
                '#' if is_raw_prefix(&name) => self.skip_hashes(),
                '\'' => self.skip_quote(),
                _ => {}
            }
            if character.is_alphanumeric() || character == '_' {
                name.push(character);
            } else {
                name.clear();
            }
        }
    }

    fn read_line_comment(&mut self) {
        let mut text = String::from("/");
        while let Some(character) = self.rest.next_if(|character| *character != '\n') {
            text.push(character);
        }
        self.found.push(CommentLine { line: self.line, text });
    }

    fn read_block_comment(&mut self) {
        let mut text = String::from("/");
        let mut depth = 0_usize;
        let mut previous = '/';
        for character in self.rest.by_ref() {
            if character == '\n' {
                self.found.push(CommentLine { line: self.line, text: std::mem::take(&mut text) });
                self.line += 1;
            } else {
                text.push(character);
            }
            match (previous, character) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth = depth.saturating_sub(1),
                _ => {
                    previous = character;
                    continue;
                }
            }
            if depth == 0 {
                break;
            }
            // A character belongs to one marker only: `/*/` is still open.
            previous = ' ';
        }
        self.found.push(CommentLine { line: self.line, text });
    }

    fn skip_string(&mut self) {
        while let Some(character) = self.next() {
            match character {
                '\\' => {
                    self.next();
                }
                '"' => return,
                _ => {}
            }
        }
    }

    /// Skips `#…#"…"#…#`; a raw name such as `r#type` has no quote and is left as code.
    fn skip_hashes(&mut self) {
        let mut hashes = 1;
        while self.next_is('#') {
            self.next();
            hashes += 1;
        }
        if self.next_is('"') {
            self.next();
            self.skip_raw_string(hashes);
        }
    }

    fn skip_raw_string(&mut self, hashes: usize) {
        while let Some(character) = self.next() {
            if character != '"' {
                continue;
            }
            let mut closing = 0;
            while closing < hashes && self.next_is('#') {
                self.next();
                closing += 1;
            }
            if closing == hashes {
                return;
            }
        }
    }

    /// Skips a character literal. A lifetime has no closing quote after one character and is left as code.
    fn skip_quote(&mut self) {
        if self.next_is('\\') {
            self.next();
            self.next();
            while self.next().is_some_and(|character| character != '\'') {}
            return;
        }
        let mut ahead = self.rest.clone();
        ahead.next();
        if ahead.next() == Some('\'') {
            self.next();
            self.next();
        }
    }

    fn next_is(&mut self, character: char) -> bool {
        self.rest.peek() == Some(&character)
    }

    fn next(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        if character == '\n' {
            self.line += 1;
        }
        Some(character)
    }
}

fn is_raw_prefix(name: &str) -> bool {
    matches!(name, "r" | "br" | "cr")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments(text: &str) -> Vec<(usize, String)> {
        let found = find_comments(&SourceFile::new("src/a.rs", text));
        found.into_iter().map(|comment| (comment.line, comment.text)).collect()
    }

    fn at(line: usize, text: &str) -> (usize, String) {
        (line, text.to_owned())
    }

    #[test]
    fn every_kind_of_comment_is_found() {
        let text = "//! One.\n/// Two.\nfn a() {} // three\n/* four\n /* five */ six */ fn b() {}\n/*/ 7 */\n";
        let expected = [
            at(1, "//! One."),
            at(2, "/// Two."),
            at(3, "// three"),
            at(4, "/* four"),
            at(5, " /* five */ six */"),
            at(6, "/*/ 7 */"),
        ];
        assert_eq!(comments(text), expected);
    }

    #[test]
    fn literals_are_no_comments() {
        let text = "const A: &str = \"// \\\" // a\n// b\"; // 2\nconst B: &str = r#\"\" // c\"#; // 3\n\
                    const C: [char; 2] = ['\"', '\\'']; // 4\nfn r#d<'a>(e: &'a str) {} // 5\n\
                    const F: &[u8] = br\"\\\"; // 6\nconst G: char = '\\u{22}'; // 7\n";
        let expected: Vec<_> = (2..=7).map(|line| at(line, &format!("// {line}"))).collect();
        assert_eq!(comments(text), expected);
    }

    #[test]
    fn only_three_slashes_document_an_item() {
        let doc = |text: &str| {
            CommentLine { line: 1, text: text.to_owned() }.item_doc().map(str::to_owned)
        };
        assert_eq!(doc("/// Text."), Some(" Text.".to_owned()));
        assert_eq!(doc("//! Text."), None);
        assert_eq!(doc("//// Text."), None);
        assert_eq!(doc("// Text."), None);
    }
}
