//! One noun per file: vague names are not allowed.

use crate::rule_violation::RuleViolation;
use crate::rust_source::{RustSource, SourceToken};
use crate::source_file::{SourceFile, SourceLanguage};

const VAGUE_WORDS: [&str; 10] = [
    "common", "helper", "helpers", "manager", "managers", "misc", "service", "services", "util",
    "utils",
];

const VAGUE_ENDINGS: [&str; 5] = ["Helper", "Manager", "Service", "Util", "Utils"];

const FIX: &str = "name it after the one noun that it contains";

/// Source files, directories and types are named after a noun; Rust files are in snake_case.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    match file.language() {
        SourceLanguage::Other => Vec::new(),
        SourceLanguage::TypeScript => check_path(file).into_iter().collect(),
        SourceLanguage::Rust => {
            let mut offences: Vec<_> = check_path(file).into_iter().collect();
            offences.extend(check_case(file));
            offences.extend(check_types(file));
            offences
        }
    }
}

fn check_path(file: &SourceFile) -> Option<RuleViolation> {
    let vague = file.path().split('/').find(|component| {
        let stem = component.split('.').next().unwrap_or(component);
        stem.split(['_', '-']).any(|word| VAGUE_WORDS.contains(&word.to_lowercase().as_str()))
    })?;
    let problem = format!("`{vague}` is a name that fits anything");
    Some(RuleViolation::new(file.path(), 1, problem, FIX))
}

fn check_case(file: &SourceFile) -> Option<RuleViolation> {
    let stem = file.file_name().trim_end_matches(".rs");
    let snake = stem.starts_with(|first: char| first.is_ascii_lowercase())
        && stem.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let problem = format!("`{stem}` is not snake_case");
    (!snake).then(|| RuleViolation::new(file.path(), 1, problem, "rename the file"))
}

fn check_types(file: &SourceFile) -> Vec<RuleViolation> {
    let Ok(source) = RustSource::parse(file) else {
        return Vec::new();
    };
    let vague_type = |window: &[SourceToken]| match window {
        [keyword, name] if ["struct", "enum", "trait"].iter().any(|word| keyword.is(word)) => {
            let vague = VAGUE_ENDINGS.iter().any(|ending| name.text.ends_with(ending));
            let problem = format!("the type `{}` is named after no noun", name.text);
            vague.then(|| RuleViolation::new(file.path(), name.line, problem, FIX))
        }
        _ => None,
    };
    source.tokens().windows(2).filter_map(vague_type).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&SourceFile::new(path, text)).into_iter().map(|offence| offence.problem).collect()
    }

    #[test]
    fn vague_file_names_are_caught() {
        for path in [
            "crates/a/src/utils.rs",
            "crates/a/src/helpers/git.rs",
            "crates/a/src/task_manager.rs",
            "crates/a/tests/common/world.rs",
            "web/src/Misc.tsx",
            "web/src/date-utils.ts",
        ] {
            assert_eq!(problems(path, "").len(), 1, "{path}");
        }
        assert_eq!(problems("crates/a/src/utility_bill.rs", ""), Vec::<String>::new());
    }

    #[test]
    fn rust_files_are_snake_case_and_components_are_not() {
        assert_eq!(problems("crates/a/src/TaskRow.rs", ""), ["`TaskRow` is not snake_case"]);
        assert_eq!(problems("crates/a/src/task-row.rs", ""), ["`task-row` is not snake_case"]);
        assert_eq!(problems("web/src/TaskRow.tsx", ""), Vec::<String>::new());
    }

    #[test]
    fn vague_type_names_are_caught() {
        let text = "pub struct TaskManager;\nimpl tower::Service<R> for X {}\nenum Ok {}\n";
        let offences = check(&SourceFile::new("crates/a/src/task.rs", text));
        assert_eq!(offences.len(), 1);
        assert_eq!(offences[0].line, 1);
    }
}
