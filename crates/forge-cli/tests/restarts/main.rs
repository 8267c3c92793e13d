//! Ends of the real server with real agents at work: `kill -9`, a graceful stop, a second signal (E-12, E-13).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::disallowed_methods,
    reason = "these tests act as a user at a terminal: they start and kill the binary"
)]

mod database_away;
mod landing;
mod late_note;
mod names;
mod place;
mod steering;
mod stopping;
mod temporary_directory;
mod thirty;
mod under_load;
mod webhooks;
