//! Client methods for projects, their workflow, members, repositories and webhooks.
//!
//! Adding a remote repository waits for the clone. The server continues the clone if the client disconnects; a failed
//! clone leaves nothing.

mod member;
mod project;
mod repo;
mod webhook;

pub use crate::projects::member::MemberClient;
pub use crate::projects::project::ProjectClient;
pub use crate::projects::repo::RepoClient;
pub use crate::projects::webhook::WebhookClient;
