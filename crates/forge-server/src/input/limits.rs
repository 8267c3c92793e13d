//! Limits of request bodies.

use std::time::Duration;

/// Part of the router's state, so that every extractor of a body has limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLimits {
    /// Maximum body size in bytes.
    pub body_bytes: usize,
    /// Maximum nesting depth of arrays and objects.
    pub depth: usize,
    /// Time limit for sending the body.
    pub body_time: Duration,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self { body_bytes: 1024 * 1024, depth: 32, body_time: Duration::from_secs(30) }
    }
}
