//! Remote repositories: credentials and their order (M-15), tokens encrypted at rest, the server's settings of remote
//! hosts, fetches before claims, and one push at a time per repository.
//!
//! Crash: the key file appears by a hard link, whole or not at all. Fetches and push locks are in memory; a fetch is
//! simply repeated.

pub(crate) mod access;
pub(crate) mod host_resolver;
pub(crate) mod push_locks;
pub(crate) mod remote_fetches;
pub(crate) mod remote_settings;
pub(crate) mod token_seal;

pub use crate::remote::host_resolver::{HostResolver, SystemResolver};
pub(crate) use crate::remote::push_locks::PushLocks;
pub use crate::remote::remote_settings::RemoteSettings;
pub(crate) use crate::remote::token_seal::{TokenSeal, TokenSealError};
