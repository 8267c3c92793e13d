//! Effects: durable rows that say what must be done to the world after a decision.
//!
//! States of a row: open (due at a time) → leased (node, fence, expiry) → finished or failed; a lease that expires
//! makes it due again. An effect is loaded once (`EffectContext`: lease, task, project, repository) and performed by a
//! feature (`EffectHandlers`). The executor leases due effects, performs each in its own task and commits the report
//! under the fence, so a late report of an earlier holder is refused. `EffectError` says what follows: `Transient`
//! retries with a delay and needs a person after eight failures in a row, `Waiting` retries without a limit,
//! `NeedsPerson` parks the task, `LeaseLost` reports nothing.
//!
//! Crash while an effect is performed: the lease expires, or the next start of the node releases it. The next attempt
//! reads the journalled intent, looks at the repository, the workspace or the process to see how far the last attempt
//! came, and finishes or repeats the work. If only the report was missing, it finds the work done.

pub(crate) mod effect_context;
pub(crate) mod effect_error;
pub(crate) mod effect_handlers;
pub(crate) mod effect_starter;
pub(crate) mod engine_tasks;
pub(crate) mod error_chain;
pub(crate) mod executor;
pub(crate) mod executor_loops;
pub(crate) mod faults;
pub(crate) mod held_effects;
pub(crate) mod lease;
pub(crate) mod process_owner;
pub(crate) mod process_registry;

pub(crate) use crate::effects::effect_context::EffectContext;
pub(crate) use crate::effects::effect_error::{EffectError, EffectOutcome};
pub(crate) use crate::effects::error_chain::ErrorChain;
pub(crate) use crate::effects::process_owner::{GRACE, process_mark};
