//! Landing: brings a reviewed branch into its target (M-6 to M-9), directly through a merge train or by a pull request.
//!
//! Read in this order: `land.rs` (the effect, and the checks before entry), `train/` (the order and the tests of
//! landings), `move_target.rs` (push, then compare-and-swap of the target) and `target_checkouts.rs` (the user's
//! checkouts follow). `pull_request/` replaces the train and the move in projects that land by pull requests.
//! `post_landing/` is the work after a landing.
//!
//! | state of a landing | recorded by | after a crash |
//! |---|---|---|
//! | checks before entry: git settings, dependencies, outside landings, receipt, reviewed head, reverted files | nothing | starts again |
//! | in its merge train | nothing (see `train/`) | enters a new train |
//! | target about to move | the journalled intent: target, old and new commit | looks for the new commit (see below) |
//! | target moved | the target itself | finishes the checkouts, reports |
//!
//! After a crash with a journalled intent, the effect looks for the new commit on the target branch, then on the
//! remote. If it is there, the task has landed: the effect finishes the checkouts and reports. If it is not, the
//! landing starts again.
//!
//! If an interrupted move left checkouts behind their branch, the next start (`checkout_repair.rs`) or the next landing
//! on that target brings them to it.

pub(crate) mod checkout_repair;
pub(crate) mod land;
pub(crate) mod move_target;
pub(crate) mod outside_landing;
pub(crate) mod post_landing;
pub(crate) mod publish;
pub(crate) mod pull_request;
pub(crate) mod reverted_landings;
pub(crate) mod target_checkouts;
pub(crate) mod train;
