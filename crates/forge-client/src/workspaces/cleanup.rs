//! Methods for the cleanup of workspaces.

use forge_api::{CleanWorkspaces, OrphanView, Page, Task, WorkspaceCleanup};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::error::ClientError;
use crate::workspaces::workspace::WorkspaceClient;

impl WorkspaceClient<'_> {
    /// Discards a task's workspace and creates a new one.
    pub async fn reset(self, task: Uuid) -> Result<Task, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/workspace/reset");
        self.0.fetch(call.waits_for_work()).await
    }

    /// Removes a task's worktree, or reports what that would do.
    pub async fn clean(
        self,
        task: Uuid,
        asked: &CleanWorkspaces,
    ) -> Result<WorkspaceCleanup, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/workspace/clean");
        self.0.fetch(call.json(asked)?.waits_for_work()).await
    }

    /// Removes the workspaces of all ended tasks, or reports what that would do.
    pub async fn clean_all(
        self,
        asked: &CleanWorkspaces,
    ) -> Result<Page<WorkspaceCleanup>, ClientError> {
        self.0.fetch(ApiCall::post("/workspaces/clean").json(asked)?.waits_for_work()).await
    }

    /// Lists the directories that belong to no live task.
    pub async fn fetch_orphans(self) -> Result<Page<OrphanView>, ClientError> {
        self.0.fetch(ApiCall::get("/workspaces/orphans")).await
    }
}
