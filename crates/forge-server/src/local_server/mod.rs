//! The server as programs of the same user on the same machine find it: its address and its credential, in two files of
//! the data directory (docs/LOCAL.md).
//!
//! - `server.json` names the address and the process. It stays after the server's end, so that the next start can use
//!   the same port. It counts only while a server holds the lock of the data directory.
//! - `local-credential` holds a secret that signs in over loopback. Each start replaces it; the server keeps only its
//!   hash, in memory, so the secret of an ended server is worthless, also after a crash that left the file.
//!
//! Both files are readable by their owner only. They are neither written nor read where another user could replace
//! them.

mod local_sign_in;
mod private_file;
mod published_server;

pub use crate::local_server::local_sign_in::LocalCredential;
pub(crate) use crate::local_server::local_sign_in::is_from_this_machine;
pub use crate::local_server::private_file::PrivateFileError;
pub use crate::local_server::published_server::{
    LocalServer, LocalServerState, PublishedServer, find_local_server,
};
