//! P-7: no code depends on the name of a workflow state, so no source file may contain one.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::rule_violation::RuleViolation;
use crate::rust_source::{RustSource, TokenKind};
use crate::source_file::{SourceFile, SourceLanguage};

/// The default workflow, relative to the workspace root.
pub const DEFAULT_WORKFLOW: &str = "crates/forge-domain/workflows/default.toml";

const FIX: &str = "decide by the state's kind, edges or phase; an enum on the wire gets its names \
                    from `rename_all`";

/// Why the state names could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StateNamesError {
    /// The file does not exist.
    #[error("{DEFAULT_WORKFLOW} does not exist; the rule about state names reads them from it")]
    Missing,
    /// The file is not a valid workflow.
    #[error("{DEFAULT_WORKFLOW} has no readable [[state]] tables: {0}")]
    Unreadable(#[from] toml::de::Error),
    /// A workflow without states would make the rule accept everything.
    #[error("{DEFAULT_WORKFLOW} has no [[state]] tables; give it some")]
    Empty,
}

#[derive(Deserialize)]
struct WorkflowFile {
    #[serde(default)]
    state: Vec<WorkflowFileState>,
}

#[derive(Deserialize)]
struct WorkflowFileState {
    name: String,
}

/// The names of the default workflow's states.
#[derive(Debug)]
pub struct StateNames(BTreeSet<String>);

impl StateNames {
    /// Reads the names from a workflow file's text.
    pub fn parse(text: &str) -> Result<Self, StateNamesError> {
        let workflow: WorkflowFile = toml::from_str(text)?;
        if workflow.state.is_empty() {
            return Err(StateNamesError::Empty);
        }
        Ok(Self(workflow.state.into_iter().map(|state| state.name).collect()))
    }

    /// Reads the names from the tree's default workflow.
    pub fn find(files: &[SourceFile]) -> Result<Self, StateNamesError> {
        let file = files.iter().find(|file| file.path() == DEFAULT_WORKFLOW);
        Self::parse(file.ok_or(StateNamesError::Missing)?.text())
    }
}

/// No string literal outside tests equals a state's name.
pub fn check(files: &[SourceFile], names: &StateNames) -> Vec<RuleViolation> {
    let test_places: Vec<String> = files.iter().flat_map(test_paths).collect();
    let is_test = |file: &SourceFile| {
        let path = file.path();
        file.is_test() || test_places.iter().any(|place| path.starts_with(place.as_str()))
    };
    files
        .iter()
        .filter(|file| !file.is_generated() && !is_test(file))
        .flat_map(|file| match file.language() {
            SourceLanguage::Rust => check_rust(file, names),
            SourceLanguage::TypeScript => check_type_script(file, names),
            SourceLanguage::Other => Vec::new(),
        })
        .collect()
}

/// The files of `#[cfg(test)] mod name;`: `name.rs` and all files in `name/`.
fn test_paths(file: &SourceFile) -> Vec<String> {
    if file.language() != SourceLanguage::Rust {
        return Vec::new();
    }
    let Ok(source) = RustSource::parse(file) else {
        return Vec::new();
    };
    let directory = match file.file_name() {
        "lib.rs" | "main.rs" | "mod.rs" => file.path().trim_end_matches(file.file_name()),
        _ => file.path().trim_end_matches(".rs"),
    };
    let directory = directory.trim_end_matches('/');
    let places = source
        .test_modules()
        .into_iter()
        .flat_map(|name| [format!("{directory}/{name}.rs"), format!("{directory}/{name}/")]);
    places.collect()
}

fn check_rust(file: &SourceFile, names: &StateNames) -> Vec<RuleViolation> {
    let Ok(source) = RustSource::parse(file) else {
        return Vec::new();
    };
    let literals =
        source.tokens().iter().filter(|token| token.kind == TokenKind::Literal && !token.in_test);
    literals
        .filter_map(|token| {
            let name = string_content(&token.text)?;
            names.0.contains(name).then(|| violation(file, token.line, name))
        })
        .collect()
}

