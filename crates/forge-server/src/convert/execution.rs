//! Runs of agents and people.

use forge_api::{Execution, ExecutionFailure, ExecutionOutcome, ExecutionStatus, FailureClass};
use forge_domain::task::{Activity, Snapshot};
use forge_domain::{Ending, RunFailure};
use forge_store::tables::executions;

use super::time::rfc3339;
use super::usage::usage;

/// A run as clients see it. The task tells whether an open run is being prepared or ended.
pub(crate) fn execution(row: &executions::Execution, task: &Snapshot, log_bytes: u64) -> Execution {
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
            Some(Ending::Exited { code }) => Some(code),
            _ => None,
        },
        signal: match ending {
            Some(Ending::Signalled { signal }) => Some(signal),
            _ => None,
        },
        started_at: row.started_at.map(rfc3339),
        finished_at: row.finished_at.map(rfc3339),
        commit: row.outcome.as_ref().and_then(|result| result.head.clone()),
        // Whether there was a change is known only of a run whose head was looked at.
        no_changes: row
            .outcome
            .as_ref()
            .filter(|result| result.head.is_some())
            .map(|result| !result.changed),
        session_id: row.session.clone(),
        usage: row.outcome.as_ref().and_then(|result| result.told.usage).map(usage),
        failure: row.outcome.as_ref().and_then(|result| result.told.failure.as_ref()).map(failure),
        log_bytes,
    }
}

fn failure(failure: &RunFailure) -> ExecutionFailure {
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

fn status(row: &executions::Execution, task: &Snapshot) -> ExecutionStatus {
    if row.status == executions::ExecutionStatus::Finished {
        return ExecutionStatus::Finished;
    }
    match task.activity {
        Some(Activity::Stopping { mark }) if mark == row.id.uuid() => ExecutionStatus::Stopping,
        Some(Activity::Preparing { execution }) if execution == row.id => {
            ExecutionStatus::Preparing
        }
        _ if row.status == executions::ExecutionStatus::Running => ExecutionStatus::Running,
        _ => ExecutionStatus::Pending,
    }
}

fn outcome(ending: Ending) -> ExecutionOutcome {
    match ending {
        Ending::Exited { code: 0 } | Ending::Submitted => ExecutionOutcome::Succeeded,
        Ending::Exited { .. } | Ending::Signalled { .. } => ExecutionOutcome::Failed,
        Ending::TimedOut => ExecutionOutcome::TimedOut,
        Ending::Stopped => ExecutionOutcome::Stopped,
        Ending::Lost => ExecutionOutcome::Lost,
    }
}
