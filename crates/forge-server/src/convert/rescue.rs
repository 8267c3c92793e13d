//! Looking after agents.

use forge_api::{AgentFinding, AgentsCheck, Execution, Pulse, TokenCount};
use forge_domain::Timestamp;
use forge_engine::Finding;

use super::time::rfc3339;

/// All at a glance.
pub(crate) fn check(found: forge_engine::AgentsCheck, now: Timestamp) -> AgentsCheck {
    let list = |items: Vec<Finding>| items.iter().map(|item| finding(item, now)).collect();
    AgentsCheck {
        running: list(found.running),
        stuck: list(found.stuck),
        failed: list(found.failed),
        abandoned: list(found.abandoned),
    }
}

fn finding(found: &Finding, now: Timestamp) -> AgentFinding {
    let Finding { task, execution, since, evidence } = found;
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
    }
}

/// How a run is doing.
pub(crate) fn pulse(found: forge_engine::Pulse, execution: Execution, now: Timestamp) -> Pulse {
    Pulse {
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

fn seconds_between(earlier: Timestamp, later: Timestamp) -> u64 {
    let millis = later.millis().saturating_sub(earlier.millis());
    u64::try_from(millis / 1000).unwrap_or_default()
}
