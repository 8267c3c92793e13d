//! A typed client for Forge's HTTP API: one method per endpoint, one file per resource, and the event stream.
//!
//! A program pays only for what it uses: TLS is loaded only for `https` addresses, and the client connects with the
//! first call. The token never appears in an address, an error or debug output.

mod accounts;
mod admin;
mod api_call;
mod api_client;
mod credential;
mod error;
mod event;
mod executions;
mod landing;
mod paging;
mod projects;
mod server_url;
mod tasks;
mod workspaces;

pub use crate::api_client::ApiClient;
pub use crate::error::ClientError;
pub use crate::event::{EventStream, FrameSizeError, SseFrame, SseFrameReader};
pub use crate::paging::collect_pages;
pub use crate::server_url::{ServerUrl, ServerUrlError};
pub use crate::tasks::task::TransitionWait;
