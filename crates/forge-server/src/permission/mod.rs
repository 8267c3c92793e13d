//! Permissions of members in their own projects, beyond the rules of tasks (S-6, docs/PERMISSIONS.md).
//!
//! Commands run as the server's user and directories are the server's, so a member defines neither unless an admin
//! allows it. The engine refuses what no project may access at all.

mod agents;
mod claim_overrides;
mod commands;
mod directories;
mod remotes;

pub(crate) use crate::permission::commands::CommandSet;
