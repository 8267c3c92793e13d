//! Methods for comments.

use forge_api::{Comment, NewComment, Page, PageQuery};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the comments of a task.
    pub async fn fetch_comments(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Comment>, ClientError> {
        self.fetch_task_list(task, "/comments", page).await
    }

    /// Writes a comment.
    pub async fn create_comment(
        &self,
        task: Uuid,
        comment: &NewComment,
    ) -> Result<Comment, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/comments");
        self.fetch(call.json(comment)?).await
    }
}
