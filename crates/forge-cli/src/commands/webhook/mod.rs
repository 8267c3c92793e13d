//! `forge webhook`: post the events of a project to a URL.
//!
//! Each action sends requests to the server and prints the answer; the client stores nothing. The secret of a new webhook
//! is printed once.

pub(crate) mod add;
pub(crate) mod deliveries;
pub(crate) mod edit;
pub(crate) mod event_types;
pub(crate) mod webhook_subcommand;
pub(crate) mod webhook_target;
pub(crate) mod webhook_view;
