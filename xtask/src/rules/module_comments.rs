//! Every folder of a crate says what it is for.

use crate::rule_violation::RuleViolation;
use crate::source_file::SourceFile;

/// A `mod.rs` in a crate's sources begins with a `//!` comment.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    if !file.is_crate_source() || file.file_name() != "mod.rs" {
        return Vec::new();
    }
    let first = file.text().lines().next().unwrap_or_default();
    if first.strip_prefix("//!").is_some_and(|text| !text.trim().is_empty()) {
        return Vec::new();
    }
    vec![RuleViolation::new(
        file.path(),
        1,
        "the folder does not say what it is for",
        "begin with `//!`: what the folder does, its states, and what a crash leaves",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&SourceFile::new(path, text)).len()
    }

    #[test]
    fn a_folder_without_a_comment_is_caught() {
        for text in
            ["", "mod a;\n", "//!\nmod a;\n", "// Landing.\nmod a;\n", "mod a;\n//! Landing.\n"]
        {
            assert_eq!(count("crates/a/src/landing/mod.rs", text), 1, "{text}");
        }
    }

    #[test]
    fn a_comment_and_other_files_pass() {
        assert_eq!(count("crates/a/src/landing/mod.rs", "//! Landing.\n\nmod a;\n"), 0);
        assert_eq!(count("crates/a/src/landing/a.rs", "struct A;\n"), 0);
        assert_eq!(count("crates/a/tests/world/mod.rs", "mod a;\n"), 0);
    }
}
