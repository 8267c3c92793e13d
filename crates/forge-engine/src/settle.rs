//! Answers that promise a result wait for it here. The work itself is a durable step: who hangs up changes nothing.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::TaskId;
use forge_domain::task::Snapshot;
use forge_store::{Channel, tables};

impl Engine {
    /// The task once the engine has no business with it that ends by itself.
    pub async fn settled(&self, task: TaskId) -> Result<Snapshot, EngineError> {
        self.reached(task, |snapshot| !snapshot.is_settling()).await
    }

    /// The task once `condition` holds.
    pub async fn reached(
        &self,
        task: TaskId,
        condition: impl Fn(&Snapshot) -> bool,
    ) -> Result<Snapshot, EngineError> {
        let mut wakes = self.0.db.subscribe(Channel::Events);
        loop {
            let Some(snapshot) = tables::tasks::load(&self.0.db, task).await? else {
                return Err(EngineError::NotFound { noun: "task", id: task.to_string() });
            };
            if condition(&snapshot) {
                return Ok(snapshot);
            }
            let project = snapshot.project_id.to_string();
            loop {
                match wakes.next().await {
                    None => return Ok(snapshot),
                    Some(wake) if wake.about.as_deref().is_none_or(|about| about == project) => {
                        break;
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
