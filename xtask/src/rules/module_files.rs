//! `lib.rs` and `mod.rs` are tables of contents: they contain no code.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::rule_violation::RuleViolation;
use crate::rust_source::RustSource;
use crate::source_file::SourceFile;

const FIX: &str = "move it into a file named after the noun and re-export it from here";

/// Only attributes, documentation, `mod`, `use` and `extern crate` are allowed in `lib.rs` and `mod.rs`.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    if !matches!(file.file_name(), "lib.rs" | "mod.rs") {
        return Vec::new();
    }
    match RustSource::parse(file) {
        Ok(source) => check_items(file, source.stream()),
        Err(offence) => vec![offence],
    }
}

fn check_items(file: &SourceFile, stream: TokenStream) -> Vec<RuleViolation> {
    let mut offences = Vec::new();
    let mut item: Vec<TokenTree> = Vec::new();
    for tree in stream {
        let ends = match &tree {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => {
                // The braces of `use a::{b, c};` do not end it.
                group.delimiter() == Delimiter::Brace && keyword(&item).0 != "use"
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        item.push(tree);
        if ends {
            offences.extend(check_item(file, &item));
            item.clear();
        }
    }
    if !item.is_empty() {
        offences.extend(check_item(file, &item));
    }
    offences
}

fn check_item(file: &SourceFile, item: &[TokenTree]) -> Vec<RuleViolation> {
    let (keyword, line) = keyword(item);
    match (keyword.as_str(), item.last()) {
        ("mod", Some(TokenTree::Group(group))) => check_items(file, group.stream()),
        // An incomplete rest is a stray `;` after braces or an attribute at the end.
        ("mod" | "use" | "extern" | "", _) => Vec::new(),
        (other, _) => {
            let problem = format!("`{other}` in {}: it must contain no logic", file.file_name());
            vec![RuleViolation::new(file.path(), line, problem, FIX)]
        }
    }
}

/// The first keyword of an item after its attributes and visibility, and its line.
fn keyword(item: &[TokenTree]) -> (String, usize) {
    for tree in item {
        match tree {
            TokenTree::Ident(ident) if ident != "pub" => {
                return (ident.to_string(), ident.span().start().line);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Group(_) => {}
            TokenTree::Literal(literal) => {
                return (literal.to_string(), literal.span().start().line);
            }
        }
    }
    (String::new(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<usize> {
        check(&SourceFile::new(path, text)).iter().map(|offence| offence.line).collect()
    }

    #[test]
    fn logic_in_a_module_file_is_caught() {
        let text = "//! Doc.\nmod a;\nfn b() {}\npub const C: u8 = 1;\npub(crate) struct D;\n\
                    #[derive(Debug)]\nenum E { F }\nmacro_rules! g { () => {} }\nimpl H {}\n";
        for path in ["crates/a/src/lib.rs", "crates/a/src/b/mod.rs"] {
            assert_eq!(problems(path, text), [3, 4, 5, 7, 8, 9], "{path}");
        }
        assert_eq!(problems("crates/a/src/b.rs", text), [0_usize; 0]);
    }

    #[test]
    fn logic_in_an_inline_module_is_caught() {
        assert_eq!(problems("src/lib.rs", "pub mod a {\n  pub use b::c;\n  fn d() {}\n}\n"), [3]);
    }

    #[test]
    fn a_table_of_contents_passes() {
        let text = "//! Doc.\n#![warn(missing_docs)]\n#[macro_use]\nmod a;\npub mod b;\n\
                    pub(crate) mod c;\npub use a::{b::{C, D}, E};\nuse f as g;\nextern crate h;\n";
        assert_eq!(problems("src/lib.rs", text), [0_usize; 0]);
    }
}
