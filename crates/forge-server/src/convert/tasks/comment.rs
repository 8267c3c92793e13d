//! Converts comments on a task (T-21).

use forge_api::Comment;
use forge_store::tables::comments;

use crate::convert::accounts::actor::actor;
use crate::convert::time::rfc3339;

/// Converts a comment row.
pub(crate) fn comment(row: comments::CommentRow) -> Comment {
    Comment {
        id: row.id.uuid(),
        task_id: row.task_id.uuid(),
        parent_id: row.parent_id.map(|id| id.uuid()),
        author: actor(&row.author),
        body: row.body,
        at: rfc3339(row.at),
    }
}
