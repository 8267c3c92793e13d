//! Client methods for reviews and verdicts, merge trains with their checks, and conflicts between live branches.
//!
//! The methods keep no state. Pausing, resuming and quarantining are idempotent, so they can be repeated after a lost
//! answer.

mod check;
mod conflict;
mod merge_train;
mod review;

pub use crate::landing::check::CheckClient;
pub use crate::landing::conflict::ConflictClient;
pub use crate::landing::merge_train::MergeTrainClient;
pub use crate::landing::review::ReviewClient;
