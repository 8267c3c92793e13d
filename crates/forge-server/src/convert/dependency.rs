//! What a task waits for (T-16).

use forge_api::Dependency;
use forge_domain::TaskId;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Standing;

use super::phase::phase;

/// The edge from a task to another as clients see it.
pub(crate) fn dependency(task: TaskId, other: &Snapshot) -> Dependency {
    Dependency {
        task_id: task.uuid(),
        depends_on_id: other.id.uuid(),
        status: other.state.to_string(),
        phase: phase(other.phase),
        satisfied: other.standing == Standing::Succeeded,
    }
}
