//! Checkouts of a branch, the user's included (M-7): listing, checking whether a fast-forward would touch local work,
//! locking, and following a moved branch.
//!
//! States of a fast-forward: checked on a copy of the index → index locked → move recorded → branch moved → files
//! written → index replaced → record cleared.
//!
//! Crash: before the branch moves only a lock is left, which the next attempt takes over. After it, the record makes
//! `finish_checkouts` write the missing files and the index, file by file; files that the user changed meanwhile stay
//! and show as unstaged differences. `check_indexes` finds an index that lacks commits of its branch although no move
//! is recorded.

pub(crate) mod checkout_list;
pub(crate) mod fast_forward;
mod finish_checkout;
pub(crate) mod locked_checkout;
