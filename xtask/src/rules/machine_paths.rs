//! Absolute paths of a developer's machine are not allowed.

use crate::rule_violation::RuleViolation;
use crate::source_file::SourceFile;

/// Split in two, so that this file passes its own rule.
const MACHINE_ROOTS: [&str; 3] = [concat!("/ro", "ot/"), concat!("/wo", "rk/"), HOMES];
const HOMES: &str = concat!("/ho", "me/");

/// The one user whose home the spec names (E-14): the sandbox mounts workspaces there.
const SANDBOX_USER: &str = "agent/";

/// No absolute path of a machine, in any text file.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    file.numbered_lines()
        .filter_map(|(number, line)| machine_path(line).map(|path| (number, path)))
        .map(|(number, path)| {
            RuleViolation::new(
                file.path(),
                number,
                format!("`{path}…` is a path of one machine"),
                "take it from a setting, a temporary directory or the workspace root",
            )
        })
        .collect()
}

fn machine_path(line: &str) -> Option<&'static str> {
    MACHINE_ROOTS.into_iter().find(|root| {
        line.match_indices(root).any(|(at, _)| {
            let (before, found) = line.split_at(at);
            let after = found.get(root.len()..).unwrap_or_default();
            let named_by_spec = *root == HOMES && after.starts_with(SANDBOX_USER);
            let names_something = after.starts_with(|c: char| c.is_alphanumeric() || c == '.');
            is_start_of_path(before) && names_something && !named_by_spec
        })
    })
}

/// Whether the path starts here: after a word, a dot, a variable or a slash it does not.
fn is_start_of_path(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || "._-~/}>)]$*".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&SourceFile::new(path, text)).len()
    }

    #[test]
    fn machine_paths_are_caught_in_every_kind_of_file() {
        for root in [MACHINE_ROOTS[0], MACHINE_ROOTS[1], concat!("/ho", "me/ann/")] {
            for (path, before) in [
                ("src/a.rs", "const A: &str = \""),
                ("crates/a/tests/a.rs", "// see "),
                ("scripts/test", "cd "),
                ("docs/API.md", "`"),
                ("crates/a/tests/snapshots/a.snap", "path: "),
                ("Makefile", "A="),
            ] {
                assert_eq!(count(path, &format!("x\n{before}{root}project\n")), 1, "{path} {root}");
            }
        }
    }

    #[test]
    fn relative_paths_and_the_sandbox_home_pass() {
        let (root, work) = (MACHINE_ROOTS[0], MACHINE_ROOTS[1]);
        for text in [
            format!("\"{HOMES}agent/run-workspace\""),
            format!("\"https://example.org{work}items\""),
            format!("$HOME{work}x"),
            format!("{{data_dir}}{work}x"),
            format!("..{root}x"),
        ] {
            assert_eq!(count("src/a.rs", &text), 0, "{text}");
        }
    }
}
