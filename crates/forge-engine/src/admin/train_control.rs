//! Controls of a project's merge train (M-13).

use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use crate::engine::Engine;
use crate::landing::train::CheckLedgerRow;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_store::tables;
use forge_store::tables::projects::ProjectRow;

const LONGEST_COMMAND: usize = 10_000;

impl Engine {
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
        self.replan_trains();
        Ok(changed)
    }

    /// The check statistics of a project's primary repository.
    pub async fn check_records_of(
        &self,
        id: ProjectId,
    ) -> Result<Vec<CheckLedgerRow>, EngineError> {
        self.check_records(self.primary_repo(id).await?).await
    }

    /// Ignores failures of a check for this many seconds; zero ends it.
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
        Ok(require_found(repo, "repository of the project", id)?.id)
    }
}
