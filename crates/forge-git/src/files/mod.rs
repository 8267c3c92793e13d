//! Reads and writes the files of worktrees without git, on all cores; git writes the files of a checkout one after the
//! other.
//!
//! Only plain files are supported. If a repository converts files, has submodules or uses another storage format, a
//! function returns `Unsupported` and the caller runs git instead. `TreeUpdate` writes changed files into a tree, with
//! the same limits.
//!
//! Crash: files are written before the index, and the index before the marker that the files are checked out. Without
//! the marker the next use checks out again. Objects without a reference are harmless.

mod attributes;
mod changed_files;
mod checkout_files;
mod checkout_plan;
mod file_writer;
mod index_bytes;
mod index_entry_stat;
mod new_commit;
mod object_database;
mod plain_config;
mod plain_index;
mod tree_difference;
mod tree_listing;
mod tree_update;
mod unsupported;

pub(crate) use crate::files::changed_files::find_changed_files;
pub(crate) use crate::files::checkout_files::{check_out_files, update_checkout};
pub(crate) use crate::files::file_writer::CheckoutPriority;
pub(crate) use crate::files::new_commit::NewCommit;
pub(crate) use crate::files::object_database::ObjectDatabase;
pub(crate) use crate::files::tree_update::TreeUpdate;
