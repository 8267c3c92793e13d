//! Conversions of projects, repositories and workflows.
//!
//! Pure functions; nothing is stored. A workflow definition is read field by field, so that one answer reports all
//! its mistakes.

pub(crate) mod project;
pub(crate) mod project_settings;
pub(crate) mod repo;
pub(crate) mod webhook;
pub(crate) mod workflow;
pub(crate) mod workflow_request;
