use serde::{Deserialize, Serialize};

const HEADS_PREFIX: &str = "refs/heads/";
// A reference is a file, and git writes `<ref>.lock` beside it; file names end at 255 bytes.
const MAX_COMPONENT_BYTES: usize = 250;
const MAX_NAME_BYTES: usize = 1000;

/// The error for a name that git does not accept, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no valid {kind} name: {reason}")]
pub struct RefNameError {
    name: String,
    kind: &'static str,
    reason: &'static str,
}

/// A full reference name such as `refs/heads/main`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RefName(String);

/// A branch's short name such as `main` or `forge/12-fix`. It never begins with `-`, so no command can take it for an
/// option.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BranchName(String);

impl RefName {
    /// Checks a full name by git's rules; it must begin with `refs/`.
    pub fn new(name: impl Into<String>) -> Result<Self, RefNameError> {
        let name = name.into();
        let outcome = if name.starts_with("refs/") {
            find_violation(&name)
        } else {
            Some("it must begin with refs/")
        };
        match outcome {
            None => Ok(Self(name)),
            Some(reason) => Err(RefNameError { name, kind: "reference", reason }),
        }
    }

    /// The full name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The branch name, if the reference is a branch.
    pub fn branch(&self) -> Option<BranchName> {
        BranchName::new(self.0.strip_prefix(HEADS_PREFIX)?).ok()
    }
}

impl BranchName {
    /// Checks a short name by git's rules for branches.
    pub fn new(name: impl Into<String>) -> Result<Self, RefNameError> {
        let name = name.into();
        let outcome = if name.starts_with('-') {
            Some("it must not begin with -")
        } else if name == "HEAD" || name == "@" {
            Some("git means the current commit by it")
        } else {
            find_violation(&format!("{HEADS_PREFIX}{name}"))
        };
        match outcome {
            None => Ok(Self(name)),
            Some(reason) => Err(RefNameError { name, kind: "branch", reason }),
        }
    }

    /// The short name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The full name, `refs/heads/…`.
    pub(crate) fn to_ref(&self) -> RefName {
        RefName(format!("{HEADS_PREFIX}{}", self.0))
    }
}

/// The first of git's rules that a full name violates.
fn find_violation(name: &str) -> Option<&'static str> {
    let forbidden = |symbol: char| symbol.is_ascii_control() || " ~^:?*[\\".contains(symbol);
    if name.chars().any(forbidden) {
        return Some("spaces, control characters and ~ ^ : ? * [ \\ are not allowed");
    }
    if name.contains("..") || name.contains("@{") {
        return Some(".. and @{ are not allowed");
    }
    if name.ends_with('.') {
        return Some("it must not end with a dot");
    }
    if name.len() > MAX_NAME_BYTES {
        return Some("it is too long");
    }
    name.split('/').find_map(|component| {
        if component.is_empty() {
            Some("parts between slashes must not be empty")
        } else if component.starts_with('.') {
            Some("no part may begin with a dot")
        } else if component.ends_with(".lock") {
            Some("no part may end with .lock")
        } else if component.len() > MAX_COMPONENT_BYTES {
            Some("a part between slashes is too long")
        } else {
            None
        }
    })
}

macro_rules! text_conversions {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = RefNameError;

            fn try_from(text: String) -> Result<Self, RefNameError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }
    };
}

text_conversions!(RefName);
text_conversions!(BranchName);
