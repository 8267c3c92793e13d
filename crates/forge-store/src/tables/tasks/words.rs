//! What a search looks at. Both engines are given the same words, so that their own ideas of what a word is (a path, a
//! version number, a letter with an accent) cannot make them answer differently.

use forge_domain::task::Snapshot;

/// PostgreSQL takes no word beyond 2,046 bytes. A longer one is found by its beginning.
const LONGEST_WORD: usize = 200;
/// PostgreSQL takes no more than a megabyte of different words with their positions; this much text cannot have that.
const LONGEST_TEXT: usize = 256 * 1024;
/// Nobody types more.
const MOST_TYPED: usize = 32;

/// The words of a task.
pub(super) fn of_task(task: &Snapshot) -> String {
    let mut text = String::new();
    for part in [&task.title, &task.description] {
        for word in split(&part.to_lowercase()) {
            if text.len() + word.len() >= LONGEST_TEXT {
                return text;
            }
            text.push_str(word);
            text.push(' ');
        }
    }
    text
}

/// The words that somebody looks for.
pub(super) fn typed(text: &str) -> String {
    let text = text.to_lowercase();
    let words: Vec<&str> = split(&text).take(MOST_TYPED).collect();
    words.join(" ")
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.get(..word.floor_char_boundary(LONGEST_WORD)).unwrap_or(word))
}
