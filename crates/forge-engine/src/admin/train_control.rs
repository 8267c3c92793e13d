//! Controls of a project's merge train (M-13).

use crate::admin::project::Projects;
use crate::command::errors::EngineError;
use forge_domain::{Actor, ProjectId};
use forge_store::tables::projects::ProjectRow;

impl Projects {
    /// Pauses or resumes all landings of a project; repeating it changes nothing.
    pub async fn pause_train(
        &self,
        actor: Actor,
        id: ProjectId,
        pause: bool,
    ) -> Result<ProjectRow, EngineError> {
        let changed = self
            .change_project(actor, id, "project.updated", move |project, _| {
                let Some(settings) = project.settings.as_object_mut() else {
                    return Err(EngineError::Corrupt("settings that are no object".to_owned()));
                };
                let merge = settings.entry("merge").or_insert_with(|| serde_json::json!({}));
                if merge.is_null() {
                    *merge = serde_json::json!({});
                }
                let before = merge.get("paused").and_then(serde_json::Value::as_bool);
                if before.unwrap_or(false) == pause {
                    return Ok(false);
                }
                if let Some(merge) = merge.as_object_mut() {
                    merge.insert("paused".to_owned(), pause.into());
                }
                Ok(true)
            })
            .await?;
        self.trains.replan_all();
        Ok(changed)
    }
}
