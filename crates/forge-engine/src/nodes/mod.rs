//! The node: its data directory with id, locks and log files, owned by one process, and the probe of database and disk,
//! and copies of the embedded database.
//!
//! Crash: the kernel drops the locks of a dead process; the node id is written by a rename and is stable across restarts.

pub(crate) mod data_directory;
pub(crate) mod data_directory_owner;
pub(crate) mod database_backup;
pub(crate) mod storage_probe;
