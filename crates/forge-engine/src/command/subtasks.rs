//! Subtasks of a task (T-17), for reading.

use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use forge_domain::task::TaskSnapshot;
use forge_store::tables::{self, tasks::TaskFilter};
use std::borrow::Cow;

/// A list of subtasks is one page.
const MOST_SUBTASKS: u32 = 500;

impl RecordReader {
    /// The task whose workspace this one uses: itself, or the parent of an ordered turn.
    pub async fn load_workspace_owner<'a>(
        &self,
        task: &'a TaskSnapshot,
    ) -> Result<Cow<'a, TaskSnapshot>, EngineError> {
        match (task.turn(), task.parent) {
            (Some(_), Some(parent)) => Ok(Cow::Owned(self.task(parent).await?)),
            _ => Ok(Cow::Borrowed(task)),
        }
    }

    /// The subtasks of a task: ordered turns in order, then the others by number.
    pub async fn load_subtasks(
        &self,
        task: &TaskSnapshot,
    ) -> Result<Vec<TaskSnapshot>, EngineError> {
        let all = TaskFilter::new(task.project_id);
        let filter = TaskFilter { parent: Some(task.id), include_archived: true, ..all };
        let page = tables::PageRequest::first(MOST_SUBTASKS);
        let (mut parts, _) = tables::tasks::list(&self.db, &filter, &page).await?;
        parts.sort_by_key(|part| {
            let order = part.turn().map(|turn| turn.order);
            (order.is_none(), order, part.number)
        });
        Ok(parts)
    }
}
