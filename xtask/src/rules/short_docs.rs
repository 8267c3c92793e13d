//! A doc comment says something: one or two words repeat the name at best.

use crate::rule_violation::RuleViolation;
use crate::rust_comment::{CommentLine, find_comments};
use crate::source_file::{SourceFile, SourceLanguage};

const FEWEST_WORDS: usize = 3;

const FIX: &str = "say in a sentence what the item is or does, or delete the comment";

/// Each block of `///` lines in a crate's sources has at least three words.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    if !file.is_crate_source() || file.language() != SourceLanguage::Rust {
        return Vec::new();
    }
    let comments = find_comments(file);
    let docs: Vec<_> = comments.iter().filter(|comment| comment.item_doc().is_some()).collect();
    docs.chunk_by(|previous, next| previous.line + 1 == next.line)
        .filter_map(|block| check_block(file, block))
        .collect()
}

fn check_block(file: &SourceFile, block: &[&CommentLine]) -> Option<RuleViolation> {
    let lines = block.iter().filter_map(|comment| comment.item_doc());
    let words: Vec<_> = lines.flat_map(str::split_whitespace).collect();
    if words.len() >= FEWEST_WORDS {
        return None;
    }
    let problem = format!("the doc comment `{}` has fewer than three words", words.join(" "));
    Some(RuleViolation::new(file.path(), block.first()?.line, problem, FIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&SourceFile::new(path, text)).iter().map(|offence| offence.line).collect()
    }

    #[test]
    fn a_short_doc_comment_is_caught() {
        let text = "struct A {\n    /// Which.\n    b: u8,\n    /// The one.\n    c: u8,\n    ///\n    d: u8,\n}\n\
                    /// In.\n/// Out.\nfn e() {}\n";
        assert_eq!(lines("crates/a/src/a.rs", text), [2, 4, 6, 9]);
    }

    #[test]
    fn a_sentence_and_other_comments_pass() {
        let text = "//! Short.\n/// Reads one file.\nstruct A; // Short.\n/// Two\n/// more words.\nstruct B;\n\
                    const C: &str = \"\n/// Short.\n\";\n";
        assert_eq!(lines("crates/a/src/a.rs", text), [0_usize; 0]);
        assert_eq!(lines("crates/a/tests/a.rs", "/// Short.\nfn a() {}\n"), [0_usize; 0]);
    }
}
