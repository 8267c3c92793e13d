//! Limits the size of source files.

use crate::rule_violation::RuleViolation;
use crate::rust_source::RustSource;
use crate::source_file::{SourceFile, SourceLanguage};

const MOST_LINES: usize = 800;

/// Source files stay within the limit; test code and generated files do not count.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    if file.language() == SourceLanguage::Other || file.is_test() || file.is_generated() {
        return Vec::new();
    }
    let tests = match file.language() {
        SourceLanguage::Rust => RustSource::parse(file).map_or(0, |source| source.test_lines()),
        SourceLanguage::TypeScript | SourceLanguage::Other => 0,
    };
    let lines = file.text().lines().count().saturating_sub(tests);
    if lines <= MOST_LINES {
        return Vec::new();
    }
    vec![RuleViolation::new(
        file.path(),
        MOST_LINES + 1,
        format!("{lines} lines, the limit is {MOST_LINES}"),
        "move its second noun to a separate file; aim for less than 300 lines",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, count: usize) -> SourceFile {
        SourceFile::new(path, "use a;\n".repeat(count))
    }

    #[test]
    fn a_file_over_the_budget_is_caught() {
        for path in ["crates/a/src/big.rs", "web/src/big.ts", "web/src/Big.tsx"] {
            assert_eq!(check(&lines(path, 800)), []);
            let offences = check(&lines(path, 801));
            assert_eq!(offences.len(), 1, "{path}");
            assert!(offences[0].problem.starts_with("801 lines"), "{offences:?}");
        }
    }

    #[test]
    fn tests_and_generated_files_do_not_count() {
        for path in ["crates/a/tests/big.rs", "web/src/api/schema.ts", "web/src/x.test.tsx"] {
            assert_eq!(check(&lines(path, 2_000)), []);
        }
        let tests = format!("mod a;\n#[cfg(test)]\nmod tests {{\n{}}}\n", "use a;\n".repeat(900));
        assert_eq!(check(&SourceFile::new("crates/a/src/b.rs", tests)), []);
    }
}
