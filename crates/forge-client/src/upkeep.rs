//! Looking after workspaces.

use forge_api::{CleanWorkspaces, Cleaned, Orphan, Page, Task};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Throws a task's workspace away and makes a new one.
    pub async fn reset_workspace(&self, task: Uuid) -> Result<Task, ClientError> {
        let call = Call::post("/tasks").id(task).part("/workspace/reset");
        self.fetch(call.waits_for_work()).await
    }

    /// Removes a task's worktree, or says what that would do.
    pub async fn clean_workspace(
        &self,
        task: Uuid,
        asked: &CleanWorkspaces,
    ) -> Result<Cleaned, ClientError> {
        let call = Call::post("/tasks").id(task).part("/workspace/clean");
        self.fetch(call.json(asked)?.waits_for_work()).await
    }

    /// Removes the workspaces of all tasks that have ended, or says what that would do.
    pub async fn clean_workspaces(
        &self,
        asked: &CleanWorkspaces,
    ) -> Result<Page<Cleaned>, ClientError> {
        self.fetch(Call::post("/workspaces/clean").json(asked)?.waits_for_work()).await
    }

    /// Directories that belong to no live task.
    pub async fn fetch_orphans(&self) -> Result<Page<Orphan>, ClientError> {
        self.fetch(Call::get("/workspaces/orphans")).await
    }
}
