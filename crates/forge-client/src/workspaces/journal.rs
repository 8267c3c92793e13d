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

impl ApiClient {
    /// Lists the journal entries of a task's workspace, newest first.
    pub async fn fetch_journal(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<JournalEntry>, ClientError> {
        self.fetch_task_list(task, "/journal", page).await
    }

    /// Compares an entry with another state, file by file.
    pub async fn fetch_journal_diff(
        &self,
        task: Uuid,
        number: u64,
        against: JournalAgainst,
    ) -> Result<JournalDiff, ClientError> {
        let query = JournalDiffQuery { against, format: DiffFormat::Json };
        self.fetch(entry(Method::GET, task, number, "/diff").query(&query)?).await
    }

    /// Compares an entry with another state, as a patch for `git apply`.
    pub async fn fetch_journal_patch(
        &self,
        task: Uuid,
        number: u64,
        against: JournalAgainst,
    ) -> Result<String, ClientError> {
        let query = JournalDiffQuery { against, format: DiffFormat::Patch };
        self.fetch_text(entry(Method::GET, task, number, "/diff").query(&query)?).await
    }

    /// Restores the workspace's files from an entry.
    pub async fn restore_entry(
        &self,
        task: Uuid,
        number: u64,
        request: &RestoreEntry,
    ) -> Result<RestoreResponse, ClientError> {
        let call = entry(Method::POST, task, number, "/restore");
        self.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Creates a task whose workspace starts with an entry's files.
    pub async fn fork_entry(
        &self,
        task: Uuid,
        number: u64,
        request: &ForkEntry,
    ) -> Result<Task, ClientError> {
        self.fetch(entry(Method::POST, task, number, "/fork").json(request)?).await
    }
}

fn entry(method: Method, task: Uuid, number: u64, part: &'static str) -> ApiCall {
    ApiCall::new(method, "/tasks").id(task).part("/journal").name(&number.to_string()).part(part)
}
