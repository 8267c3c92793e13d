//! Claiming a task: for an agent, which starts, or for the user; and creating and claiming in one command.
//!
//! An agent that is named like an installed agent program is added first if no agent has that name. Each step is one
//! request: an interrupted command leaves the agent or the task that it has created, and says so.

mod claim_options;
mod duration;
mod start_task;
mod task_claim;

pub(crate) use crate::commands::task::claim::claim_options::ClaimOptions;
pub(crate) use crate::commands::task::claim::start_task::start_new_task;
pub(crate) use crate::commands::task::claim::task_claim::TaskClaimArgs;
