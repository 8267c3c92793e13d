//! Client methods for reviews and verdicts, merge trains with their checks, and conflicts between live branches.
//!
//! The methods keep no state. Pausing, resuming and quarantining are idempotent, so they can be repeated after a lost
//! answer.

mod conflict;
mod merge_train;
mod review;
