//! HTTP: routes, events, sign-in, limits and the embedded pages. The server parses, calls the engine and converts; it
//! makes no decisions about tasks.
//!
//! A request passes, from the outside in: [`HttpListener`] (connections, header limits), [`with_middleware`]
//! (security headers, metrics, request id, error shape, host and origin checks, panics), then a handler whose
//! extractors ([`JsonBody`], [`Query`], [`Path`]) refuse invalid input with an [`ApiError`].

mod app;
pub mod assets;
pub mod auth;
mod caller;
mod convert;
mod demo;
mod docs_page;
mod error;
mod guard;
pub mod health;
mod input;
pub mod local_server;
mod mcp;
pub mod openapi;
mod permission;
mod routes;
pub mod settings;
mod site;
mod start;
mod stream;
mod transport;
mod waiting;

pub use crate::app::AppState;
pub use crate::caller::{Caller, CallerCredential, CredentialCache};
pub use crate::docs_page::docs_page;
pub use crate::error::api_error::ApiError;
pub use crate::guard::AllowedHosts;
pub use crate::health::ReadinessState;
pub use crate::input::{BodyLimits, JsonBody, OptionalJsonBody, Path, Query};
pub use crate::start::{Server, ServerStartError, ShutdownNotice, start};
pub use crate::stream::sse::{EventCursor, SentEvent, event_stream};
pub use crate::stream::stream_memory::memory_releases;
pub use crate::transport::http_listener::{BindError, ConnectionLimits, HttpListener};
pub use crate::transport::metrics::{MetricsError, ServerMetrics};
pub use crate::transport::middleware::{unknown_path, with_middleware};
pub use crate::transport::request_id::RequestId;