/// The content of a string, raw string or byte string literal. Escapes stay: no name contains one.
fn string_content(literal: &str) -> Option<&str> {
    let quoted = literal.trim_start_matches(['b', 'c', 'r']).trim_matches('#');
    quoted.strip_prefix('"')?.strip_suffix('"')
}

/// Works by line and not by token: an apostrophe in JSX text opens no string, and a quoted name is clear enough.
fn check_type_script(file: &SourceFile, names: &StateNames) -> Vec<RuleViolation> {
    let mut offences = Vec::new();
    for (number, line) in file.numbered_lines() {
        let code = line.trim_start();
        if code.starts_with("//") || code.starts_with('*') || code.starts_with("/*") {
            continue;
        }
        let spelled = names.0.iter().filter(|name| {
            ['"', '\'', '`'].iter().any(|quote| code.contains(&format!("{quote}{name}{quote}")))
        });
        offences.extend(spelled.map(|name| violation(file, number, name)));
    }
    offences
}

fn violation(file: &SourceFile, line: usize, name: &str) -> RuleViolation {
    let problem = format!("\"{name}\" is the name of a state of the default workflow (P-7)");
    RuleViolation::new(file.path(), line, problem, FIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> StateNames {
        StateNames::parse("[[state]]\nname = \"done\"\n[[state]]\nname = \"in_progress\"\n")
            .expect("two states")
    }

    fn lines(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let files: Vec<_> =
            files.iter().map(|(path, text)| SourceFile::new(*path, *text)).collect();
        let offences = check(&files, &names());
        offences.into_iter().map(|offence| (offence.path, offence.line)).collect()
    }

    #[test]
    fn p_7_a_state_name_in_rust_is_caught() {
        let text = "// \"done\"\nconst A: &str = \"done\";\nfn b() { c!(r#\"in_progress\"#) }\n\
                    #[serde(rename = \"done\")]\nstruct D;\nconst E: &[u8] = b\"done\";\n\
                    const F: &str = \"done it\";\n#[cfg(test)]\nmod t { const G: &str = \"done\"; }\n";
        let found = lines(&[("crates/a/src/x.rs", text)]);
        assert_eq!(found.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [2, 3, 4, 6]);
    }

    #[test]
    fn p_7_a_state_name_in_the_web_is_caught() {
        let text = "// 'done'\nif (s === 'done') {}\nconst a = \"in_progress\";\nconst b = `done`;\n\
                    <p>It's done, isn't it</p>\n";
        let found = lines(&[("web/src/x.tsx", text)]);
        assert_eq!(found.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [2, 3, 4]);
    }

    #[test]
    fn p_7_tests_and_generated_files_may_name_states() {
        let spelled = "const A: &str = \"done\";";
        let found = lines(&[
            ("crates/a/tests/x.rs", spelled),
            ("crates/a/src/lib.rs", "#[cfg(test)]\nmod fixtures;\n"),
            ("crates/a/src/fixtures.rs", spelled),
            ("crates/a/src/task.rs", "#[cfg(test)]\nmod cases;\n"),
            ("crates/a/src/task/cases.rs", spelled),
            ("web/src/api/schema.ts", "'done'"),
            ("web/src/x.test.ts", "'done'"),
            ("crates/a/src/cases.rs", spelled),
        ]);
        assert_eq!(found, [("crates/a/src/cases.rs".to_owned(), 1)]);
    }

    #[test]
    fn a_workflow_without_states_is_refused() {
        assert!(matches!(StateNames::parse(""), Err(StateNamesError::Empty)));
        assert!(matches!(StateNames::parse("["), Err(StateNamesError::Unreadable(_))));
        assert!(matches!(StateNames::find(&[]), Err(StateNamesError::Missing)));
    }
}
