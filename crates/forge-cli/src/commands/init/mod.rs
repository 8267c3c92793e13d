//! `forge init`: finds or starts the server, signs in, registers the repository, and offers the installed agents.
//!
//! - With `--url`, `FORGE_URL`, `FORGE_TOKEN` or an earlier `forge login` it uses that server.
//! - Otherwise it uses the server of this user's data directory, and starts one if none runs. A lock in the data
//!   directory keeps two concurrent commands from starting two.
//!
//! Every step looks for its result first, so that repeating the command changes nothing, and continues what an
//! interrupted one has left: a server that runs, a token that is stored, a project without its repository.

mod agent_offer;
mod init_command;
mod init_server;
mod server_launch;
mod start_lock;

pub(crate) use crate::commands::init::init_command::InitArgs;
