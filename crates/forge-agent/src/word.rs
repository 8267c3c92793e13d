//! Words from outside that become part of a command line.

use serde::{Deserialize, Serialize};
use std::fmt;

const LONGEST: usize = 256;

/// A word that no program can take for an option, nor for more than one word.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Word(String);

/// A word that could be misread.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be used here: letters, digits and . _ - : / @ + are allowed, not beginning with -, \
     at most {LONGEST} of them"
)]
pub struct WordError(String);

impl Word {
    /// Checks a word.
    pub fn new(text: impl Into<String>) -> Result<Self, WordError> {
        let text = text.into();
        let harmless = |c: char| c.is_ascii_alphanumeric() || "._-:/@+".contains(c);
        let fits = !text.is_empty() && text.len() <= LONGEST;
        if fits && !text.starts_with('-') && text.chars().all(harmless) {
            return Ok(Self(text));
        }
        Err(WordError(text.chars().take(LONGEST).collect()))
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Word {
    type Error = WordError;

    fn try_from(text: String) -> Result<Self, WordError> {
        Self::new(text)
    }
}

impl From<Word> for String {
    fn from(word: Word) -> Self {
        word.0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn e_7_a_session_id_is_never_an_option() {
        for good in ["0199a213-81c0-7800-8aa1-bbab2a035a53", "ses_4f", "20251108_1", "gpt-5.1:high"]
        {
            assert!(Word::new(good).is_ok(), "{good}");
        }
        let long = "x".repeat(LONGEST + 1);
        for bad in ["", "-x", "--dangerously-skip-permissions", "a b", "a\nb", "a\0", "é", &long] {
            assert!(Word::new(bad).is_err(), "{bad:?}");
        }
    }
}
