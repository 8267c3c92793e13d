//! The directory of a project that works without git (W-1).

use crate::admin::boundary::project_directories::ProjectBoundary;
use crate::admin::boundary::resolve_path;
use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::nodes::data_directory::DataDirectory;
use forge_domain::WorkspaceType;
use forge_domain::project::{ProjectSettings, SettingsProblem};
use forge_git::{
    DirectoryName, GitError, LockHolder, LockWait, WorkspaceLockGuard, WorkspaceLocks,
    WorkspaceRoot,
};
use forge_store::tables::projects::ProjectRow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The directory that all tasks of such a project share.
#[derive(Debug, Clone)]
pub(crate) struct PlainDirectory {
    parent: PathBuf,
    name: DirectoryName,
}

impl PlainDirectory {
    pub(crate) fn path(&self) -> PathBuf {
        self.parent.join(self.name.as_str())
    }

    /// Creates the directory if it is missing.
    pub(crate) async fn make(&self) -> Result<(), GitError> {
        let root = WorkspaceRoot::open(&self.parent).await?;
        root.make_directory(&self.name).await
    }

    /// Reads the setting, or returns what is wrong with it.
    fn read(path: &str) -> Result<Self, String> {
        let path = Path::new(path);
        let climbs = path.components().any(|part| matches!(part, Component::ParentDir));
        if !path.is_absolute() || climbs {
            return Err("give an absolute path without `..`".to_owned());
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = DirectoryName::new(name).map_err(|error| error.to_string())?;
        let parent = path.parent().unwrap_or(Path::new("/")).to_owned();
        if !parent.is_dir() {
            return Err(format!("{} is no directory; make it first", parent.display()));
        }
        if path.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            return Err(format!("{} is no plain directory", path.display()));
        }
        Ok(Self { parent, name })
    }
}

/// Settings that contradict the project's workspace type, and a directory that cannot be used.
pub(crate) fn plain_settings_problems(
    workspace_type: WorkspaceType,
    settings: &ProjectSettings,
) -> Vec<SettingsProblem> {
    let mut problems = Vec::new();
    let mut add = |path: &str, problem: &str| problems.push(SettingsProblem::new(path, problem));
    if workspace_type != WorkspaceType::PersistentDirectory {
        if settings.directory.is_some() {
            add(
                "settings.directory",
                "only a project with workspace_type persistent_directory has one",
            );
        }
        return problems;
    }
    if settings.branch_template.is_some() {
        add("settings.branch_template", "a plain directory has no branches");
    }
    if settings.directory_template.is_some() {
        add(
            "settings.directory_template",
            "all tasks share one directory; name it in settings.directory",
        );
    }
    if settings.keep_ignored_files {
        add("settings.keep_ignored_files", "a plain directory is never cleaned");
    }
    if let Some(Err(problem)) = settings.directory.as_deref().map(PlainDirectory::read) {
        add("settings.directory", &problem);
    }
    problems
}

/// The plain directories of projects without git.
#[derive(Debug, Clone)]
pub(crate) struct PlainDirectories {
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) boundary: ProjectBoundary,
    pub(crate) workspace_locks: WorkspaceLocks,
}

impl PlainDirectories {
    /// The project's directory, if it works in one.
    pub(crate) fn load_plain_directory(
        &self,
        project: &ProjectRow,
    ) -> Result<Option<PlainDirectory>, EngineError> {
        if project.workspace_type != WorkspaceType::PersistentDirectory {
            return Ok(None);
        }
        let directory = match project.settings.directory()? {
            Some(path) => {
                // Its parents may have become symlinks since the settings were saved.
                self.boundary.refuse_own(Path::new(path), &resolve_path(Path::new(path)))?;
                PlainDirectory::read(path)
            }
            None => self.default_plain_directory(project),
        };
        directory.map(Some).map_err(EngineError::Workspace)
    }

    /// The default directory, inside the data directory.
    fn default_plain_directory(&self, project: &ProjectRow) -> Result<PlainDirectory, String> {
        let name = DirectoryName::new(project.id.to_string()).map_err(|error| error.to_string())?;
        Ok(PlainDirectory { parent: self.home.directories(), name })
    }

    /// Locks the directory: one writer at a time, whatever the task (W-4).
    pub(crate) async fn lock_plain_directory(
        &self,
        directory: &PlainDirectory,
        holder: LockHolder,
        patience: LockWait,
    ) -> Result<WorkspaceLockGuard, EffectError> {
        let root = WorkspaceRoot::open(&directory.parent).await?;
        Ok(self.workspace_locks.acquire(&root, &directory.name, holder, patience).await?)
    }
}
