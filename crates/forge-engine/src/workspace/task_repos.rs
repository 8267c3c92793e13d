//! Opens the repositories of tasks, and finds their target branches.

use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use crate::effects::{EffectContext, EffectError};
use crate::remote::access::Remotes;
use crate::workspace::locate::{load_target_in, target_name};
use crate::workspace::pool::OpenedRepos;
use forge_domain::task::TaskSnapshot;
use forge_git::{BranchName, ObjectId, Repo};
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::repos::RepoRow;
use forge_store::{Db, tables};
use std::path::Path;

/// The repositories and target branches of tasks.
#[derive(Debug, Clone)]
pub(crate) struct TaskRepos {
    pub(crate) db: Db,
    pub(crate) opened_repos: OpenedRepos,
    pub(crate) remotes: Remotes,
}

impl TaskRepos {
    /// Opens the task's repository.
    pub(crate) async fn open_task_repo(&self, task: &TaskSnapshot) -> Result<Repo, EffectError> {
        self.open_row(&self.load_repo_row(task).await?).await
    }

    /// Opens the repository of an effect's task.
    pub(crate) async fn open_of_effect(&self, effect: &EffectContext) -> Result<Repo, EffectError> {
        self.open_row(effect.repo_row()?).await
    }

    async fn open_row(&self, row: &RepoRow) -> Result<Repo, EffectError> {
        let Some(path) = &row.path else {
            return Err(EffectError::workspace(
                "the task's repository is not on this machine; add one to the project",
            ));
        };
        Ok(self.opened_repos.open(Path::new(path)).await?)
    }

    pub(crate) async fn load_repo_row(&self, task: &TaskSnapshot) -> Result<RepoRow, EffectError> {
        let row = match task.repo_id {
            Some(id) => tables::repos::load(&self.db, id).await?,
            None => None,
        };
        row.ok_or_else(|| {
            EffectError::workspace(
                "the task has no repository; add one to the project and make it anew",
            )
        })
    }

    /// Fetches the task's target if its repository is a clone.
    pub(crate) async fn fetch_task_target(
        &self,
        task: &TaskSnapshot,
        row: &RepoRow,
        project: &ProjectRow,
        repo: &Repo,
    ) -> Result<(), EffectError> {
        if row.url.is_none() {
            return Ok(());
        }
        let remote = match self.remotes.load_origin(row, project).await {
            Ok(Some(remote)) => remote,
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::warn!(repo = row.name, %error, "remote unavailable; using the local state");
                return Ok(());
            }
        };
        match BranchName::new(target_name(task, row)) {
            Ok(branch) => self.remotes.fetch_remote_branch(row.id, repo, &remote, &branch).await,
            // The effect that needs the branch reports the error.
            Err(_) => Ok(()),
        }
    }

    /// Opens a task's repository, and fetches its target if it is a clone. Returns the repository, the target branch
    /// and its tip.
    pub(crate) async fn fetch_target_of(
        &self,
        task: &TaskSnapshot,
    ) -> Result<(Repo, BranchName, ObjectId), EffectError> {
        let row = self.load_repo_row(task).await?;
        let repo = self.open_row(&row).await?;
        let project = tables::projects::load(&self.db, task.project_id).await?;
        let project = require_found(project, "project", task.project_id)?;
        self.fetch_task_target(task, &row, &project, &repo).await?;
        let (target, tip) = load_target_in(task, &row, &repo).await?;
        Ok((repo, target, tip))
    }

    /// The task's target branch and its tip.
    pub(crate) async fn load_target(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
    ) -> Result<(BranchName, ObjectId), EffectError> {
        load_target_in(task, &self.load_repo_row(task).await?, repo).await
    }

    /// The unfinished tasks of the task's repository that have a workspace, this task included. Also tasks of other
    /// projects with the same repository: earlier versions allowed that.
    pub(crate) async fn load_live_tasks_of_repo(
        &self,
        task: &TaskSnapshot,
    ) -> Result<Vec<TaskSnapshot>, EngineError> {
        let rows = tables::repos::list_all(&self.db).await?;
        let own = rows.iter().find(|row| Some(row.id) == task.repo_id);
        let Some(path) = own.and_then(|own| own.path.clone()) else { return Ok(Vec::new()) };
        let mut tasks = Vec::new();
        for row in rows.iter().filter(|row| row.path.as_ref() == Some(&path)) {
            let live = tables::tasks::list_live_with_workspace(&self.db, row.project_id).await?;
            tasks.extend(live.into_iter().filter(|other| other.repo_id == Some(row.id)));
        }
        Ok(tasks)
    }
}
