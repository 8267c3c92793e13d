//! Prose names its subject: pronouns that hide it are banned.

use crate::rule_violation::RuleViolation;
use crate::rust_comment::find_comments;
use crate::source_file::{SourceFile, SourceLanguage};

const BANNED: [&str; 5] = ["nobody", "somebody", "whoever", "anybody", "everybody"];

const PROJECT_PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

const FIX: &str = "name the subject: the server, the agent, the user, another process";

/// No banned pronoun in a Rust comment, a page of the documentation or a file of the web page.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    if file.is_generated() {
        return Vec::new();
    }
    if file.language() == SourceLanguage::Rust {
        let comments = find_comments(file);
        return comments
            .iter()
            .flat_map(|comment| check_line(file, comment.line, &comment.text))
            .collect();
    }
    if is_documentation(file) || is_web_source(file) {
        return file
            .numbered_lines()
            .flat_map(|(number, line)| check_line(file, number, line))
            .collect();
    }
    Vec::new()
}

fn is_documentation(file: &SourceFile) -> bool {
    let page_of_docs = file.path().starts_with("docs/") && file.path().ends_with(".md");
    page_of_docs || PROJECT_PAGES.contains(&file.file_name())
}

/// Whole files and not only their texts: text in JSX has no quotes around it.
fn is_web_source(file: &SourceFile) -> bool {
    file.path().starts_with("web/src/") && file.language() == SourceLanguage::TypeScript
}

fn check_line(file: &SourceFile, number: usize, line: &str) -> Vec<RuleViolation> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| BANNED.iter().any(|banned| word.eq_ignore_ascii_case(banned)))
        .map(|word| {
            let problem = format!("`{word}` does not say who is meant");
            RuleViolation::new(file.path(), number, problem, FIX)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&SourceFile::new(path, text)).iter().map(|offence| offence.line).collect()
    }

    #[test]
    fn every_pronoun_is_caught_in_every_kind_of_comment() {
        for word in BANNED {
            let text = format!(
                "//! Held by {word}.\n/// {word}'s file.\nfn a() {{}} // for {word}\n/*\n {word} */\n"
            );
            for path in ["crates/a/src/a.rs", "crates/a/tests/a.rs", "xtask/src/a.rs"] {
                assert_eq!(lines(path, &text), [1, 2, 3, 5], "{path} {word}");
            }
        }
    }

    #[test]
    fn pronouns_are_caught_in_documents_and_the_web_page() {
        for path in ["docs/A.md", "README.md", "web/README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
            assert_eq!(
                lines(path, "# A\nNobody waits, and whoever asks is told.\n"),
                [2, 2],
                "{path}"
            );
        }
        for text in ["<p>\n  Nobody has it\n</p>\n", "{\n  title: 'Nobody has it',\n}\n"] {
            assert_eq!(lines("web/src/task/A.tsx", text), [2], "{text}");
        }
    }

    #[test]
    fn code_longer_words_and_generated_files_pass() {
        let text = "const A: &str = \"nobody\"; // the user `nobody_else`\nfn nobody() {}\n";
        assert_eq!(lines("crates/a/src/a.rs", text), [0_usize; 0]);
        assert_eq!(lines("web/src/api/schema.ts", "/** nobody */"), [0_usize; 0]);
        assert_eq!(lines("scripts/test", "# nobody"), [0_usize; 0]);
    }
}
