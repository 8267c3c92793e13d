//! Converts executions of agents and users.

use forge_api::{Execution, ExecutionFailure, ExecutionOutcome, ExecutionStatus, FailureClass};
use forge_domain::task::{TaskActivity, TaskSnapshot};
use forge_domain::{AgentFailure, ExecutionEnding};
use forge_store::tables::executions;

use crate::convert::executions::usage::usage;
use crate::convert::tasks::claim_overrides::claim_overrides;
use crate::convert::time::rfc3339;

/// Converts an execution row. The task shows whether an open execution is being prepared or stopped.
pub(crate) fn execution(
    row: &executions::ExecutionRow,
    task: &TaskSnapshot,
    log_bytes: u64,
) -> Execution {
    let ending = row.outcome.as_ref().map(|result| result.ending);
    Execution {
        id: row.id.uuid(),
        task_id: row.task_id.uuid(),
        role: row.role.to_string(),
        agent_id: row.agent_id.map(|id| id.uuid()),
        user_id: row.user_id.map(|id| id.uuid()),
        status: status(row, task),
        outcome: ending.map(outcome),
        exit_code: match ending {
            Some(ExecutionEnding::Exited { code }) => Some(code),
            _ => None,
        },
        signal: match ending {
            Some(ExecutionEnding::Signalled { signal }) => Some(signal),
            _ => None,
        },
        started_at: row.started_at.map(rfc3339),
        finished_at: row.finished_at.map(rfc3339),
        commit: row.outcome.as_ref().and_then(|result| result.head.clone()),
        // The end of an execution reports changes only if its head commit was read.
        no_changes: row
            .outcome
            .as_ref()
            .filter(|result| result.head.is_some())
            .map(|result| !result.changed),
        session_id: row.session.clone(),
        usage: row.outcome.as_ref().and_then(|result| result.told.usage).map(usage),
        failure: row.outcome.as_ref().and_then(|result| result.told.failure.as_ref()).map(failure),
        overrides: row.overrides.as_ref().and_then(claim_overrides),
        log_bytes,
    }
}

fn failure(failure: &AgentFailure) -> ExecutionFailure {
    ExecutionFailure {
        class: match failure.class {
            forge_domain::FailureClass::Quota => FailureClass::Quota,
            forge_domain::FailureClass::Auth => FailureClass::Auth,
            forge_domain::FailureClass::Crash => FailureClass::Crash,
            forge_domain::FailureClass::Error => FailureClass::Error,
        },
        message: failure.message.clone(),
        until: failure.until.map(rfc3339),
    }
}

fn status(row: &executions::ExecutionRow, task: &TaskSnapshot) -> ExecutionStatus {
    if row.status == executions::ExecutionRowStatus::Finished {
        return ExecutionStatus::Finished;
    }
    match task.activity {
        Some(TaskActivity::Stopping { mark }) if mark == row.id.uuid() => ExecutionStatus::Stopping,
        Some(TaskActivity::Preparing { execution }) if execution == row.id => {
            ExecutionStatus::Preparing
        }
        _ if row.status == executions::ExecutionRowStatus::Running => ExecutionStatus::Running,
        _ => ExecutionStatus::Pending,
    }
}

fn outcome(ending: ExecutionEnding) -> ExecutionOutcome {
    match ending {
        ExecutionEnding::Exited { code: 0 } | ExecutionEnding::Submitted => {
            ExecutionOutcome::Succeeded
        }
        ExecutionEnding::Exited { .. } | ExecutionEnding::Signalled { .. } => {
            ExecutionOutcome::Failed
        }
        ExecutionEnding::TimedOut => ExecutionOutcome::TimedOut,
        ExecutionEnding::DeadlineReached => ExecutionOutcome::DeadlineReached,
        ExecutionEnding::Stopped => ExecutionOutcome::Stopped,
        ExecutionEnding::Lost => ExecutionOutcome::Lost,
    }
}
