//! Receipts for passed checks (M-5): valid for exactly one tree under exactly one set of checks.

use crate::ReviewId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Hash of the full configuration of the checks. Equal hashes mean equal checks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChecksHash(String);

impl ChecksHash {
    /// Wraps an existing hash.
    pub fn new(hash: impl Into<String>) -> Self {
        Self(hash.into())
    }

    /// The hash as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ChecksHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Key of a receipt within a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptKey {
    /// The tree that was checked.
    pub tree: String,
    pub checks: ChecksHash,
}

/// The run of checks whose results a review reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptOrigin {
    /// The review that ran the checks; `None` if the merge train ran them.
    pub review: Option<ReviewId>,
    /// Time at which they passed.
    pub at: Timestamp,
}
