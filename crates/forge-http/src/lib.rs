//! Outgoing HTTP connections, plain or encrypted: the only place that chooses certificates and timeouts.

mod transport;

pub use transport::{CertificateError, HttpTransport, SendError};
