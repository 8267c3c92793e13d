//! Shared support of the tests over HTTP.
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

pub use answer::HttpAnswer;
pub use events::EventReader;
pub use person::TestUser;
pub use server::TestServer;
