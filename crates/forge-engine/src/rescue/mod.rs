//! What a person needs who looks after agents (T-22): who works, who is stuck, what failed, what was left; and how one run
//! is doing.

mod check;
mod pulse;

pub use check::{AgentsCheck, Finding};
pub use pulse::Pulse;
