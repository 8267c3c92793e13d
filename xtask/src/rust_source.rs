//! A Rust file as tokens, so that a rule never mistakes a comment for code.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, LexError, TokenStream, TokenTree};

use crate::rule_violation::RuleViolation;
use crate::source_file::SourceFile;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Ident,
    /// One punctuation character, including brackets.
    Punct,
    /// A literal, as written.
    Literal,
}

/// One token; tokens are in source order.
#[derive(Debug, Clone)]
pub struct SourceToken {
    pub kind: TokenKind,
    /// The text as written.
    pub text: String,
    /// One-based line number.
    pub line: usize,
    /// Whether it is inside `#[cfg(test)]`.
    pub in_test: bool,
}

impl SourceToken {
    /// Whether it is this name, keyword or punctuation.
    pub fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::Literal && self.text == text
    }
}

/// The tokens of one file.
#[derive(Debug)]
pub struct RustSource {
    stream: TokenStream,
    tokens: Vec<SourceToken>,
    test_lines: usize,
}

impl RustSource {
    /// Reads a file's tokens; an unreadable file is itself a violation.
    pub fn parse(file: &SourceFile) -> Result<Self, RuleViolation> {
        let stream = TokenStream::from_str(file.text()).map_err(|error: LexError| {
            RuleViolation::new(
                file.path(),
                error.span().start().line.max(1),
                "this is not Rust",
                "make it compile first; the other rules need its tokens",
            )
        })?;
        let mut flat = TokenFlattener::default();
        flat.stream(stream.clone(), false);
        Ok(Self { stream, tokens: flat.tokens, test_lines: flat.test_lines })
    }

    /// The token trees, for rules about structure.
    pub fn stream(&self) -> TokenStream {
        self.stream.clone()
    }

    /// All tokens in source order.
    pub fn tokens(&self) -> &[SourceToken] {
        &self.tokens
    }

    /// How many lines are inside `#[cfg(test)]`.
    pub fn test_lines(&self) -> usize {
        self.test_lines
    }

    /// Names of the modules declared with `#[cfg(test)] mod name;`, which are in separate files.
    pub fn test_modules(&self) -> Vec<&str> {
        self.tokens
            .windows(3)
            .filter_map(|window| match window {
                [keyword, name, end] if keyword.in_test && keyword.is("mod") && end.is(";") => {
                    Some(name.text.as_str())
                }
                _ => None,
            })
            .collect()
    }
}

#[derive(Default)]
struct TokenFlattener {
    tokens: Vec<SourceToken>,
    test_lines: usize,
}

impl TokenFlattener {
    fn stream(&mut self, stream: TokenStream, inherited: bool) {
        let mut file_is_test = inherited;
        // Set from a test attribute to the end of its item.
        let mut item_from: Option<usize> = None;
        let mut previous = [' ', ' '];
        for tree in stream {
            let in_test = file_is_test || item_from.is_some();
            match &tree {
                TokenTree::Group(group) => {
                    if group.delimiter() == Delimiter::Bracket && is_test_condition(group) {
                        match previous {
                            ['#', '!'] => file_is_test = true,
                            [_, '#'] if !in_test => {
                                item_from = Some(group.span_open().start().line);
                            }
                            _ => {}
                        }
                    }
                    self.group(group, in_test);
                    if group.delimiter() == Delimiter::Brace {
                        self.end_item(&mut item_from, group.span_close().end().line);
                    }
                    previous = [' ', ' '];
                }
                TokenTree::Punct(punct) => {
                    let character = punct.as_char();
                    let line = punct.span().start().line;
                    self.push(TokenKind::Punct, character.to_string(), line, in_test);
                    if character == ';' {
                        self.end_item(&mut item_from, line);
                    }
                    previous = [previous[1], character];
                }
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    self.push(TokenKind::Ident, ident.to_string(), line, in_test);
                    previous = [' ', ' '];
                }
                TokenTree::Literal(literal) => {
                    let line = literal.span().start().line;
                    self.push(TokenKind::Literal, literal.to_string(), line, in_test);
                    previous = [' ', ' '];
                }
            }
        }
    }

    fn group(&mut self, group: &Group, in_test: bool) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        self.push(TokenKind::Punct, open.to_owned(), group.span_open().start().line, in_test);
        self.stream(group.stream(), in_test);
        self.push(TokenKind::Punct, close.to_owned(), group.span_close().start().line, in_test);
    }

    fn end_item(&mut self, item_from: &mut Option<usize>, line: usize) {
        if let Some(from) = item_from.take() {
            self.test_lines += line.saturating_sub(from) + 1;
        }
    }

    fn push(&mut self, kind: TokenKind, text: String, line: usize, in_test: bool) {
        self.tokens.push(SourceToken { kind, text, line, in_test });
    }
}

/// Whether an attribute's content is `cfg(test)`, alone or as a part of `all` or `any`.
fn is_test_condition(attribute: &Group) -> bool {
    let mut trees = attribute.stream().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(condition))) => {
            name == "cfg" && names_test(condition.stream())
        }
        _ => false,
    }
}

fn names_test(condition: TokenStream) -> bool {
    let mut negated = false;
    condition.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => {
            negated = name == "not";
            name == "test"
        }
        TokenTree::Group(inner) => !negated && names_test(inner.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> RustSource {
        RustSource::parse(&SourceFile::new("src/x.rs", text)).expect("Rust")
    }

    fn names(source: &RustSource, in_test: bool) -> Vec<&str> {
        let letters = source.tokens().iter().filter(|token| token.kind == TokenKind::Ident);
        letters
            .filter(|token| token.in_test == in_test && token.text.len() == 1)
            .map(|token| token.text.as_str())
            .collect()
    }

    #[test]
    fn only_the_item_under_cfg_test_is_test_code() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod b {\n fn c() {}\n}\nfn d() {}\n\
                    #[cfg(not(test))] fn e() {}\n#[cfg(all(test, unix))] use f;\n";
        let source = source(text);
        assert_eq!(names(&source, false), ["a", "d", "e"]);
        assert_eq!(names(&source, true), ["x", "b", "c", "f"]);
        assert_eq!(source.test_lines(), 6);
    }

    #[test]
    fn a_file_can_be_all_test_and_declare_test_files() {
        assert_eq!(names(&source("#![cfg(test)]\nfn a() {}"), true), ["a"]);
        assert_eq!(source("mod a;\n#[cfg(test)]\nmod b;\n").test_modules(), ["b"]);
    }

    #[test]
    fn a_file_that_is_not_rust_is_a_violation() {
        let file = SourceFile::new("src/x.rs", "fn a() {\n");
        let offence = RustSource::parse(&file).expect_err("an open brace");
        assert_eq!(offence.path, "src/x.rs");
    }
}
