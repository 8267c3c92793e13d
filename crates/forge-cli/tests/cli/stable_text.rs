//! Output without what differs between two runs. Replacements keep the width, so that tables stay aligned.

use std::path::Path;

/// Replaces times, commits and identifiers.
pub(crate) fn stable_text(text: &str) -> String {
    let text = mask(text, "dddd-dd-dd dd:dd:dd", "2026-01-02 03:04:05");
    let text =
        mask(&text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "01900000-0000-7000-8000-000000000012");
    mask(&text, "xxxxxxxxxx", "0123456789")
}

/// The same for text with paths below this directory.
pub(crate) fn stable_paths(text: &str, home: &Path) -> String {
    let text = text.replace(home.to_str().expect("UTF-8"), "HOME");
    // The directory of a workspace ends with a part of the task's identifier.
    stable_text(&mask(&text, "xxxxxxxx", "89abcdef"))
}

/// The same for a table with paths, whose columns are as wide as the directory of the test: without the alignment.
pub(crate) fn stable_table(text: &str, home: &Path) -> String {
    let text = stable_paths(text, home);
    let rows = text.lines().map(|line| {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join(" | ") + "\n"
    });
    rows.collect()
}

/// Replaces each word of the pattern: `d` is a decimal digit, `x` a hexadecimal one.
fn mask(text: &str, pattern: &str, replacement: &str) -> String {
    let text: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let mut masked = String::new();
    let mut from = 0;
    while from < text.len() {
        let word = text.get(from..from + pattern.len());
        let before = from.checked_sub(1).map(|before| text[before]);
        let after = text.get(from + pattern.len());
        let is_word = !before.is_some_and(char::is_alphanumeric)
            && !after.is_some_and(|after| after.is_alphanumeric());
        if is_word && word.is_some_and(|word| fits(word, &pattern)) {
            masked.push_str(replacement);
            from += pattern.len();
        } else {
            masked.push(text[from]);
            from += 1;
        }
    }
    masked
}

fn fits(word: &[char], pattern: &[char]) -> bool {
    word.iter().zip(pattern).all(|(found, wanted)| match wanted {
        'd' => found.is_ascii_digit(),
        'x' => found.is_ascii_hexdigit(),
        wanted => found == wanted,
    })
}

#[test]
fn times_commits_and_identifiers_are_replaced() {
    let text = "at 2031-12-11 10:09:08, 0a1b2c3d4e is 0192f3a4-aaaa-7bbb-8ccc-0123456789ab; abcdefabcdefa stays";
    let stable = "at 2026-01-02 03:04:05, 0123456789 is 01900000-0000-7000-8000-000000000012; abcdefabcdefa stays";
    assert_eq!(stable_text(text), stable);
}
