//! Ends of the real server with real agents at work: `kill -9`, a stop in order, a second signal (E-12, E-13).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::disallowed_methods,
    reason = "these tests are the person at the terminal: they start and kill the binary"
)]

mod landing;
mod names;
mod place;
mod steering;
mod stopping;
mod thirty;
