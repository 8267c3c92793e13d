//! Methods for the journal of a task's workspace.

use forge_api::{
    DiffFormat, ForkEntry, JournalAgainst, JournalDiff, JournalDiffQuery, JournalEntry, Page,
    PageQuery, RestoreEntry, RestoreResponse, Task,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the journal of a task's workspace.
#[derive(Debug, Clone, Copy)]
pub struct JournalClient<'a>(pub(crate) &'a ApiClient);

impl JournalClient<'_> {
    /// Lists the journal entries of a task's workspace, newest first.
    pub async fn fetch_page(
        self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<JournalEntry>, ClientError> {
        self.0.tasks().fetch_list(task, "/journal", page).await
    }

    /// Compares an entry with another state, file by file.
    pub async fn fetch_diff(
        self,
        task: Uuid,
        number: u64,
        against: JournalAgainst,
    ) -> Result<JournalDiff, ClientError> {
        let query = JournalDiffQuery { against, format: DiffFormat::Json };
        self.0.fetch(entry(Method::GET, task, number, "/diff").query(&query)?).await
    }

    /// Compares an entry with another state, as a patch for `git apply`.
    pub async fn fetch_patch(
        self,
        task: Uuid,
        number: u64,
        against: JournalAgainst,
    ) -> Result<String, ClientError> {
        let query = JournalDiffQuery { against, format: DiffFormat::Patch };
        self.0.fetch_text(entry(Method::GET, task, number, "/diff").query(&query)?).await
    }

    /// Restores the workspace's files from an entry.
    pub async fn restore(
        self,
        task: Uuid,
        number: u64,
        request: &RestoreEntry,
    ) -> Result<RestoreResponse, ClientError> {
        let call = entry(Method::POST, task, number, "/restore");
        self.0.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Creates a task whose workspace starts with an entry's files.
    pub async fn fork(
        self,
        task: Uuid,
        number: u64,
        request: &ForkEntry,
    ) -> Result<Task, ClientError> {
        self.0.fetch(entry(Method::POST, task, number, "/fork").json(request)?).await
    }
}

fn entry(method: Method, task: Uuid, number: u64, part: &'static str) -> ApiCall {
    ApiCall::new(method, "/tasks").id(task).part("/journal").name(&number.to_string()).part(part)
}
