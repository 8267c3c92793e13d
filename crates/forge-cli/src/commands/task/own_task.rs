//! The task of an action; inside an execution its own task by default.

use clap::Args;
use forge_api::Task;
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::inside_execution::InsideExecution;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;

/// Selects the task as an argument.
#[derive(Debug, Args)]
pub(crate) struct OwnTaskTarget {
    /// Task: T-12, or its identifier; inside an execution, its own task by default
    #[arg(env = "FORGE_TASK_ID", hide_env = true)]
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    #[command(flatten)]
    inside: InsideExecution,
}

impl OwnTaskTarget {
    pub(crate) async fn fetch(&self, client: &ApiClient) -> Result<Task, CliError> {
        self.inside.fetch_task(client, &self.project, self.task).await
    }

    pub(crate) async fn fetch_id(&self, client: &ApiClient) -> Result<Uuid, CliError> {
        self.inside.fetch_task_id(client, &self.project, self.task).await
    }
}

/// Selects the task as an option, for commands whose argument is something else.
#[derive(Debug, Args)]
pub(crate) struct OwnTaskOption {
    /// Task: T-12, or its identifier; inside an execution, its own task by default
    #[arg(long, short, env = "FORGE_TASK_ID", value_name = "TASK", hide_env = true)]
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    #[command(flatten)]
    inside: InsideExecution,
}

impl OwnTaskOption {
    pub(crate) async fn fetch_id(&self, client: &ApiClient) -> Result<Uuid, CliError> {
        self.inside.fetch_task_id(client, &self.project, self.task).await
    }
}
