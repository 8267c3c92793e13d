//! What people say about a project's train (M-13).

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use crate::train::CheckRecord;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_store::tables;
use forge_store::tables::projects::Project;

const LONGEST_COMMAND: usize = 10_000;

impl Engine {
    /// Lets nothing of a project land, or lets it again; doing so twice changes nothing.
    pub async fn pause_train(
        &self,
        actor: Actor,
        id: ProjectId,
        pause: bool,
    ) -> Result<Project, EngineError> {
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
        self.replan_lines();
        Ok(changed)
    }

    /// What is known of the checks of a project's primary repository.
    pub async fn check_records_of(&self, id: ProjectId) -> Result<Vec<CheckRecord>, EngineError> {
        self.check_records(self.primary_repo(id).await?).await
    }

    /// Blames nobody for the failure of a check for so long; no time at all ends it.
    pub async fn quarantine_check_of(
        &self,
        id: ProjectId,
        command: String,
        seconds: u64,
    ) -> Result<(), EngineError> {
        if command.trim().is_empty() || command.len() > LONGEST_COMMAND {
            return Err(EngineError::InvalidField {
                field: "command",
                problem: "give the command as it is configured in the checks".to_owned(),
            });
        }
        let repo = self.primary_repo(id).await?;
        let until = (seconds > 0).then(|| self.now().plus_seconds(seconds));
        self.quarantine_check(repo, command, until).await
    }

    async fn primary_repo(&self, id: ProjectId) -> Result<RepoId, EngineError> {
        let repo = tables::repos::primary_of(self.db(), id).await?;
        Ok(found(repo, "repository of the project", id)?.id)
    }
}
