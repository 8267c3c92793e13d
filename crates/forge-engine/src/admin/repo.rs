//! Local repositories of a project.

use crate::admin::boundary::project_directories::ProjectBoundary;
use crate::admin::boundary::used_by_another_project;
use crate::admin::name;
use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::id_source::IdSource;
use crate::command::lookup::RecordReader;
use crate::effects::engine_tasks::EngineTasks;
use crate::execution::server_environment::ServerEnvironment;
use crate::nodes::data_directory::DataDirectory;
use crate::remote::access::Remotes;
use crate::workspace::pool::OpenedRepos;
use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::{Actor, ProjectId, RepoId, WorkspaceType};
use forge_git::{BranchName, DefaultBranchError, GitProgram, WorkspaceRoot};
use forge_store::tables::repo_remotes::RepoRemoteRow;
use forge_store::tables::{self, repos::RepoRow};
use forge_store::{Db, Tx};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A local repository to be added.
#[derive(Debug, Clone)]
pub struct LocalRepoSpec {
    pub path: PathBuf,
    /// Its name; by default the directory's name.
    pub name: Option<String>,
}

/// Who chose the repository's location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepoOrigin {
    /// A user named the directory.
    Named,
    /// Forge created it in its own data directory.
    Founded,
}

/// The repositories of projects: adding, cloning, settings, removal.
#[derive(Debug, Clone)]
pub struct Repos {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) boundary: ProjectBoundary,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) git: GitProgram,
    pub(crate) opened_repos: OpenedRepos,
    pub(crate) pools: WorktreePools,
    pub(crate) records: RecordReader,
    pub(crate) remotes: Remotes,
    pub(crate) root: WorkspaceRoot,
    pub(crate) tasks: EngineTasks,
}

impl Repos {
    /// Adds a local repository, unless it belongs to Forge or to another project (S-6); the first one is the primary
    /// one.
    pub async fn add_repo(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: LocalRepoSpec,
    ) -> Result<RepoRow, EngineError> {
        self.add_repo_with_branch(actor, project, asked, None).await
    }

    /// Adds a local repository with its default branch.
    pub async fn add_repo_with_branch(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: LocalRepoSpec,
        branch: Option<&str>,
    ) -> Result<RepoRow, EngineError> {
        self.check_takes_repos(project).await?;
        let row = self.build_repo_row(project, asked, branch, RepoOrigin::Named).await?;
        self.insert(actor, row, None).await
    }

    /// Adds a repository that Forge created by [`Engine::found_repository`].
    pub async fn add_founded_repo(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: LocalRepoSpec,
    ) -> Result<RepoRow, EngineError> {
        self.check_takes_repos(project).await?;
        let row = self.build_repo_row(project, asked, None, RepoOrigin::Founded).await?;
        self.insert(actor, row, None).await
    }

    /// The branch that work lands on: the named one, else the unambiguous one (issue 13.21).
    async fn landing_branch(
        &self,
        repo: &forge_git::Repo,
        named: Option<&str>,
    ) -> Result<BranchName, EngineError> {
        if let Some(name) = named {
            let missing = || EngineError::InvalidField {
                field: "default_branch",
                problem: "the repository has no such branch; name one that has a commit".to_owned(),
            };
            let branch = BranchName::new(name).map_err(|_| missing())?;
            let tip = repo.tip(&branch).await;
            let tip = tip.map_err(|error| EngineError::RepoUnusable(error.to_string()))?;
            return if tip.is_some() { Ok(branch) } else { Err(missing()) };
        }
        let home = self.environment.vars().find(|(name, _)| name == "HOME");
        let configured = match home {
            Some((_, home)) => self.git.init_default_branch(&home).await,
            None => None,
        };
        repo.default_branch(configured.as_deref()).await.map_err(|error| match error {
            DefaultBranchError::Unclear { candidates, .. } => EngineError::DefaultBranchUnclear {
                candidates: candidates.iter().map(ToString::to_string).collect(),
            },
            other => EngineError::RepoUnusable(other.to_string()),
        })
    }

