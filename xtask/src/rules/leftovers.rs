//! What is not done is an issue, not a comment; a test that does not run is not a test.

use crate::offence::Offence;
use crate::rust_source::{RustSource, Token};
use crate::source_file::{Language, SourceFile};

/// In two halves, as below, so that this file passes the rules itself.
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

const UNFINISHED: [&str; 2] = [concat!("to", "do"), "unimplemented"];

const SWITCHES: [&str; 4] = ["skip", "only", concat!("to", "do"), "fixme"];

/// No marks for later, no unfinished code, no switched-off test.
pub fn check(file: &SourceFile) -> Vec<Offence> {
    if file.is_generated() || file.path().ends_with(".md") {
        return Vec::new();
    }
    let mut offences = marks(file);
    match file.language() {
        Language::Rust => match RustSource::parse(file) {
            Ok(source) => offences.extend(unfinished(file, source.tokens())),
            Err(offence) => offences.push(offence),
        },
        Language::TypeScript => offences.extend(switched_off(file)),
        Language::Other => {}
    }
    offences
}

fn marks(file: &SourceFile) -> Vec<Offence> {
    let mend = "do it now, or open an issue and say in the code how things are today";
    let words = |line: &str, mark: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == mark)
    };
    file.numbered_lines()
        .flat_map(|(number, line)| {
            MARKS.iter().filter(move |mark| words(line, mark)).map(move |mark| (number, mark))
        })
        .map(|(number, mark)| Offence::new(file.path(), number, format!("{mark} left"), mend))
        .collect()
}

fn unfinished(file: &SourceFile, tokens: &[Token]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for window in tokens.windows(3) {
        let [first, second, third] = window else {
            continue;
        };
        if first.is("#") && second.is("[") && third.is("ignore") {
            offences.push(Offence::new(
                file.path(),
                third.line,
                "an ignored test",
                "make it pass or delete it; what needs a machine part is started by the test",
            ));
        }
        if second.is("!") && UNFINISHED.iter().any(|name| first.is(name)) {
            offences.push(Offence::new(
                file.path(),
                first.line,
                format!("{}! left", first.text),
                "write it, or return a typed error that says what is not possible",
            ));
        }
    }
    offences
}

fn switched_off(file: &SourceFile) -> Vec<Offence> {
    let mend = "let every test run: make it pass or delete it";
    let call = |line: &str| {
        ["it", "test", "describe"].iter().find_map(|function| {
            SWITCHES
                .iter()
                .map(|switch| format!("{function}.{switch}("))
                .find(|call| line.trim_start().starts_with(call.as_str()))
        })
    };
    file.numbered_lines()
        .filter_map(|(number, line)| call(line).map(|call| (number, call)))
        .map(|(number, call)| Offence::new(file.path(), number, format!("{call}…)"), mend))
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
    fn marks_for_later_are_caught_everywhere() {
        for mark in MARKS {
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
    fn switched_off_tests_are_caught() {
        let rust = "#[test]\n#[ignore = \"slow\"]\nfn a() {}\n";
        assert_eq!(problems("crates/a/tests/a.rs", rust), ["2 an ignored test"]);
        let web = "test('a', () => {});\n  it.skip('b', () => {});\ntest.only('c', () => {});\n";
        assert_eq!(problems("web/src/a.test.ts", web), ["2 it.skip(…)", "3 test.only(…)"]);
    }
}
