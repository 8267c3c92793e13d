use std::fmt::Display;

/// Whose ignored files may stay in a worktree that goes back into the pool. Nobody else gets that worktree afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeper(String);

impl Keeper {
    /// The keeper of this identity.
    pub fn new(id: impl Display) -> Self {
        Self(id.to_string())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
