//! Deletes a task on which no work was done (P-1). The rule is `forge_domain::check_deletion`.

use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use forge_domain::{Actor, TaskId, check_deletion};
use forge_store::tables::{self, events::NewEvent};

impl Commands {
    /// Deletes a task. Its events stay, and the last one says that it was deleted.
    pub async fn delete_task(&self, actor: Actor, id: TaskId) -> Result<(), EngineError> {
        self.faults.reach("command.received").await?;
        let now = self.clock.now();
        let deleted = self.db.write(move |tx| {
            let actor = actor.clone();
            Box::pin(async move {
                let task = require_found(tables::tasks::lock(tx, id).await?, "task", id)?;
                let facts = tables::tasks::deletion_facts(tx, id).await?;
                check_deletion(&task, &facts, &actor)?;
                let event = NewEvent {
                    kind: "task.deleted".to_owned(),
                    version: task.version + 1,
                    at: now,
                    data: serde_json::json!({ "number": task.number, "title": task.title }),
                };
                // The event locks the project's counter, without which the queue of waiting tasks must not change.
                tables::events::append(tx, task.project_id, &actor, Some(id), &[event]).await?;
                tables::tasks::delete(tx, &task).await?;
                Ok::<_, EngineError>(())
            })
        });
        deleted.await?;
        self.faults.reach("command.committed").await?;
        Ok(())
    }
}