    /// Builds the row of a local repository, if it is usable and the project may have it.
    pub(crate) async fn build_repo_row(
        &self,
        project: ProjectId,
        asked: LocalRepoSpec,
        branch: Option<&str>,
        origin: RepoOrigin,
    ) -> Result<RepoRow, EngineError> {
        if origin == RepoOrigin::Named {
            self.boundary.refuse_own_repository(&asked.path)?;
        }
        self.boundary.refuse_foreign_repository(project, &asked.path).await?;
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let repo = forge_git::Repo::open(&self.git, &asked.path)
            .await
            .map_err(|error| unusable(error.to_string()))?;
        self.copy_settings_at_registration(&repo)
            .await
            .map_err(|error| unusable(error.to_string()))?;
        let branch = self.landing_branch(&repo, branch).await?;
        let path = tokio::fs::canonicalize(&asked.path)
            .await
            .map_err(|error| unusable(error.to_string()))?;
        if self.root.path().starts_with(&path) {
            return Err(unusable(format!(
                "the workspace root {} lies inside {}, where every worktree would show up among its files; start the \
                 server with another --workspace-root (FORGE_WORKSPACE_ROOT)",
                self.root.path().display(),
                path.display()
            )));
        }
        let Some(text) = path.to_str().map(str::to_owned) else {
            return Err(unusable(
                "the repository's path is not UTF-8; move it to one that is".to_owned(),
            ));
        };
        let name = match asked.name {
            Some(name) => name,
            None => path
                .file_name()
                .map_or_else(|| "repo".to_owned(), |name| name.to_string_lossy().into_owned()),
        };
        name::check(&name)?;
        let now = self.clock.now();
        Ok(RepoRow {
            id: RepoId::new(self.ids.next(now)),
            project_id: project,
            name,
            path: Some(text),
            url: None,
            default_branch: branch.to_string(),
            primary: false,
            created_at: now,
        })
    }

    /// Refuses a repository for a project that works in one directory (W-1).
    pub(crate) async fn check_takes_repos(&self, project: ProjectId) -> Result<(), EngineError> {
        takes_repos(self.records.project(project).await?.workspace_type)
    }

    /// Refuses a taken name early, before the expensive work.
    pub(crate) async fn check_repo_name(
        &self,
        project: ProjectId,
        name: &str,
    ) -> Result<(), EngineError> {
        let known = tables::repos::list_of_project(&self.db, project).await?;
        if known.iter().any(|repo| repo.name == name) { Err(duplicate(name)) } else { Ok(()) }
    }

    /// Stores a new repository; the first of a project is its primary one.
    pub(crate) async fn insert(
        &self,
        actor: Actor,
        row: RepoRow,
        said: Option<RepoRemoteRow>,
    ) -> Result<RepoRow, EngineError> {
        let project = row.project_id;
        let duplicate = duplicate(&row.name);
        let row = Arc::new(row);
        let written = self
            .db
            .write(move |tx| {
                let (mut row, actor, said) = ((*row).clone(), actor.clone(), said.clone());
                Box::pin(async move {
                    // The project's lock decides which repository is first.
                    tables::projects::lock(tx, project).await?;
                    row.primary = tables::repos::primary_of_in(tx, project).await?.is_none();
                    insert_in(tx, &actor, &row).await?;
                    if let Some(said) = &said {
                        tables::repo_remotes::put(tx, said).await?;
                    }
                    Ok::<_, EngineError>(row)
                })
            })
            .await;
        match written {
            Err(EngineError::Store(error)) if error.is_duplicate() => Err(duplicate),
            other => other.inspect(|row| self.pools.maintain_pool(Some(row.id))),
        }
    }
}

/// Whether a project of this workspace type can have repositories.
pub(crate) fn takes_repos(workspace_type: WorkspaceType) -> Result<(), EngineError> {
    if workspace_type == WorkspaceType::PersistentDirectory {
        return Err(EngineError::RepoUnusable(
            "the project works in one plain directory without git; make a project with workspace_type \
             git_worktree for a repository"
                .to_owned(),
        ));
    }
    Ok(())
}

fn duplicate(name: &str) -> EngineError {
    EngineError::Duplicate { noun: "repository", field: "name", value: name.to_owned() }
}

/// Stores the row with its event.
pub(crate) async fn insert_in(
    tx: &mut Tx,
    actor: &Actor,
    row: &RepoRow,
) -> Result<(), EngineError> {
    // Another project may have registered it since the check.
    if let Some(path) = &row.path
        && tables::repos::is_taken_in(tx, path, row.project_id).await?
    {
        return Err(used_by_another_project(Path::new(path)));
    }
    tables::repos::insert(tx, row).await?;
    let data = serde_json::json!({ "id": row.id, "name": row.name, "primary": row.primary });
    let (kind, at) = ("repo.added".to_owned(), row.created_at);
    let event = tables::events::NewEvent { kind, version: 1, at, data };
    append_events(tx, row.project_id, actor, &[event]).await?;
    Ok(())
}
