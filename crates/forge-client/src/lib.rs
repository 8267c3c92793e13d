//! A typed client for Forge's HTTP interface: one method per endpoint, a file per noun, and the event stream.
//!
//! What a program pays for it asked for: nothing about TLS is loaded unless the address is `https`, and a connection
//! is made with the first call. The token is in no address, no error and no debug output.

mod agent;
mod auth;
mod call;
mod client;
mod comment;
mod conflict;
mod credential;
mod demo;
mod dependency;
mod dispatch;
mod error;
mod event;
mod execution;
mod journal;
mod member;
mod paging;
mod project;
mod repo;
mod review;
mod server_url;
mod subtask;
mod system;
mod task;
mod token;
mod train;
mod upkeep;
mod usage;
mod user;
mod workspace;

pub use client::Client;
pub use error::ClientError;
pub use event::{EventStream, Frame, FrameReader, FrameTooLarge};
pub use paging::collect;
pub use server_url::{BadServerUrl, ServerUrl};
pub use task::Waiting;
