//! Boundaries between projects, also for admins (S-6): directories that belong to Forge or to another project, and hosts that only this
//! machine's network can reach. Pure checks: a crash leaves nothing.

pub(crate) mod host_addresses;
pub(crate) mod project_directories;

pub(crate) use crate::admin::boundary::project_directories::{
    resolve_path, used_by_another_project,
};

pub use crate::admin::boundary::host_addresses::{AddressRule, PrivateAddresses};
