use serde::{Deserialize, Serialize};

/// Who a commit names as author or committer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Person {
    name: String,
    email: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    name: String,
    email: String,
}

/// A name or address that cannot stand in a commit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} cannot stand in a commit: it must not be empty nor hold < > or control characters"
)]
pub struct PersonError {
    text: String,
}

impl Person {
    /// Checks and joins a name and an address.
    pub fn new(name: impl Into<String>, email: impl Into<String>) -> Result<Self, PersonError> {
        let (name, email) = (name.into(), email.into());
        for text in [&name, &email] {
            // Git drops these silently at the ends, and would then find the name empty.
            let crud = |symbol: char| symbol.is_whitespace() || ".,:;\"\\'".contains(symbol);
            let broken = |symbol: char| symbol.is_control() || symbol == '<' || symbol == '>';
            if text.trim_matches(crud).is_empty() || text.chars().any(broken) {
                return Err(PersonError { text: text.clone() });
            }
        }
        Ok(Self { name, email })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address.
    pub fn email(&self) -> &str {
        &self.email
    }
}

impl TryFrom<Unchecked> for Person {
    type Error = PersonError;

    fn try_from(unchecked: Unchecked) -> Result<Self, PersonError> {
        Self::new(unchecked.name, unchecked.email)
    }
}

/// Everything about a commit but its content: same values, same commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Who wrote it.
    pub author: Person,
    /// Who recorded it.
    pub committer: Person,
    /// When, in seconds since 1970 (UTC).
    pub at: i64,
}
