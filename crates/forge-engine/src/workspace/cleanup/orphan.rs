//! Directories under the workspace root without a live task (W-10). They are reported, never deleted.

use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::workspace::cleanup::directory_extent::DirectoryExtent;
use crate::workspace::view::workspace_summary::WorkspaceViews;
use crate::workspace::workspace_plan::WorkspacePlan;
use forge_domain::Effect;
use forge_domain::task::{TaskKey, TaskSnapshot};
use forge_domain::workflow::TaskStanding;
use forge_git::{DirectoryName, GitError, GitProgram, Repo, WorkspaceLocks, WorkspaceRoot};
use forge_store::{Db, tables};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A directory that no live task uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrphanDirectory {
    pub path: PathBuf,
    pub cause: OrphanCause,
    pub extent: DirectoryExtent,
    /// The repository that lists it as a worktree, if any.
    pub recorded_by: Option<String>,
}

/// Why a directory is an orphan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrphanCause {
    /// Forge did not create it, or its task's record is gone.
    #[error("no task has it as its workspace")]
    NoTask,
    /// Its task ended and no removal is planned.
    #[error("{key} has ended and no removal is planned; `forge workspace clean {key}` removes it")]
    TaskEnded { key: TaskKey },
}

/// An orphan as found at start-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrphanRecord {
    pub path: PathBuf,
    pub reason: String,
}

/// Finds disk space to free, and previews removals.
#[derive(Debug, Clone)]
pub struct WorkspaceCleanup {
    pub(crate) db: Db,
    pub(crate) commands: Commands,
    pub(crate) git: GitProgram,
    pub(crate) records: RecordReader,
    pub(crate) root: WorkspaceRoot,
    pub(crate) views: WorkspaceViews,
    pub(crate) workspace_locks: WorkspaceLocks,
}

impl WorkspaceCleanup {
    /// Lists all orphans by name.
    pub async fn list_orphans(&self) -> Result<Vec<OrphanDirectory>, EngineError> {
        let found = self.find_orphans().await?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let mut records = Vec::new();
        for row in tables::repos::list(&self.db).await? {
            let Some(path) = row.path else { continue };
            // A repository that cannot be opened is reported elsewhere.
            let Ok(repo) = Repo::open(&self.git, Path::new(&path)).await else { continue };
            let directories = repo.worktree_directories().await.unwrap_or_default();
            records.push((row.name, directories));
        }
        let mut orphans = Vec::with_capacity(found.len());
        for (path, cause) in found {
            let place = path.clone();
            let extent = tokio::task::spawn_blocking(move || DirectoryExtent::scan(&place)).await;
            let extent = extent.map_err(|error| EngineError::Workspace(error.to_string()))?;
            let recorded_by = records
                .iter()
                .find(|(_, directories)| directories.contains(&path))
                .map(|(name, _)| name.clone());
            orphans.push(OrphanDirectory { path, cause, extent, recorded_by });
        }
        Ok(orphans)
    }

    /// Logs the orphans at start-up; a failed search is a warning, not a failed start.
    pub(crate) async fn report_orphans(&self) -> Vec<OrphanRecord> {
        let found = self.find_orphans().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "could not search for orphaned workspaces");
            Vec::new()
        });
        for (path, cause) in &found {
            tracing::warn!(path = %path.display(), %cause, "found an orphaned workspace; leaving it alone");
        }
        found
            .into_iter()
            .map(|(path, cause)| OrphanRecord { path, reason: cause.to_string() })
            .collect()
    }

    async fn find_orphans(&self) -> Result<Vec<(PathBuf, OrphanCause)>, EngineError> {
        let unreadable = |error: GitError| EngineError::Workspace(error.to_string());
        let mut names = self.root.load_directories().await.map_err(unreadable)?;
        names.sort();
        let planned = self.planned_directories().await?;
        let mut found = Vec::new();
        for name in names {
            let path = self.root.directory(&name);
            let is_directory = path.symlink_metadata().is_ok_and(|entry| entry.is_dir());
            if !is_directory || planned.contains(name.as_str()) || self.is_held(&name) {
                continue;
            }
            if let Some(cause) = self.orphan_cause(&path).await? {
                found.push((path, cause));
            }
        }
        Ok(found)
    }

    fn is_held(&self, name: &DirectoryName) -> bool {
        self.workspace_locks.holder(name).is_some()
    }

    async fn orphan_cause(&self, path: &Path) -> Result<Option<OrphanCause>, EngineError> {
        // Forge's own names are always UTF-8.
        let Some(text) = path.to_str() else { return Ok(Some(OrphanCause::NoTask)) };
        let tasks = tables::tasks::list_at_path(&self.db, text).await?;
        let Some(first) = tasks.first() else { return Ok(Some(OrphanCause::NoTask)) };
        for task in &tasks {
            if !is_over(task) || self.removal_is_planned(task).await? {
                return Ok(None);
            }
        }
        Ok(Some(OrphanCause::TaskEnded { key: first.key() }))
    }

    async fn removal_is_planned(&self, task: &TaskSnapshot) -> Result<bool, EngineError> {
        let steps = tables::effects::list_of_task(&self.db, task.id).await?;
        Ok(steps
            .iter()
            .any(|step| step.open && matches!(step.effect, Effect::CleanWorkspace { .. })))
    }

    /// Directories being created and not yet recorded.
    async fn planned_directories(&self) -> Result<BTreeSet<String>, EngineError> {
        let journals = tables::effects::open_journals(&self.db).await?;
        let intents =
            journals.iter().filter_map(|text| serde_json::from_str::<WorkspacePlan>(text).ok());
        Ok(intents.map(|intent| intent.directory).collect())
    }
}

fn is_over(task: &TaskSnapshot) -> bool {
    matches!(task.standing, TaskStanding::Succeeded | TaskStanding::Ended)
}
