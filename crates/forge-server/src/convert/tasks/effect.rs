//! Converts effects (M-1).

use forge_api::{EffectState, EffectView, LeaseView};
use forge_domain::Timestamp;
use forge_store::tables::effects::{EffectEnding, EffectRow};

use crate::convert::time::rfc3339;

/// Converts an effect row at a point in time.
pub(crate) fn effect(row: &EffectRow, now: Timestamp) -> EffectView {
    let lease = match (&row.lease_node, row.lease_until) {
        (Some(node), Some(until)) if row.open && until > now => {
            Some(LeaseView { node: node.clone(), until: rfc3339(until) })
        }
        _ => None,
    };
    let state = match row.ending {
        Some(EffectEnding::Finished) => EffectState::Done,
        Some(EffectEnding::Superseded) => EffectState::Cancelled,
        Some(EffectEnding::Failed) => EffectState::Failed,
        None if lease.is_some() => EffectState::Running,
        None => EffectState::Pending,
    };
    EffectView {
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
