//! Projects that keep a task's ignored files for the next task (W-15).

use crate::effects::EffectError;
use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::ProjectId;
use forge_git::{IgnoredFilesOwner, Repo};
use forge_store::tables::{self, projects::ProjectRow};
use std::path::Path;

/// The project as owner of kept ignored files, if it keeps them. Unreadable settings keep nothing.
pub(crate) fn ignored_files_owner(project: &ProjectRow) -> Option<IgnoredFilesOwner> {
    let keeps = project.settings.or_defaults().keep_ignored_files;
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
