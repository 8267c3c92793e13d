//! Notes on a task (T-21).

use forge_api::Comment;
use forge_store::tables::comments;

use super::actor::actor;
use super::time::rfc3339;

/// A comment as clients see it.
pub(crate) fn comment(row: comments::Comment) -> Comment {
    Comment {
        id: row.id.uuid(),
        task_id: row.task_id.uuid(),
        parent_id: row.parent_id.map(|id| id.uuid()),
        author: actor(&row.author),
        body: row.body,
        at: rfc3339(row.at),
    }
}
