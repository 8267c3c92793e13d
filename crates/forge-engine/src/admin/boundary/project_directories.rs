//! Which directories of this machine a project may use (S-6).

use crate::command::errors::EngineError;
use crate::nodes::data_directory::DataDirectory;
use forge_domain::ProjectId;
use forge_git::{RemoteUrl, RepositoryDirectories, WorkspaceRoot};
use forge_store::Db;
use forge_store::tables::{self, repos::RepoRow};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keeps projects out of the directories of Forge and of each other.
#[derive(Debug, Clone)]
pub struct ProjectBoundary {
    pub(crate) db: Db,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) root: WorkspaceRoot,
}

impl ProjectBoundary {
    /// Refuses a repository that lies in Forge's own directories.
    pub(crate) fn refuse_own_repository(&self, path: &Path) -> Result<(), EngineError> {
        let Some(asked) = RepositoryDirectories::load(path) else { return Ok(()) };
        for directory in asked.all() {
            self.refuse_own(path, directory)?;
        }
        if self.home.root().starts_with(asked.top()) {
            return Err(path_not_allowed(path, "the data directory lies inside it"));
        }
        Ok(())
    }

    /// Refuses a repository that shares references or objects with a repository of another project.
    pub(crate) async fn refuse_foreign_repository(
        &self,
        project: ProjectId,
        path: &Path,
    ) -> Result<(), EngineError> {
        let Some(asked) = RepositoryDirectories::load(path) else { return Ok(()) };
        let others = self.load_foreign_repositories(project).await?;
        match others.iter().any(|other| asked.shares_with(other)) {
            true => Err(used_by_another_project(path)),
            false => Ok(()),
        }
    }

    /// Applies both checks to a URL that points to a local directory.
    pub(crate) async fn check_file_address(
        &self,
        project: ProjectId,
        url: &RemoteUrl,
    ) -> Result<(), EngineError> {
        for directory in url.directories() {
            self.refuse_own_repository(&directory)?;
            self.refuse_foreign_repository(project, &directory).await?;
        }
        Ok(())
    }

    /// Refuses a plain directory that would give a project's agents access to files of Forge or of another project.
    pub(crate) async fn check_plain_directory(
        &self,
        project: Option<ProjectId>,
        path: &Path,
    ) -> Result<(), EngineError> {
        let resolved = resolve_path(path);
        self.refuse_own(path, &resolved)?;
        for own in [self.home.root(), self.root.path()] {
            if own.starts_with(&resolved) {
                return Err(path_not_allowed(path, "Forge keeps its own data inside it"));
            }
        }
        let overlaps = |other: &Path| resolved.starts_with(other) || other.starts_with(&resolved);
        // A new project has no repositories yet, so every registered repository belongs to another project.
        let new_project = ProjectId::new(uuid::Uuid::nil());
        for other in self.load_foreign_repositories(project.unwrap_or(new_project)).await? {
            if other.all().any(overlaps) {
                return Err(path_not_allowed(
                    path,
                    "it overlaps with the repository of another project",
                ));
            }
        }
        for other in tables::projects::all(&self.db).await? {
            let directory = other.settings.or_defaults().directory.as_deref();
            let taken = directory.is_some_and(|other| overlaps(&resolve_path(Path::new(other))));
            if taken && Some(other.id) != project {
                return Err(path_not_allowed(
                    path,
                    "it overlaps with the directory of another project",
                ));
            }
        }
        Ok(())
    }

    /// The resolved directories of a repository, or the directory itself if it is not a repository.
    pub fn directories_of(path: &Path) -> Vec<PathBuf> {
        match RepositoryDirectories::load(path) {
            Some(found) => found.all().map(Path::to_owned).collect(),
            None => vec![resolve_path(path)],
        }
    }

    /// The local directories that git would read for a URL.
    pub fn directories_of_url(url: &str) -> Vec<PathBuf> {
        let Ok(url) = RemoteUrl::new(url) else { return Vec::new() };
        url.directories().iter().flat_map(|path| Self::directories_of(path)).collect()
    }

    /// Refuses a directory inside the data directory or the workspace root.
    pub(crate) fn refuse_own(&self, asked: &Path, directory: &Path) -> Result<(), EngineError> {
        let own = [
            (self.home.root(), "it lies in the data directory of this server"),
            (self.root.path(), "it lies in the workspace root of this server"),
        ];
        match own.iter().find(|(own, _)| directory.starts_with(own)) {
            Some((_, reason)) => Err(path_not_allowed(asked, reason)),
            None => Ok(()),
        }
    }

    async fn load_foreign_repositories(
        &self,
        project: ProjectId,
    ) -> Result<Vec<RepositoryDirectories>, EngineError> {
        let rows = tables::repos::list_all(&self.db).await?.into_iter();
        let others = rows.filter(|row: &RepoRow| row.project_id != project);
        let paths = others.filter_map(|row| row.path);
        Ok(paths.filter_map(|path| RepositoryDirectories::load(Path::new(&path))).collect())
    }
}

/// The error for a repository that another project uses.
pub(crate) fn used_by_another_project(path: &Path) -> EngineError {
    path_not_allowed(path, "it is, or borrows from, the repository of another project")
}

fn path_not_allowed(path: &Path, reason: &'static str) -> EngineError {
    EngineError::PathNotAllowed { path: path.to_owned(), reason }
}

/// Resolves a path even if its last components do not exist yet.
pub(crate) fn resolve_path(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => resolve_path(parent).join(name),
        _ => path.to_owned(),
    }
}
