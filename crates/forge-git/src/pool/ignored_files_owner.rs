use std::fmt::Display;

/// The owner of ignored files that may stay in a worktree when it returns to the pool. Only tasks of the same owner
/// get that worktree afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredFilesOwner(String);

impl IgnoredFilesOwner {
    /// The owner with this id.
    pub fn new(id: impl Display) -> Self {
        Self(id.to_string())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
