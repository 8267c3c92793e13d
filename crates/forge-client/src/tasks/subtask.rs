//! Methods for subtasks.

use forge_api::{Page, PageQuery, Task};
use uuid::Uuid;

use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the subtasks of a task: ordered turns first, in their order.
    pub async fn fetch_subtasks(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Task>, ClientError> {
        self.fetch_task_list(task, "/subtasks", page).await
    }
}
