//! Connections and middleware: the listener with its limits, the share of connections per address, and the layers
//! around the routes (metrics, request id, error shape, security headers, host and origin checks, panics).
//!
//! A connection is accepted, served, and closed; once the server is told to stop, no connection is accepted, running
//! requests end within the grace time, and the rest is aborted. Nothing is stored; after a crash clients reconnect.

mod address_share;
pub(crate) mod envelope;
pub(crate) mod http_listener;
pub(crate) mod metrics;
pub(crate) mod middleware;
pub(crate) mod request_id;
