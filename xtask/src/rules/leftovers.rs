//! Open work belongs in an issue, not in a comment, and every test must run.

use crate::rule_violation::RuleViolation;
use crate::rust_source::{RustSource, SourceToken};
use crate::source_file::{SourceFile, SourceLanguage};

/// Split in two, so that this file passes the rules itself.
const LATER_MARKERS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

const UNFINISHED: [&str; 2] = [concat!("to", "do"), "unimplemented"];

const DISABLING_CALLS: [&str; 4] = ["skip", "only", concat!("to", "do"), "fixme"];

/// No markers for later, no unfinished code, no disabled test.
pub fn check(file: &SourceFile) -> Vec<RuleViolation> {
    if file.is_generated() || file.path().ends_with(".md") {
        return Vec::new();
    }
    let mut offences = find_markers(file);
    match file.language() {
        SourceLanguage::Rust => match RustSource::parse(file) {
            Ok(source) => offences.extend(find_unfinished(file, source.tokens())),
            Err(offence) => offences.push(offence),
        },
        SourceLanguage::TypeScript => offences.extend(find_disabled_tests(file)),
        SourceLanguage::Other => {}
    }
    offences
}

fn find_markers(file: &SourceFile) -> Vec<RuleViolation> {
    let mend = "do it now, or open an issue and describe the current behaviour in the comment";
    let words = |line: &str, mark: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == mark)
    };
    file.numbered_lines()
        .flat_map(|(number, line)| {
            LATER_MARKERS
                .iter()
                .filter(move |mark| words(line, mark))
                .map(move |mark| (number, mark))
        })
        .map(|(number, mark)| RuleViolation::new(file.path(), number, format!("{mark} left"), mend))
        .collect()
}

fn find_unfinished(file: &SourceFile, tokens: &[SourceToken]) -> Vec<RuleViolation> {
    let mut offences = Vec::new();
    for window in tokens.windows(3) {
        let [first, second, third] = window else {
            continue;
        };
        if first.is("#") && second.is("[") && third.is("ignore") {
            offences.push(RuleViolation::new(
                file.path(),
                third.line,
                "an ignored test",
                "make it pass or delete it; a test starts the services that it needs",
            ));
        }
        if second.is("!") && UNFINISHED.iter().any(|name| first.is(name)) {
            offences.push(RuleViolation::new(
                file.path(),
                first.line,
                format!("{}! left", first.text),
                "write it, or return a typed error",
            ));
        }
    }
    offences
}

fn find_disabled_tests(file: &SourceFile) -> Vec<RuleViolation> {
    let mend = "every test must run: make it pass or delete it";
    let call = |line: &str| {
        ["it", "test", "describe"].iter().find_map(|function| {
            DISABLING_CALLS
                .iter()
                .map(|switch| format!("{function}.{switch}("))
                .find(|call| line.trim_start().starts_with(call.as_str()))
        })
    };
    file.numbered_lines()
        .filter_map(|(number, line)| call(line).map(|call| (number, call)))
        .map(|(number, call)| RuleViolation::new(file.path(), number, format!("{call}…)"), mend))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        let offences = check(&SourceFile::new(path, text));
        offences.iter().map(|offence| format!("{} {}", offence.line, offence.problem)).collect()
    }

    #[test]
    fn markers_for_later_are_caught_everywhere() {
        for mark in LATER_MARKERS {
            let text = format!("first\n# {mark}: later\n{mark}LIST x{mark}\n");
            for path in ["scripts/test", "Makefile", "crates/a/migrations/0001_a.sql"] {
                assert_eq!(problems(path, &text), [format!("2 {mark} left")], "{path}");
            }
            let comment = format!("fn a() {{}} // {mark}\n");
            assert_eq!(problems("src/a.rs", &comment), [format!("1 {mark} left")]);
        }
    }

    #[test]
    fn unfinished_code_is_caught_and_text_about_it_is_not() {
        let text = "fn a() { todo!() }\nfn b() { unimplemented!(\"x\") }\n\
                    const C: &str = \"todo!()\"; // unimplemented!()\n";
        assert_eq!(problems("src/a.rs", text), ["1 todo! left", "2 unimplemented! left"]);
    }

    #[test]
    fn disabled_tests_are_caught() {
        let rust = "#[test]\n#[ignore = \"slow\"]\nfn a() {}\n";
        assert_eq!(problems("crates/a/tests/a.rs", rust), ["2 an ignored test"]);
        let web = "test('a', () => {});\n  it.skip('b', () => {});\ntest.only('c', () => {});\n";
        assert_eq!(problems("web/src/a.test.ts", web), ["2 it.skip(…)", "3 test.only(…)"]);
    }
}
