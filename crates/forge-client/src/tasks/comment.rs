//! Methods for comments.

use forge_api::{Comment, NewComment, Page, PageQuery};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the comments of a task.
#[derive(Debug, Clone, Copy)]
pub struct CommentClient<'a>(pub(crate) &'a ApiClient);

impl CommentClient<'_> {
    /// Lists the comments of a task.
    pub async fn fetch_page(
        self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Comment>, ClientError> {
        self.0.tasks().fetch_list(task, "/comments", page).await
    }

    /// Writes a comment.
    pub async fn create(self, task: Uuid, comment: &NewComment) -> Result<Comment, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/comments");
        self.0.fetch(call.json(comment)?).await
    }
}
