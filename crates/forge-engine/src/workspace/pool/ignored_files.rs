//! Projects that keep a task's ignored files for the next task (W-15).

use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::ProjectId;
use forge_git::{IgnoredFilesOwner, Repo};
use forge_store::tables::{self, projects::ProjectRow};
use serde_json::Value;
use std::path::Path;

/// Whether a project's settings keep ignored files; the default is no.
pub(crate) fn keeps_ignored(settings: &Value) -> Result<bool, EngineError> {
    match settings.get("keep_ignored_files") {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(keeps)) => Ok(*keeps),
        Some(_) => Err(EngineError::InvalidField {
            field: "settings.keep_ignored_files",
            problem: "give true or false".to_owned(),
        }),
    }
}

/// The project as owner of kept ignored files, if it keeps them. Unreadable settings keep nothing.
pub(crate) fn ignored_files_owner(project: &ProjectRow) -> Option<IgnoredFilesOwner> {
    let keeps = keeps_ignored(&project.settings).unwrap_or(false);
    keeps.then(|| IgnoredFilesOwner::new(project.id))
}

impl WorktreePools {
    /// All such projects that use this repository, by any path.
    pub(crate) async fn load_ignored_files_owners(
        &self,
        repo: &Repo,
    ) -> Result<Vec<IgnoredFilesOwner>, EffectError> {
        let mut keepers = Vec::new();
        for row in tables::repos::list(&self.db).await? {
            let project = tables::projects::load(&self.db, row.project_id).await?;
            let Some(keeper) = project.as_ref().and_then(ignored_files_owner) else { continue };
            let Some(path) = row.path else { continue };
            let same = self.opened_repos.open(Path::new(&path)).await;
            if same.is_ok_and(|same| same.common_dir() == repo.common_dir()) {
                keepers.push(keeper);
            }
        }
        Ok(keepers)
    }

    /// Updates the pools of a project whose settings changed.
    pub(crate) async fn maintain_pools_of(&self, project: ProjectId) {
        match tables::repos::list_of_project(&self.db, project).await {
            Ok(repos) => repos.into_iter().for_each(|repo| self.maintain_pool(Some(repo.id))),
            Err(error) => tracing::warn!(%error, "could not maintain the pools"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn w_15_ignored_files_are_kept_only_by_a_plain_yes() {
        for (settings, keeps) in [
            (json!({}), false),
            (json!({ "keep_ignored_files": null }), false),
            (json!({ "keep_ignored_files": false }), false),
            (json!({ "keep_ignored_files": true }), true),
        ] {
            assert_eq!(keeps_ignored(&settings).expect("fits"), keeps, "{settings}");
        }
        let refused = keeps_ignored(&json!({ "keep_ignored_files": "yes" }));
        let Err(EngineError::InvalidField { field, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(field, "settings.keep_ignored_files");
    }
}
