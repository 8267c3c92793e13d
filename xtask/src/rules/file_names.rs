//! One noun per file: a name that fits anything is where everything ends up.

use crate::offence::Offence;
use crate::rust_source::{RustSource, Token};
use crate::source_file::{Language, SourceFile};

const VAGUE_WORDS: [&str; 10] = [
    "common", "helper", "helpers", "manager", "managers", "misc", "service", "services", "util",
    "utils",
];

const VAGUE_ENDINGS: [&str; 5] = ["Helper", "Manager", "Service", "Util", "Utils"];

const MEND: &str = "name it after the one noun that it holds";

/// Source files and directories are named after a noun, Rust ones in snake_case, and so are types.
pub fn check(file: &SourceFile) -> Vec<Offence> {
    match file.language() {
        Language::Other => Vec::new(),
        Language::TypeScript => check_path(file).into_iter().collect(),
        Language::Rust => {
            let mut offences: Vec<_> = check_path(file).into_iter().collect();
            offences.extend(check_case(file));
            offences.extend(check_types(file));
            offences
        }
    }
}

fn check_path(file: &SourceFile) -> Option<Offence> {
    let vague = file.path().split('/').find(|component| {
        let stem = component.split('.').next().unwrap_or(component);
        stem.split(['_', '-']).any(|word| VAGUE_WORDS.contains(&word.to_lowercase().as_str()))
    })?;
    let problem = format!("`{vague}` is a name that fits anything");
    Some(Offence::new(file.path(), 1, problem, MEND))
}

fn check_case(file: &SourceFile) -> Option<Offence> {
    let stem = file.file_name().trim_end_matches(".rs");
    let snake = stem.starts_with(|first: char| first.is_ascii_lowercase())
        && stem.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let problem = format!("`{stem}` is not snake_case");
    (!snake).then(|| Offence::new(file.path(), 1, problem, "rename the file"))
}

fn check_types(file: &SourceFile) -> Vec<Offence> {
    let Ok(source) = RustSource::parse(file) else {
        return Vec::new();
    };
    let vague_type = |window: &[Token]| match window {
        [keyword, name] if ["struct", "enum", "trait"].iter().any(|word| keyword.is(word)) => {
            let vague = VAGUE_ENDINGS.iter().any(|ending| name.text.ends_with(ending));
            let problem = format!("the type `{}` is named after no noun", name.text);
            vague.then(|| Offence::new(file.path(), name.line, problem, MEND))
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
