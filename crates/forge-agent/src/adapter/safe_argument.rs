//! Values from outside that become command-line arguments.

use serde::{Deserialize, Serialize};
use std::fmt;

const LONGEST_SAFE_ARGUMENT: usize = 256;

/// An argument that no program can mistake for an option or for several arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SafeArgument(String);

/// An argument that could be misread.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be used here: letters, digits and . _ - : / @ + are allowed, not beginning with -, \
     at most {LONGEST_SAFE_ARGUMENT} of them"
)]
pub struct SafeArgumentError(String);

impl SafeArgument {
    /// Validates the text.
    pub fn new(text: impl Into<String>) -> Result<Self, SafeArgumentError> {
        let text = text.into();
        let harmless = |c: char| c.is_ascii_alphanumeric() || "._-:/@+".contains(c);
        let fits = !text.is_empty() && text.len() <= LONGEST_SAFE_ARGUMENT;
        if fits && !text.starts_with('-') && text.chars().all(harmless) {
            return Ok(Self(text));
        }
        Err(SafeArgumentError(text.chars().take(LONGEST_SAFE_ARGUMENT).collect()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SafeArgument {
    type Error = SafeArgumentError;

    fn try_from(text: String) -> Result<Self, SafeArgumentError> {
        Self::new(text)
    }
}

impl From<SafeArgument> for String {
    fn from(word: SafeArgument) -> Self {
        word.0
    }
}

impl fmt::Display for SafeArgument {
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
            assert!(SafeArgument::new(good).is_ok(), "{good}");
        }
        let long = "x".repeat(LONGEST_SAFE_ARGUMENT + 1);
        for bad in ["", "-x", "--dangerously-skip-permissions", "a b", "a\nb", "a\0", "é", &long] {
            assert!(SafeArgument::new(bad).is_err(), "{bad:?}");
        }
    }
}
