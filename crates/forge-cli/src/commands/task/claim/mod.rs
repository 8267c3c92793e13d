//! Claiming a task: for an agent, which starts, or for the user. One request; an interrupted command leaves the task
//! claimed or not.

mod claim_options;
mod duration;
mod task_claim;

use crate::commands::task::claim::claim_options::ClaimOptions;
pub(crate) use crate::commands::task::claim::task_claim::TaskClaimArgs;
