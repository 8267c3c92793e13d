//! Who takes what next, and why a task waits (E-10, E-11): pure, like every other decision.

mod market;
mod plan;
mod reason;
mod situation;

pub use market::{Assignment, Candidate, Market, Share, Worker};
pub use plan::plan;
pub use reason::{Lack, Reason};
pub use situation::{Contender, Situation};
