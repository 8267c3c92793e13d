//! What the tests over HTTP share.
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "each test program uses a part of it"
)]

pub mod answer;
pub mod events;
pub mod person;
pub mod server;

pub use answer::Answer;
pub use events::Events;
pub use person::Person;
pub use server::TestServer;
