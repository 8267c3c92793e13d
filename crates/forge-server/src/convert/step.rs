//! Durable steps (M-1).

use forge_api::{Lease, Step, StepState};
use forge_domain::Timestamp;
use forge_store::tables::effects::{EffectEnding, EffectRow};

use super::time::rfc3339;

/// A step as clients see it at a point in time.
pub(crate) fn step(row: &EffectRow, now: Timestamp) -> Step {
    let lease = match (&row.lease_node, row.lease_until) {
        (Some(node), Some(until)) if row.open && until > now => {
            Some(Lease { node: node.clone(), until: rfc3339(until) })
        }
        _ => None,
    };
    let state = match row.ending {
        Some(EffectEnding::Finished) => StepState::Done,
        Some(EffectEnding::Superseded) => StepState::Cancelled,
        Some(EffectEnding::Failed) => StepState::Failed,
        None if lease.is_some() => StepState::Running,
        None => StepState::Pending,
    };
    Step {
        id: row.id.uuid(),
        task_id: row.task_id.uuid(),
        kind: row.effect.name().to_owned(),
        state,
        attempts: row.attempts,
        not_before: row.open.then(|| rfc3339(row.not_before)),
        lease,
        last_error: row.last_error.clone(),
        created_at: rfc3339(row.created_at),
        finished_at: row.finished_at.map(rfc3339),
    }
}
