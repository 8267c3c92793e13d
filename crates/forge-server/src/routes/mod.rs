//! The routes, one file per resource. Handlers parse, call the engine and convert; they make no decisions.
//!
//! Paths in `#[utoipa::path]` are relative to [`API`].

mod account;
mod admin;
mod execution;
mod landing;
mod missing_resource;
mod project;
mod router;
mod task;
mod workspace;

pub(crate) use crate::routes::router::{API, document, router};
