//! How much a request body may ask of the server.

use std::time::Duration;

/// Part of the router's state: whoever reads a body has to say within which limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// How many arrays and objects may be inside each other.
    pub depth: usize,
    /// How long a client may take to send the body.
    pub body_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { body_bytes: 1024 * 1024, depth: 32, body_time: Duration::from_secs(30) }
    }
}
