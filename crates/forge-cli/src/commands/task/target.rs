//! The task an action is about.

use clap::Args;
use forge_api::Task;
use forge_client::Client;
use uuid::Uuid;

use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;

/// Which task.
#[derive(Debug, Args)]
pub(super) struct Target {
    /// The task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
}

impl Target {
    pub(super) async fn fetch(&self, client: &Client) -> Result<Task, Failure> {
        self.project.fetch_task(client, self.task).await
    }

    pub(super) async fn fetch_id(&self, client: &Client) -> Result<Uuid, Failure> {
        self.project.fetch_task_id(client, self.task).await
    }

    /// Another task, of the same project where it is named by number.
    pub(super) async fn fetch_other(
        &self,
        client: &Client,
        other: TaskRef,
    ) -> Result<Uuid, Failure> {
        self.project.fetch_task_id(client, other).await
    }
}
