//! A task's workspace and what was changed in it.

use forge_api::{
    Diff, DiffFormat, DiffQuery, DiffScope, LogQuery, Page, PageQuery, Workspace, WorkspaceSetup,
};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// A task's workspace.
    pub async fn fetch_workspace(&self, task: Uuid) -> Result<Workspace, ClientError> {
        self.fetch(Call::get("/tasks").id(task).part("/workspace")).await
    }

    /// How the setup of a task's workspace went, with a part of what it said.
    pub async fn fetch_setup(
        &self,
        task: Uuid,
        query: &LogQuery,
    ) -> Result<WorkspaceSetup, ClientError> {
        self.fetch(Call::get("/tasks").id(task).part("/workspace/setup").query(query)?).await
    }

    /// The workspaces on disk.
    pub async fn fetch_workspaces(&self, page: &PageQuery) -> Result<Page<Workspace>, ClientError> {
        self.fetch(Call::get("/workspaces").query(page)?).await
    }

    /// What a task changed, file by file.
    pub async fn fetch_diff(&self, task: Uuid, scope: DiffScope) -> Result<Diff, ClientError> {
        self.fetch(diff(task, scope, DiffFormat::Json)?).await
    }

    /// What a task changed, as text that `git apply` reads.
    pub async fn fetch_patch(&self, task: Uuid, scope: DiffScope) -> Result<String, ClientError> {
        self.fetch_text(diff(task, scope, DiffFormat::Patch)?).await
    }
}

fn diff(task: Uuid, scope: DiffScope, format: DiffFormat) -> Result<Call, ClientError> {
    let call = Call::get("/tasks").id(task).part("/diff");
    call.query(&DiffQuery { scope, format })
}
