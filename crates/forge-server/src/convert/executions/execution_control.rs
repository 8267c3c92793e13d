//! Converts the overview and the activity of executions.

use forge_api::{AgentFinding, Execution, ExecutionPulse, TokenCount};
use forge_domain::Timestamp;
use forge_engine::AgentsOverviewEntry;

use crate::convert::tasks::needs_person::next_step;
use crate::convert::time::{rfc3339, seconds_between};

/// Converts one entry of the overview, with its suggested actions.
pub(crate) fn finding(
    found: &AgentsOverviewEntry,
    next: &[forge_domain::NextStep],
    now: Timestamp,
) -> AgentFinding {
    let AgentsOverviewEntry { task, execution, since, evidence } = found;
    AgentFinding {
        task_id: task.id.uuid(),
        project_id: task.project_id.uuid(),
        key: task.key().to_string(),
        title: task.title.clone(),
        status: task.state.to_string(),
        execution_id: execution.as_ref().map(|run| run.id.uuid()),
        agent_id: execution.as_ref().and_then(|run| run.agent_id).map(|id| id.uuid()),
        role: execution.as_ref().map(|run| run.role.to_string()),
        worktree: task.workspace.as_ref().map(|at| at.path.clone()),
        evidence: evidence.clone(),
        since: rfc3339(*since),
        age_seconds: seconds_between(*since, now),
        next: next.iter().map(next_step).collect(),
    }
}

/// Converts the activity of an execution.
pub(crate) fn pulse(
    found: forge_engine::ExecutionActivity,
    execution: Execution,
    now: Timestamp,
) -> ExecutionPulse {
    ExecutionPulse {
        execution,
        last_activity_at: found.last_activity_at.map(rfc3339),
        silent_seconds: found.last_activity_at.map(|at| seconds_between(at, now)),
        stalled_since: found.stalled_since.map(rfc3339),
        last_output_at: found.last_output_at.map(rfc3339),
        last_output: found.last_output,
        current_tool: found.current_tool,
        tokens: found
            .usage
            .map(|used| TokenCount { input: used.input_tokens, output: used.output_tokens }),
        files: found.files.into_iter().map(|file| file.path.text).collect(),
        more_files: found.more_files,
    }
}
