//! The run an action is about: a task's last one, if no other is named.

use clap::Args;
use forge_api::{Execution, ExecutionStatus, PageQuery};
use forge_client::{Client, collect};
use uuid::Uuid;

use super::target::Target;
use crate::failure::Failure;

/// Which run.
#[derive(Debug, Args)]
pub(super) struct LastRun {
    #[command(flatten)]
    target: Target,
    /// Another run than the last
    #[arg(long, value_name = "ID")]
    execution: Option<Uuid>,
}

impl LastRun {
    pub(super) async fn fetch_id(&self, client: &Client) -> Result<Uuid, Failure> {
        if let Some(id) = self.execution {
            return Ok(id);
        }
        let task = self.target.fetch_id(client).await?;
        let list = async |page: PageQuery| client.fetch_executions(task, &page).await;
        let executions = collect(1000, list).await?.items;
        let open = |execution: &Execution| execution.status != ExecutionStatus::Finished;
        // The run that goes on, else the one that began last.
        let last = executions
            .into_iter()
            .max_by_key(|execution| (open(execution), execution.started_at.clone(), execution.id));
        last.map(|execution| execution.id).ok_or_else(|| {
            Failure::not_found("nobody has worked on this task yet")
                .hint("claim it with `forge task claim TASK --agent NAME`")
        })
    }
}
