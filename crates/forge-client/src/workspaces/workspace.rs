//! Methods for workspaces and diffs.

use forge_api::{
    DiffFormat, DiffQuery, DiffScope, DiffView, LogQuery, Page, PageQuery, WorkspaceSetup,
    WorkspaceView,
};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about workspaces, their setup, diffs and cleanup.
#[derive(Debug, Clone, Copy)]
pub struct WorkspaceClient<'a>(pub(crate) &'a ApiClient);

impl WorkspaceClient<'_> {
    /// Fetches the workspace of a task.
    pub async fn fetch(self, task: Uuid) -> Result<WorkspaceView, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(task).part("/workspace")).await
    }

    /// Fetches the setup of a task's workspace, with a part of its output.
    pub async fn fetch_setup(
        self,
        task: Uuid,
        query: &LogQuery,
    ) -> Result<WorkspaceSetup, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(task).part("/workspace/setup").query(query)?).await
    }

    /// Lists the workspaces on disk.
    pub async fn fetch_page(self, page: &PageQuery) -> Result<Page<WorkspaceView>, ClientError> {
        self.0.fetch(ApiCall::get("/workspaces").query(page)?).await
    }

    /// Fetches the changes of a task, file by file.
    pub async fn fetch_diff(self, task: Uuid, scope: DiffScope) -> Result<DiffView, ClientError> {
        self.0.fetch(diff(task, scope, DiffFormat::Json)?).await
    }

    /// Fetches the changes of a task as a patch for `git apply`.
    pub async fn fetch_patch(self, task: Uuid, scope: DiffScope) -> Result<String, ClientError> {
        self.0.fetch_text(diff(task, scope, DiffFormat::Patch)?).await
    }
}

fn diff(task: Uuid, scope: DiffScope, format: DiffFormat) -> Result<ApiCall, ClientError> {
    let call = ApiCall::get("/tasks").id(task).part("/diff");
    call.query(&DiffQuery { scope, format })
}
