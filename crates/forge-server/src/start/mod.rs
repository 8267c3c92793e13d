//! From settings to a running server, and back to silence.

mod errors;
mod first_run;
mod opening;
mod server;

pub use errors::StartError;
pub(crate) use first_run::FIRST_ADMIN;
pub use opening::start;
pub use server::Server;
