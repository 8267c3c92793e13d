//! The one directory of a project that works without git (W-1).

use crate::effects::Failure;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_git::{DirectoryName, GitError, Holder, Patience, WorkspaceHold, WorkspaceRoot};
use forge_store::tables::projects::Project;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};

/// How a project says that it works in one directory.
pub(crate) const PERSISTENT: &str = "persistent_directory";

/// Where all tasks of such a project are worked on.
#[derive(Debug, Clone)]
pub(crate) struct PlainDirectory {
    parent: PathBuf,
    name: DirectoryName,
}

impl PlainDirectory {
    pub(crate) fn path(&self) -> PathBuf {
        self.parent.join(self.name.as_str())
    }

    /// Makes it if it is not there.
    pub(crate) async fn make(&self) -> Result<(), GitError> {
        let root = WorkspaceRoot::open(&self.parent).await?;
        root.make_directory(&self.name).await
    }

    /// As the settings say; what is wrong with them otherwise.
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

/// Refuses settings that do not go together with how the project works.
pub(crate) fn check(workspace_type: &str, settings: &Value) -> Result<(), EngineError> {
    let given = |name: &str| settings.get(name).filter(|value| !value.is_null());
    let refuse = |field: &'static str, problem: &str| {
        Err(EngineError::InvalidField { field, problem: problem.to_owned() })
    };
    if workspace_type != PERSISTENT {
        return match given("directory") {
            Some(_) => refuse(
                "settings.directory",
                "only a project with workspace_type persistent_directory has one",
            ),
            None => Ok(()),
        };
    }
    if given("branch_template").is_some() {
        return refuse("settings.branch_template", "a plain directory has no branches");
    }
    if given("directory_template").is_some() {
        return refuse(
            "settings.directory_template",
            "all tasks share one directory; name it in settings.directory",
        );
    }
    if given("keep_ignored_files") == Some(&Value::Bool(true)) {
        return refuse("settings.keep_ignored_files", "a plain directory is never cleaned");
    }
    match given("directory").and_then(Value::as_str) {
        Some(path) => PlainDirectory::read(path)
            .map(drop)
            .map_err(|problem| EngineError::InvalidField { field: "settings.directory", problem }),
        None => Ok(()),
    }
}

impl Engine {
    /// The project's directory, if it works in one.
    pub(crate) fn directory_of(
        &self,
        project: &Project,
    ) -> Result<Option<PlainDirectory>, EngineError> {
        if project.workspace_type != PERSISTENT {
            return Ok(None);
        }
        let place = match project.settings.get("directory").and_then(Value::as_str) {
            Some(path) => PlainDirectory::read(path),
            None => self.own_directory(project),
        };
        place.map(Some).map_err(EngineError::Workspace)
    }

    /// In the data directory, unless the settings name another.
    fn own_directory(&self, project: &Project) -> Result<PlainDirectory, String> {
        let name = DirectoryName::new(project.id.to_string()).map_err(|error| error.to_string())?;
        Ok(PlainDirectory { parent: self.0.home.directories(), name })
    }

    /// Takes the directory's lock for somebody: one writer at a time, whichever task it is for (W-4).
    pub(crate) async fn hold_plain(
        &self,
        place: &PlainDirectory,
        holder: Holder,
        patience: Patience,
    ) -> Result<WorkspaceHold, Failure> {
        let root = WorkspaceRoot::open(&place.parent).await?;
        Ok(self.0.workspace_locks.hold(&root, &place.name, holder, patience).await?)
    }
}
