//! What a passed check is good for (M-5): exactly this tree, under exactly these checks.

use crate::ReviewId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The hash of everything that is said about how a tree is checked. Two that are equal ask the same of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChecksHash(String);

impl ChecksHash {
    /// A hash that was made before.
    pub fn new(hash: impl Into<String>) -> Self {
        Self(hash.into())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ChecksHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a receipt is found by, within a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptKey {
    /// The tree that was checked.
    pub tree: String,
    /// By what.
    pub checks: ChecksHash,
}

/// The run whose results a review took over instead of running its checks once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptOrigin {
    /// The review that ran them; none if they ran on a trial of the merge train.
    pub review: Option<ReviewId>,
    /// When they passed.
    pub at: Timestamp,
}
