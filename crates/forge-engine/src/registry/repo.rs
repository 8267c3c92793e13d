//! Repositories of a project.

use super::name;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::plain::PERSISTENT;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_store::Tx;
use forge_store::tables::repo_remotes::RepoRemote;
use forge_store::tables::{self, repos::Repo};
use std::path::PathBuf;
use std::sync::Arc;

/// A repository to be added.
#[derive(Debug, Clone)]
pub struct NewRepo {
    /// Where it is on this machine.
    pub path: PathBuf,
    /// What to call it; its directory's name when absent.
    pub name: Option<String>,
}

impl Engine {
    /// Adds a local repository to a project; the first one is the primary one.
    pub async fn add_repo(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: NewRepo,
    ) -> Result<Repo, EngineError> {
        self.check_takes_repos(project).await?;
        let row = self.row_of(project, asked).await?;
        insert(self, actor, row, None).await
    }

    /// How a local repository is written down, if it can be used.
    pub(super) async fn row_of(
        &self,
        project: ProjectId,
        asked: NewRepo,
    ) -> Result<Repo, EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let repo = forge_git::Repo::open(&self.0.git, &asked.path)
            .await
            .map_err(|error| unusable(error.to_string()))?;
        let branch = repo.default_branch().await.map_err(|error| unusable(error.to_string()))?;
        let path = tokio::fs::canonicalize(&asked.path)
            .await
            .map_err(|error| unusable(error.to_string()))?;
        if self.0.root.path().starts_with(&path) {
            return Err(unusable(format!(
                "the workspace root {} lies inside {}, where every worktree would show up among its files; start the \
                 server with another --workspace-root (FORGE_WORKSPACE_ROOT)",
                self.0.root.path().display(),
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
        let now = self.now();
        Ok(Repo {
            id: RepoId::new(self.0.ids.next(now)),
            project_id: project,
            name,
            path: Some(text),
            url: None,
            default_branch: branch.to_string(),
            primary: false,
            created_at: now,
        })
    }

    /// A project that works in one directory has no use for a repository (W-1).
    pub(super) async fn check_takes_repos(&self, project: ProjectId) -> Result<(), EngineError> {
        takes_repos(&self.project(project).await?.workspace_type)
    }

    /// Whether the name is free, before much work is done for it.
    pub(super) async fn check_repo_name(
        &self,
        project: ProjectId,
        name: &str,
    ) -> Result<(), EngineError> {
        let known = tables::repos::list_of_project(&self.0.db, project).await?;
        if known.iter().any(|repo| repo.name == name) { Err(duplicate(name)) } else { Ok(()) }
    }
}

/// Whether a project of this kind has a use for a repository.
pub(super) fn takes_repos(workspace_type: &str) -> Result<(), EngineError> {
    if workspace_type == PERSISTENT {
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

/// Writes a new repository down; the first of a project is its primary one.
pub(super) async fn insert(
    engine: &Engine,
    actor: Actor,
    row: Repo,
    said: Option<RepoRemote>,
) -> Result<Repo, EngineError> {
    let project = row.project_id;
    let duplicate = duplicate(&row.name);
    let row = Arc::new(row);
    let written = engine
        .0
        .db
        .write(move |tx| {
            let (mut row, actor, said) = ((*row).clone(), actor.clone(), said.clone());
            Box::pin(async move {
                // The project's lock decides who is first.
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
        other => other.inspect(|row| engine.tend_pool(Some(row.id))),
    }
}

/// Writes it as it is, with its event.
pub(super) async fn insert_in(tx: &mut Tx, actor: &Actor, row: &Repo) -> Result<(), EngineError> {
    tables::repos::insert(tx, row).await?;
    let data = serde_json::json!({ "id": row.id, "name": row.name, "primary": row.primary });
    let (kind, at) = ("repo.added".to_owned(), row.created_at);
    let event = tables::events::NewEvent { kind, version: 1, at, data };
    tables::events::append(tx, row.project_id, actor, None, &[event]).await?;
    Ok(())
}
