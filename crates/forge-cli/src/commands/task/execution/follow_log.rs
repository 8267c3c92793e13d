//! Follows a task through all its executions, until it ends or needs a person.

use std::collections::BTreeSet;

use forge_api::{Execution, ExecutionStatus, TaskWaiting, WaitsFor};
use forge_client::{ApiClient, ClientError};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::{fetch_executions, last_execution};
use crate::commands::task::execution::log_printer::{LogForm, poll_interval, print_execution_log};
use crate::commands::task::show::task_details::worker_of;
use crate::commands::why::describe_waiting;
use crate::context::CliContext;
use crate::lookup::fetch_assignee_name;
use crate::terminal::text_table::one_line;

/// Prints the log of the task's last execution, and of every later one, until nothing happens without a person.
pub(crate) async fn follow_task(
    context: &CliContext,
    client: &ApiClient,
    task: Uuid,
    mut form: LogForm,
) -> Result<(), CliError> {
    let mut seen = BTreeSet::new();
    let mut ticks = poll_interval();
    loop {
        let executions = fetch_executions(client, task).await?;
        let next = next_execution(executions, &mut seen);
        let Some(execution) = next else {
            match fetch_state(client, task).await? {
                FollowState::Continues => ticks.tick().await,
                FollowState::Ended(None) => return Ok(()),
                FollowState::Ended(Some(why)) => {
                    context.output.print_note(describe_waiting(context, &why).trim_end());
                    return Ok(());
                }
            };
            continue;
        };
        announce(context, client, &execution).await;
        if execution.user_id.is_some() && execution.status != ExecutionStatus::Finished {
            return Ok(());
        }
        print_execution_log(context, client, execution.id, form, true).await?;
        if let LogForm::Events { tail } = &mut form {
            // The option is about what was there before.
            *tail = None;
        }
    }
}

/// The first execution that was not printed; before the first one, the last execution.
fn next_execution(executions: Vec<Execution>, seen: &mut BTreeSet<Uuid>) -> Option<Execution> {
    let is_first = seen.is_empty();
    let next = if is_first {
        let ids: Vec<_> = executions.iter().map(|execution| execution.id).collect();
        let last = last_execution(executions);
        seen.extend(ids);
        last
    } else {
        executions.into_iter().find(|execution| !seen.contains(&execution.id))
    }?;
    seen.insert(next.id);
    Some(next)
}

/// Whether a task goes on without a person.
enum FollowState {
    Continues,
    /// It does not; `None` if the caller may not read why.
    Ended(Option<Box<TaskWaiting>>),
}

async fn fetch_state(client: &ApiClient, task: Uuid) -> Result<FollowState, CliError> {
    let why = match client.tasks().fetch_wait(task).await {
        Ok(why) => why,
        // The token of an execution reads its own execution only.
        Err(ClientError::Api { status: 403, .. }) => return Ok(FollowState::Ended(None)),
        Err(error) => return Err(error.into()),
    };
    Ok(match why.waits_for {
        WaitsFor::Person | WaitsFor::Queueing | WaitsFor::Nothing => {
            FollowState::Ended(Some(Box::new(why)))
        }
        _ => FollowState::Continues,
    })
}

/// Says on standard error whose log follows.
async fn announce(context: &CliContext, client: &ApiClient, execution: &Execution) {
    let Some(worker) = worker_of(execution) else { return };
    let name = fetch_assignee_name(client, worker).await;
    let state = match execution.status {
        ExecutionStatus::Finished => "ended",
        _ if execution.user_id.is_some() => "works on it, and a person has no log",
        _ => "works on it",
    };
    let line = format!("{} ({}) {state}", one_line(&name), one_line(&execution.role));
    context.output.print_note(&line);
}
