//! A type name has one meaning in the workspace.

use std::collections::BTreeMap;

use crate::rule_violation::RuleViolation;
use crate::rust_source::{RustSource, SourceToken, TokenKind};
use crate::source_file::{SourceFile, SourceLanguage};

/// Two, so that a stored row or a wire format may share the name of what it represents.
const MOST_PLACES: usize = 2;

/// Test tools describe the same things as the crates they test.
const TEST_TOOLS: &str = "crates/forge-testkit/";

const FIX: &str = "give each of them a longer name that says what it is";

/// One definition of a type.
struct TypeDefinition<'a> {
    file: &'a SourceFile,
    line: usize,
}

/// No struct, enum, trait or alias of one name in more than two places of the crates' sources.
///
/// Associated types and items under `#[cfg(test)]` do not count.
pub fn check(files: &[SourceFile]) -> Vec<RuleViolation> {
    let mut definitions: BTreeMap<String, Vec<TypeDefinition<'_>>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_checked(file)) {
        for (name, line) in find_definitions(file) {
            definitions.entry(name).or_default().push(TypeDefinition { file, line });
        }
    }
    definitions.retain(|_name, places| places.len() > MOST_PLACES);
    definitions.iter().flat_map(|(name, places)| report(name, places)).collect()
}

fn is_checked(file: &SourceFile) -> bool {
    file.language() == SourceLanguage::Rust
        && file.is_crate_source()
        && !file.path().starts_with(TEST_TOOLS)
}

fn report(name: &str, places: &[TypeDefinition<'_>]) -> Vec<RuleViolation> {
    let problem = format!("the type name `{name}` is defined in {} places", places.len());
    places
        .iter()
        .map(|place| RuleViolation::new(place.file.path(), place.line, problem.as_str(), FIX))
        .collect()
}

/// The names and lines of the types that a file defines outside tests.
fn find_definitions(file: &SourceFile) -> Vec<(String, usize)> {
    let Ok(source) = RustSource::parse(file) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut blocks = BlockStack::default();
    for pair in source.tokens().windows(2) {
        let [token, next] = pair else {
            continue;
        };
        let defines = match token.text.as_str() {
            "struct" | "enum" | "trait" => true,
            "type" => !blocks.is_in_associated_block(),
            _ => false,
        };
        let is_name = next.kind == TokenKind::Ident;
        if defines && is_name && token.kind == TokenKind::Ident && !token.in_test {
            found.push((next.text.clone(), next.line));
        }
        blocks.read(token);
    }
    found
}

/// The open braces around a token: whether each is the body of an `impl` or a `trait`.
#[derive(Default)]
struct BlockStack {
    open: Vec<bool>,
    /// Whether the current item is an `impl` or a `trait`; `None` between items.
    item: Option<bool>,
}

impl BlockStack {
    fn is_in_associated_block(&self) -> bool {
        self.open.last().copied().unwrap_or(false)
    }

    fn read(&mut self, token: &SourceToken) {
        if token.is("{") {
            self.open.push(self.item.take().unwrap_or(false));
        } else if token.is("}") {
            self.open.pop();
            self.item = None;
        } else if token.is(";") {
            self.item = None;
        } else if self.item.is_none() {
            // Only the first keyword counts: `fn a() -> impl B` is a function.
            self.item = match token.text.as_str() {
                "impl" | "trait" => Some(true),
                "fn" | "struct" | "enum" | "mod" | "let" | "type" => Some(false),
                _ => None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let files: Vec<_> =
            files.iter().map(|(path, text)| SourceFile::new(*path, *text)).collect();
        check(&files).into_iter().map(|offence| (offence.path, offence.line)).collect()
    }

    #[test]
    fn a_name_in_three_places_is_caught_at_each() {
        let found = places(&[
            ("crates/a/src/a.rs", "fn x() {}\npub struct Turn;\nstruct Other;\n"),
            ("crates/a/src/b.rs", "mod c {\n    enum Turn { D }\n    enum Other { D }\n}\n"),
            ("crates/b/src/a.rs", "fn x() -> impl Y {\n    type Turn = u8;\n}\n"),
        ]);
        let expected =
            [("crates/a/src/a.rs", 2), ("crates/a/src/b.rs", 2), ("crates/b/src/a.rs", 2)];
        assert_eq!(found, expected.map(|(path, line)| (path.to_owned(), line)));
        let traits = "trait Turn {}\n";
        let paths = ["crates/a/src/a.rs", "crates/b/src/a.rs", "crates/c/src/a.rs"];
        assert_eq!(places(&paths.map(|path| (path, traits))).len(), 3);
    }

    #[test]
    fn associated_types_tests_and_test_tools_pass() {
        let associated = "trait A { type Turn; }\nimpl A for B {\n    type Turn = u8;\n}\n";
        let tests = "#[cfg(test)]\nmod tests { struct Turn; }\n";
        let found = places(&[
            ("crates/a/src/a.rs", "pub struct Turn;\n// struct Turn;\nstruct C { r#type: Turn }\n"),
            ("crates/a/src/b.rs", "const A: &str = \"struct Turn;\";\nstruct Turn;\n"),
            ("crates/a/src/c.rs", associated),
            ("crates/a/src/d.rs", tests),
            ("crates/a/tests/e.rs", "struct Turn;\n"),
            ("crates/forge-testkit/src/f.rs", "struct Turn;\n"),
        ]);
        assert_eq!(found, []);
    }
}
