//! The words that a search compares. Both engines get the same words, so that their own tokenizers (for paths, version
//! numbers, accented letters) cannot give different results.

use std::collections::BTreeSet;

use forge_domain::task::TaskSnapshot;

/// PostgreSQL accepts no word beyond 2,046 bytes. A longer one is found by its beginning.
const LONGEST_WORD: usize = 200;
/// PostgreSQL accepts no more than a megabyte of different words with their positions; this much text stays below.
const LONGEST_TEXT: usize = 256 * 1024;
/// Maximum number of words in a search.
const MOST_TYPED: usize = 32;
/// Length of the prefixes in the index; the same number as in `task_search`. Longer search words are compared with the
/// task itself.
const LONGEST_BEGINNING: usize = 16;

/// The words of a task.
pub(crate) fn of_task(task: &TaskSnapshot) -> String {
    of_text(&task.title, &task.description)
}

/// The words of a title and a description, lower-case, each followed by a space.
pub(crate) fn of_text(title: &str, description: &str) -> String {
    let mut text = String::new();
    for part in [title, description] {
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

/// The words of a search text, each once; empty if it contains no word.
pub(crate) fn search_words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words: BTreeSet<&str> = split(&text).take(MOST_TYPED).collect();
    words.into_iter().map(str::to_owned).collect()
}

/// Whether each wanted word is the beginning of a word of the task.
pub(crate) fn has_all(words: &str, wanted: &[String]) -> bool {
    wanted.iter().all(|wanted| words.split(' ').any(|word| word.starts_with(wanted.as_str())))
}

/// The longest prefix of a word that the index contains.
pub(crate) fn indexed_beginning(word: &str) -> &str {
    word.char_indices().nth(LONGEST_BEGINNING).and_then(|(end, _)| word.get(..end)).unwrap_or(word)
}

/// All prefixes of a word that the index contains.
pub(crate) fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(1).map(|(end, _)| end).chain([word.len()]);
    ends.take(LONGEST_BEGINNING).filter_map(|end| word.get(..end))
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.get(..word.floor_char_boundary(LONGEST_WORD)).unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_2_a_word_is_indexed_by_its_beginnings() {
        let all = |word| beginnings(word).collect::<Vec<_>>();
        assert_eq!(all("form"), ["f", "fo", "for", "form"]);
        assert_eq!(all("éa"), ["é", "éa"]);
        let long = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(all(long).last(), Some(&"abcdefghijklmnop"));
        assert_eq!(indexed_beginning(long), "abcdefghijklmnop");
        assert_eq!(indexed_beginning("form"), "form");
    }

    #[test]
    fn t_2_every_typed_word_must_begin_a_word() {
        let words = of_text("Fix the Login-form", "See v1.20");
        assert_eq!(words, "fix the login form see v1 20 ");
        assert!(has_all(&words, &search_words("LOG fi 2")));
        assert!(!has_all(&words, &search_words("log in")));
        assert!(search_words(" -- ").is_empty());
    }
}
