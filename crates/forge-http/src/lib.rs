//! Outgoing HTTP connections of the whole workspace, plain or encrypted: to a server by its name, or only to addresses
//! that the caller has checked.

mod connections;
mod pinned_addresses;

pub use crate::connections::{
    Connections, EncryptionSettings, NoCertificatesError, PinnedConnections, open_connections,
    open_pinned_connections,
};
pub use crate::pinned_addresses::PinnedAddresses;
