//! Start and shutdown of the server.

mod errors;
mod first_run;
mod remotes;
mod server;
mod shutdown_notice;
mod startup;

pub use crate::start::errors::ServerStartError;
pub use crate::start::server::Server;
pub use crate::start::shutdown_notice::ShutdownNotice;
pub use crate::start::startup::start;
