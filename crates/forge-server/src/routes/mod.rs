//! The routes, one file per resource. Handlers parse, call the engine and convert; they make no decisions.
//!
//! Each file binds its handlers to actions of `forge_api::actions`, which declare path, method, name and scope.

mod account;
mod action_route;
mod admin;
mod execution;
mod landing;
mod missing_resource;
mod project;
mod router;
mod task;
mod workspace;

pub(crate) use crate::routes::router::{API, document, router};
