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
                let landing = project.settings.landing_mut()?;
                let changes = landing.paused != pause;
                landing.paused = pause;
                Ok(changes)
            })
            .await?;
        self.trains.replan_all();
        Ok(changed)
    }
}
