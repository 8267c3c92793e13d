use serde::{Deserialize, Serialize};

/// The author or committer of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedIdentity")]
pub struct CommitIdentity {
    name: String,
    email: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedIdentity {
    name: String,
    email: String,
}

/// The error for a name or address that a commit cannot contain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} cannot be used in a commit: it must not be empty or contain < > or control characters"
)]
pub struct CommitIdentityError {
    text: String,
}

impl CommitIdentity {
    /// Checks and wraps a name and an address.
    pub fn new(
        name: impl Into<String>,
        email: impl Into<String>,
    ) -> Result<Self, CommitIdentityError> {
        let (name, email) = (name.into(), email.into());
        for text in [&name, &email] {
            // Git drops these silently at both ends, and would then find the name empty.
            let crud = |symbol: char| symbol.is_whitespace() || ".,:;\"\\'".contains(symbol);
            let broken = |symbol: char| symbol.is_control() || symbol == '<' || symbol == '>';
            if text.trim_matches(crud).is_empty() || text.chars().any(broken) {
                return Err(CommitIdentityError { text: text.clone() });
            }
        }
        Ok(Self { name, email })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The email address.
    pub fn email(&self) -> &str {
        &self.email
    }
}

impl TryFrom<UncheckedIdentity> for CommitIdentity {
    type Error = CommitIdentityError;

    fn try_from(unchecked: UncheckedIdentity) -> Result<Self, CommitIdentityError> {
        Self::new(unchecked.name, unchecked.email)
    }
}

/// The author, committer and time of a commit: the same values give the same commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitSignature {
    pub author: CommitIdentity,
    pub committer: CommitIdentity,
    /// The commit time, in seconds since 1970 (UTC).
    pub at: i64,
}
