//! HTTP: routes, events, sign-in, limits and the embedded pages. It parses, asks the engine and converts; it decides
//! nothing about tasks.
//!
//! From the outside in, a request meets: [`Listener`] (connections, header limits), [`dress`] (security headers,
//! metrics, request id, error shape, host and origin checks, panics), then a handler whose extractors
//! ([`Body`], [`Query`], [`Path`]) refuse what they do not understand with a [`Failure`].

mod app;
pub mod assets;
pub mod auth;
mod caller;
mod convert;
mod demo;
mod docs_page;
mod dress;
mod envelope;
mod events;
mod failure;
mod feed;
mod guard;
pub mod health;
mod input;
mod listen;
mod metrics;
pub mod openapi;
mod paging;
mod prefer;
mod refusal;
mod request_id;
mod routes;
pub mod settings;
mod site;
mod start;
mod waiting;

pub use app::App;
pub use caller::{Caller, Credential, Credentials};
pub use docs_page::docs_page;
pub use dress::{dress, unknown_path};
pub use events::{EventCursor, SentEvent, event_stream};
pub use failure::Failure;
pub use guard::Hosts;
pub use health::Readiness;
pub use input::{Body, Limits, OptionalBody, Path, Query};
pub use listen::{BindFailed, ConnectionLimits, Listener};
pub use metrics::{Metrics, MetricsUnavailable};
pub use request_id::RequestId;
pub use start::{Farewell, Server, StartError, start};
