use serde::{Deserialize, Serialize};

/// The environment variable that carries a [`Mark`].
pub(crate) const VARIABLE: &str = "FORGE_MARK";

const LONGEST: usize = 64;

/// The label of one process tree. Each descendant inherits it through `FORGE_MARK`, also one that left the session
/// and lost its parent, which is how it is found again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mark(String);

/// A text that cannot be a [`Mark`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no process mark: use 1 to {LONGEST} of the characters A-Z a-z 0-9 . _ -")]
pub struct MarkError {
    text: String,
}

impl Mark {
    /// Checks and wraps an id.
    pub fn new(text: impl Into<String>) -> Result<Self, MarkError> {
        let text = text.into();
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if text.is_empty() || text.len() > LONGEST || !text.bytes().all(allowed) {
            return Err(MarkError { text });
        }
        Ok(Self(text))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a raw `/proc/<pid>/environ` holds exactly this mark.
    pub(crate) fn is_in(&self, environ: &[u8]) -> bool {
        environ.split(|byte| *byte == 0).any(|entry| {
            entry
                .strip_prefix(VARIABLE.as_bytes())
                .and_then(|rest| rest.strip_prefix(b"="))
                .is_some_and(|value| value == self.0.as_bytes())
        })
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for Mark {
    type Error = MarkError;

    fn try_from(text: String) -> Result<Self, MarkError> {
        Self::new(text)
    }
}

impl From<Mark> for String {
    fn from(mark: Mark) -> Self {
        mark.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_4_only_plain_ids_are_marks() {
        for good in ["a", "0198f-7", "x.y_z", &"m".repeat(64)] {
            assert!(Mark::new(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "a=b", "ü", "a\n", "a\0", &"m".repeat(65)] {
            assert!(Mark::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn e_4_a_mark_is_matched_as_a_whole_entry() {
        let mark = Mark::new("run-1").expect("a plain id");
        assert!(mark.is_in(b"PATH=/bin\0FORGE_MARK=run-1\0"));
        assert!(!mark.is_in(b"FORGE_MARK=run-10\0"));
        assert!(!mark.is_in(b"XFORGE_MARK=run-1\0"));
        assert!(!mark.is_in(b"NOTE=FORGE_MARK=run-1\0"));
    }
}
