//! A worktree's files written by our own hands, on all cores: git writes them one after the other. Whatever is not plain
//! (conversions, submodules, another storage) is declined, with nothing said, and git does it. The way back, from changed
//! files to a tree, goes by the same rules.

mod assembly;
mod attributes;
mod commit;
mod contents;
mod declined;
mod difference;
mod draft;
mod gather;
mod index;
mod index_bytes;
mod interest;
mod laid;
mod lay_out;
mod listing;
mod objects;
mod plain_config;
mod plan;
mod stamp;
mod stock;
mod writer;

pub(crate) use commit::Commit;
pub use draft::Draft;
pub(crate) use draft::Prepared;
pub(crate) use gather::Changed;
pub(crate) use lay_out::{bring_forward, lay_out};
pub(crate) use objects::Objects;
pub(crate) use stock::Stock;
pub(crate) use writer::Pace;
