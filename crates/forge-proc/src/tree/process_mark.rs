use std::path::Path;

use serde::{Deserialize, Serialize};

/// The environment variable that carries a [`ProcessMark`].
pub(crate) const VARIABLE: &str = "FORGE_MARK";

const LONGEST_MARK: usize = 64;

/// The label of one process tree. Each descendant inherits it through `FORGE_MARK`, so a descendant that left the
/// session and lost its parent can still be found.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProcessMark(String);

/// A text that cannot be a [`ProcessMark`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a process mark: use 1 to {LONGEST_MARK} of the characters A-Z a-z 0-9 . _ -"
)]
pub struct MarkError {
    text: String,
}

impl ProcessMark {
    /// Checks and wraps an id.
    pub fn new(text: impl Into<String>) -> Result<Self, MarkError> {
        let text = text.into();
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if text.is_empty() || text.len() > LONGEST_MARK || !text.bytes().all(allowed) {
            return Err(MarkError { text });
        }
        Ok(Self(text))
    }

    /// The mark of processes that git starts for the server with this data directory.
    pub fn of_git(node: u128, data: &Path) -> Self {
        Self(format!("git-{node:032x}-{:016x}", fnv(data.as_os_str().as_encoded_bytes())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A distinct mark for one of many programs that are started under this one.
    pub fn numbered(&self, number: u64) -> Result<Self, MarkError> {
        Self::new(format!("{}.{number}", self.0))
    }

    /// Whether a raw `/proc/<pid>/environ` holds exactly this mark.
    pub(crate) fn is_in(&self, environ: &[u8]) -> bool {
        marks_in(environ).any(|value| value == self.0.as_bytes())
    }

    /// Whether a raw `/proc/<pid>/environ` holds a numbered mark of this one.
    pub(crate) fn is_numbered_in(&self, environ: &[u8]) -> bool {
        marks_in(environ).any(|value| {
            let number = value.strip_prefix(self.0.as_bytes());
            let number = number.and_then(|rest| rest.strip_prefix(b"."));
            number.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
        })
    }
}

/// FNV-1a: the number must be the same after a restart with another build.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The marks in an environment.
fn marks_in(environ: &[u8]) -> impl Iterator<Item = &[u8]> {
    environ.split(|byte| *byte == 0).filter_map(|entry| {
        entry.strip_prefix(VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
    })
}

impl std::fmt::Display for ProcessMark {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for ProcessMark {
    type Error = MarkError;

    fn try_from(text: String) -> Result<Self, MarkError> {
        Self::new(text)
    }
}

impl From<ProcessMark> for String {
    fn from(mark: ProcessMark) -> Self {
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
            assert!(ProcessMark::new(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "a=b", "ü", "a\n", "a\0", &"m".repeat(65)] {
            assert!(ProcessMark::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn e_4_a_mark_is_matched_as_a_whole_entry() {
        let mark = ProcessMark::new("run-1").expect("a plain id");
        assert!(mark.is_in(b"PATH=/bin\0FORGE_MARK=run-1\0"));
        assert!(!mark.is_in(b"FORGE_MARK=run-10\0"));
        assert!(!mark.is_in(b"XFORGE_MARK=run-1\0"));
        assert!(!mark.is_in(b"NOTE=FORGE_MARK=run-1\0"));
    }

    #[test]
    fn w_19_numbered_marks_belong_to_the_one_they_were_made_from() {
        let mark = ProcessMark::new("git-1").expect("a plain id");
        let numbered = mark.numbered(7).expect("a plain id");
        let environ = format!("FORGE_MARK={numbered}\0");
        assert!(numbered.is_in(environ.as_bytes()) && mark.is_numbered_in(environ.as_bytes()));
        assert!(!mark.is_numbered_in(b"FORGE_MARK=git-10.7\0"));
        assert!(!mark.is_numbered_in(b"FORGE_MARK=git-1\0"));
    }
}
