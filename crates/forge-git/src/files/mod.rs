//! A worktree's files written by our own hands, on all cores: git writes them one after the other. Whatever is not plain
//! (conversions, submodules, another storage) is declined, with nothing said, and git does it. The way back, from changed
//! files to a tree, goes by the same rules.

mod attributes;
mod changed_files;
mod commit;
mod declined;
mod difference;
mod gather;
mod index;
mod index_bytes;
mod lay_out;
mod listing;
mod objects;
mod plain_config;
mod plan;
mod stamp;
mod writer;

pub(crate) use crate::files::changed_files::find_changed_files;
pub(crate) use crate::files::commit::Commit;
pub(crate) use crate::files::gather::Changed;
pub(crate) use crate::files::lay_out::{bring_forward, lay_out};
pub(crate) use crate::files::objects::Objects;
pub(crate) use writer::Pace;
