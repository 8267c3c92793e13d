//! Conversions of reviews, merge trains, pull requests, conflicts, and everything after a landing.
//!
//! Pure functions; nothing is stored. Entries of other projects in a merge train are converted without key and title.

pub(crate) mod conflict;
pub(crate) mod merge_train;
pub(crate) mod post_landing;
pub(crate) mod pull_request;
pub(crate) mod review;
