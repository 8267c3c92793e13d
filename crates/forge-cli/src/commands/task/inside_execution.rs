//! The own task of a command that runs inside an execution.

use clap::Args;
use forge_api::{PageQuery, Task};
use forge_client::{ApiClient, collect_pages};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;

/// Maximum number of subtasks that are searched.
const MOST_SUBTASKS: usize = 2000;

/// The task of the execution in which the command runs. The token of an execution reads its own task and subtasks and
/// no project, so they are found from there.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct InsideExecution {
    /// The task of the execution in which the command runs
    #[arg(long, env = "FORGE_TASK_ID", hide = true, hide_env = true)]
    inside_task: Option<String>,
}

impl InsideExecution {
    /// The own task; `None` outside executions.
    pub(crate) fn own_task(&self) -> Option<Uuid> {
        self.inside_task.as_deref()?.parse().ok()
    }

    /// The selected task: related to the own one, otherwise in the selected project.
    pub(crate) async fn fetch_task(
        &self,
        client: &ApiClient,
        project: &ProjectOption,
        task: TaskRef,
    ) -> Result<Task, CliError> {
        if let (TaskRef::Number(number), Some(own), None) =
            (task, self.own_task(), &project.project)
            && let Some(found) = find_related_task(client, own, number).await?
        {
            return Ok(found);
        }
        project.fetch_task(client, task).await
    }

    /// Same, if only the identifier is needed; asks the server only if necessary.
    pub(crate) async fn fetch_task_id(
        &self,
        client: &ApiClient,
        project: &ProjectOption,
        task: TaskRef,
    ) -> Result<Uuid, CliError> {
        match task {
            TaskRef::Id(id) => Ok(id),
            TaskRef::Number(_) => Ok(self.fetch_task(client, project, task).await?.id),
        }
    }

    /// The project of the own task, otherwise the selected one.
    pub(crate) async fn fetch_project_id(
        &self,
        client: &ApiClient,
        project: &ProjectOption,
    ) -> Result<Uuid, CliError> {
        match (self.own_task(), &project.project) {
            (Some(own), None) => Ok(client.tasks().fetch(own).await?.project_id),
            _ => project.fetch_id(client).await,
        }
    }
}

/// The own task or one of its subtasks.
async fn find_related_task(
    client: &ApiClient,
    own: Uuid,
    number: u64,
) -> Result<Option<Task>, CliError> {
    let task = client.tasks().fetch(own).await?;
    if task.number == number {
        return Ok(Some(task));
    }
    let list = async |page: PageQuery| client.tasks().fetch_subtasks(own, &page).await;
    let subtasks = collect_pages(MOST_SUBTASKS, list).await?.items;
    Ok(subtasks.into_iter().find(|task| task.number == number))
}
