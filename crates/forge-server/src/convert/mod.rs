//! Conversions between engine types and wire types. One file per resource, no decisions.

pub(crate) mod accounts;
pub(crate) mod admin;
pub(crate) mod event;
pub(crate) mod executions;
pub(crate) mod landing;
pub(crate) mod projects;
pub(crate) mod tasks;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod workspaces;
