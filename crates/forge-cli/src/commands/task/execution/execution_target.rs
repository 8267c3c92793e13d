//! The execution of an action: the task's last one, unless another is named.

use clap::Args;
use forge_api::{Execution, ExecutionStatus, PageQuery};
use forge_client::{ApiClient, ClientError, collect_pages};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;

/// Most executions of a task that are read.
const MOST_EXECUTIONS: usize = 1000;

/// Selects the execution.
#[derive(Debug, Args)]
pub(crate) struct ExecutionTarget {
    #[command(flatten)]
    target: TaskTarget,
    /// Identifier of another execution than the last
    #[arg(long, value_name = "ID")]
    execution: Option<Uuid>,
}

impl ExecutionTarget {
    pub(crate) async fn fetch_id(&self, client: &ApiClient) -> Result<Uuid, CliError> {
        if let Some(id) = self.execution {
            return Ok(id);
        }
        fetch_last_execution(client, self.target.fetch_id(client).await?).await
    }
}

/// All executions of a task, oldest first.
pub(crate) async fn fetch_executions(
    client: &ApiClient,
    task: Uuid,
) -> Result<Vec<Execution>, ClientError> {
    let list = async |page: PageQuery| client.tasks().fetch_executions(task, &page).await;
    Ok(collect_pages(MOST_EXECUTIONS, list).await?.items)
}

/// The running execution, otherwise the latest one.
pub(crate) fn last_execution(executions: Vec<Execution>) -> Option<Execution> {
    let is_open = |execution: &Execution| execution.status != ExecutionStatus::Finished;
    executions
        .into_iter()
        .max_by_key(|execution| (is_open(execution), execution.started_at.clone(), execution.id))
}

/// The running execution of a task, otherwise the latest one.
pub(crate) async fn fetch_last_execution(client: &ApiClient, task: Uuid) -> Result<Uuid, CliError> {
    let last = last_execution(fetch_executions(client, task).await?);
    last.map(|execution| execution.id).ok_or_else(|| {
        CliError::not_found("this task has no execution yet")
            .hint("claim it with `forge task claim TASK --agent NAME`")
    })
}
