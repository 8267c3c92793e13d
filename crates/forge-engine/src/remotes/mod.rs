//! Repositories elsewhere: what opens them (M-15), and whose turn it is to push.

mod access;
mod pulls;
mod seal;
mod settings;
mod turns;

pub(crate) use seal::{Seal, SealError};
pub use settings::RemoteSettings;
pub(crate) use settings::installation_of;
pub(crate) use turns::Turns;
