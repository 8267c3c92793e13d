//! Converts dependencies between tasks (T-16).

use forge_api::TaskDependency;
use forge_domain::TaskId;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;

use crate::convert::tasks::task_phase::phase;

/// Converts the dependency of a task on another.
pub(crate) fn dependency(task: TaskId, other: &TaskSnapshot) -> TaskDependency {
    TaskDependency {
        task_id: task.uuid(),
        depends_on_id: other.id.uuid(),
        status: other.state.to_string(),
        phase: phase(other.phase),
        satisfied: other.standing == TaskStanding::Succeeded,
    }
}
