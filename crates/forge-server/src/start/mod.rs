//! From settings to a running server, and back to silence.

mod errors;
mod farewell;
mod first_run;
mod opening;
mod remotes;
mod server;

pub use errors::StartError;
pub use farewell::Farewell;
pub(crate) use first_run::FIRST_ADMIN;
pub use opening::start;
pub use server::Server;
