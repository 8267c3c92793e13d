//! The parts of a task.

use forge_api::{Page, PageQuery, Task};
use uuid::Uuid;

use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// The tasks that are part of this one: ordered turns first, in their order.
    pub async fn fetch_subtasks(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Task>, ClientError> {
        self.fetch_part(task, "/subtasks", page).await
    }
}
