//! The conflict radar: test merges of many branches with each other (M-14).
//!
//! The merges run in a scratch repository with its own object store, and only for pairs that could conflict at all.
//! `check_pairs` is the entry point: it loads merge bases and changed paths with a few git processes, skips pairs that
//! cannot conflict, takes known results from a cache and merges the rest in batches.
//!
//! The radar changes nothing in the repository. A crash leaves only a scratch directory, which the next call deletes.

mod check_pairs;
mod head_ancestry;
mod merge_side;
mod own_changes;
mod pair_merge;
mod pair_result;
mod pair_result_cache;
mod path_changes;
mod scratch_repo;

pub use crate::radar::check_pairs::{PairCheckStats, PairReport};
pub use crate::radar::pair_result::{MergeSide, PairResult};
pub use crate::radar::pair_result_cache::PairResultCache;
pub(crate) use crate::radar::scratch_repo::ScratchRepo;
