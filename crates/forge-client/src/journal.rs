//! The saved states of a task's workspace.

use forge_api::{
    DiffFormat, ForkEntry, JournalAgainst, JournalDiff, JournalDiffQuery, JournalEntry, Page,
    PageQuery, RestoreEntry, Restored, Task,
};
use http::Method;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// The saved states of a task's workspace, newest first.
    pub async fn fetch_journal(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<JournalEntry>, ClientError> {
        self.fetch_part(task, "/journal", page).await
    }

    /// How an entry differs from something else, file by file.
    pub async fn fetch_journal_diff(
        &self,
        task: Uuid,
        number: u64,
        against: JournalAgainst,
    ) -> Result<JournalDiff, ClientError> {
        let query = JournalDiffQuery { against, format: DiffFormat::Json };
        self.fetch(entry(Method::GET, task, number, "/diff").query(&query)?).await
    }

    /// The same, as text that `git apply` reads.
    pub async fn fetch_journal_patch(
        &self,
        task: Uuid,
        number: u64,
        against: JournalAgainst,
    ) -> Result<String, ClientError> {
        let query = JournalDiffQuery { against, format: DiffFormat::Patch };
        self.fetch_text(entry(Method::GET, task, number, "/diff").query(&query)?).await
    }

    /// Makes the workspace's files those of an entry.
    pub async fn restore_entry(
        &self,
        task: Uuid,
        number: u64,
        request: &RestoreEntry,
    ) -> Result<Restored, ClientError> {
        let call = entry(Method::POST, task, number, "/restore");
        self.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Makes a task whose workspace begins with an entry's files.
    pub async fn fork_entry(
        &self,
        task: Uuid,
        number: u64,
        request: &ForkEntry,
    ) -> Result<Task, ClientError> {
        self.fetch(entry(Method::POST, task, number, "/fork").json(request)?).await
    }
}

fn entry(method: Method, task: Uuid, number: u64, part: &'static str) -> Call {
    Call::new(method, "/tasks").id(task).part("/journal").name(&number.to_string()).part(part)
}
