//! The task of an action.

use clap::Args;
use forge_api::Task;
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::inside_execution::InsideExecution;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;

/// Selects the task.
#[derive(Debug, Args)]
pub(crate) struct TaskTarget {
    /// Task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    #[command(flatten)]
    inside: InsideExecution,
}

impl TaskTarget {
    pub(crate) async fn fetch(&self, client: &ApiClient) -> Result<Task, CliError> {
        self.inside.fetch_task(client, &self.project, self.task).await
    }

    pub(crate) async fn fetch_id(&self, client: &ApiClient) -> Result<Uuid, CliError> {
        self.inside.fetch_task_id(client, &self.project, self.task).await
    }

    /// Another task, of the same project where it is named by number.
    pub(crate) async fn fetch_other(
        &self,
        client: &ApiClient,
        other: TaskRef,
    ) -> Result<Uuid, CliError> {
        self.inside.fetch_task_id(client, &self.project, other).await
    }
}
