//! A task and its parts (T-17), to be read.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::Snapshot;
use forge_store::tables::{self, tasks::TaskFilter};
use std::borrow::Cow;

/// A list of parts is one page.
const MOST_SUBTASKS: u32 = 500;

impl Engine {
    /// The task in whose workspace this one works: itself, unless it is a turn.
    pub async fn host_of<'a>(&self, task: &'a Snapshot) -> Result<Cow<'a, Snapshot>, EngineError> {
        match (task.turn(), task.parent) {
            (Some(_), Some(parent)) => Ok(Cow::Owned(self.task(parent).await?)),
            _ => Ok(Cow::Borrowed(task)),
        }
    }

    /// The parts of a task: its turns in their order, then the others by number.
    pub async fn subtasks_of(&self, task: &Snapshot) -> Result<Vec<Snapshot>, EngineError> {
        let all = TaskFilter::new(task.project_id);
        let filter = TaskFilter { parent: Some(task.id), include_archived: true, ..all };
        let page = tables::Page::first(MOST_SUBTASKS);
        let (mut parts, _) = tables::tasks::list(self.db(), &filter, &page).await?;
        parts.sort_by_key(|part| {
            let order = part.turn().map(|turn| turn.order);
            (order.is_none(), order, part.number)
        });
        Ok(parts)
    }
}
