//! Dispatch: which agent takes which task, and why a task waits (E-10, E-11). Pure, like every other decision.

mod blocker;
mod conditions;
mod input;
mod plan;

pub use crate::dispatch::blocker::{DispatchBlocker, ResourceShortage};
pub use crate::dispatch::conditions::{AgentAvailability, ClaimConditions};
pub use crate::dispatch::input::{
    DispatchAgent, DispatchCandidate, DispatchInput, ProjectShare, TaskAssignment,
};
pub use crate::dispatch::plan::plan;
