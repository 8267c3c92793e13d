//! Notes on a task.

use forge_api::{Comment, NewComment, Page, PageQuery};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// A task's comments.
    pub async fn fetch_comments(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Comment>, ClientError> {
        self.fetch_part(task, "/comments", page).await
    }

    /// Writes a comment.
    pub async fn create_comment(
        &self,
        task: Uuid,
        comment: &NewComment,
    ) -> Result<Comment, ClientError> {
        let call = Call::post("/tasks").id(task).part("/comments");
        self.fetch(call.json(comment)?).await
    }
}
