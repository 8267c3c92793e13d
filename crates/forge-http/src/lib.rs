//! Connections over which requests go out, plain or encrypted: the one place that chooses certificates and waits.

mod transport;

pub use transport::{NoCertificates, SendError, Transport};
