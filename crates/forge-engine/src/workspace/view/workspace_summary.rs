//! Summarises a task's workspace (W-16) without changing it or disturbing a working agent.

use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::effects::EffectError;
use crate::workspace::locate::{branch_of, directory_of};
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::view::read_cache::ReadCache;
use forge_domain::task::{TaskSnapshot, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Refusal, RepoId};
use forge_git::{
    BranchName, GitProgram, ObjectId, Repo, WorkspaceLocks, WorkspaceRoot, Worktree,
    WorktreeSummary, WorktreeVerifyError,
};
use forge_store::{Db, tables};
use futures::{FutureExt, StreamExt};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub use forge_git::{DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus, GitDiff, LockHolder};

/// How many workspaces are read concurrently.
const AT_ONCE: usize = 4;

/// Time limit per workspace in a list (W-18).
const MOST_LOOK_TIME: Duration = Duration::from_secs(5);

/// A workspace as recorded, and its current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSummary {
    pub recorded: Workspace,
    pub found: WorkspaceFindings,
}

/// The current state of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceFindings {
    /// Removed, as recorded.
    Gone,
    /// The project's plain directory, without git.
    Plain,
    /// The worktree exists.
    Present {
        /// The current commit; `None` before the first.
        head: Option<String>,
        /// Commits that the target does not contain.
        ahead: u64,
        /// Commits of the target that the branch does not contain.
        behind: u64,
        /// Files with staged changes.
        staged: usize,
        /// Tracked files with unstaged changes or conflicts.
        modified: usize,
        untracked: usize,
    },
    /// Not the recorded worktree (W-6).
    Corrupted {
        /// What is there instead.
        found: String,
    },
    /// The state could not be determined.
    Unknown { reason: String },
    /// The removal failed and is retried.
    NotRemoved {
        /// Error of the last attempt.
        error: Option<String>,
    },
}

/// Reads workspaces for users.
#[derive(Debug, Clone)]
pub struct WorkspaceViews {
    pub(crate) db: Db,
    pub(crate) git: GitProgram,
    pub(crate) read_cache: Arc<ReadCache>,
    pub(crate) records: RecordReader,
    pub(crate) repos: TaskRepos,
    pub(crate) root: WorkspaceRoot,
    pub(crate) workspace_locks: WorkspaceLocks,
}

impl WorkspaceViews {
    /// Summarises the task's workspace.
    pub async fn workspace_summary(
        &self,
        task: &TaskSnapshot,
    ) -> Result<WorkspaceSummary, EngineError> {
        self.summarize(task, None).await
    }

    async fn summarize(
        &self,
        task: &TaskSnapshot,
        row: Option<tables::repos::RepoRow>,
    ) -> Result<WorkspaceSummary, EngineError> {
        let task = &*self.records.load_workspace_owner(task).await?;
        let Some(recorded) = task.workspace.clone() else {
            return Err(Refusal::WorkspaceMissing { key: task.key() }.into());
        };
        let found = match recorded.status {
            WorkspaceStatus::Cleaned => WorkspaceFindings::Gone,
            _ if recorded.is_plain() => WorkspaceFindings::Plain,
            WorkspaceStatus::Error => {
                WorkspaceFindings::NotRemoved { error: self.removal_error(task).await? }
            }
            WorkspaceStatus::Ready => self.inspect_worktree(task, row, &recorded).await?,
        };
        Ok(WorkspaceSummary { recorded, found })
    }

    /// Summarises many workspaces, in the given order. An unreadable one is reported in its place.
    pub async fn workspace_summaries(
        &self,
        tasks: &[TaskSnapshot],
    ) -> Vec<Result<WorkspaceSummary, EngineError>> {
        // Load each repository once; many tasks share few repositories.
        let ids: BTreeSet<RepoId> = tasks.iter().filter_map(|task| task.repo_id).collect();
        let mut rows = HashMap::new();
        for id in ids {
            // A failed load is repeated per task, which reports the error.
            if let Ok(Some(row)) = tables::repos::load(&self.db, id).await {
                rows.insert(id, row);
            }
        }
        let row = |task: &TaskSnapshot| task.repo_id.and_then(|id| rows.get(&id)).cloned();
        let looks: Vec<_> =
            tasks.iter().map(|task| self.summarize_with_timeout(task, row(task)).boxed()).collect();
        futures::stream::iter(looks).buffered(AT_ONCE).collect().await
    }

    /// Summarises within a time limit, so that one unreadable workspace does not delay the others.
    async fn summarize_with_timeout(
        &self,
        task: &TaskSnapshot,
        row: Option<tables::repos::RepoRow>,
    ) -> Result<WorkspaceSummary, EngineError> {
        let looking = tokio::time::timeout(MOST_LOOK_TIME, self.summarize(task, row)).await;
        let reason = match looking {
            Ok(Err(EngineError::Workspace(reason))) => reason,
            Ok(found) => return found,
            Err(_) => format!("it could not be read within {} s", MOST_LOOK_TIME.as_secs()),
        };
        match task.workspace.clone() {
            Some(recorded) => {
                let found = WorkspaceFindings::Unknown { reason };
                Ok(WorkspaceSummary { recorded, found })
            }
            None => Err(EngineError::Workspace(reason)),
        }
    }

    /// The holder of a workspace's lock, and since when (W-4).
    pub fn workspace_holder(&self, recorded: &Workspace) -> Option<(LockHolder, SystemTime)> {
        let name = directory_of(recorded).ok()?;
        self.workspace_locks.holder_since(&name)
    }

    /// The task's repository, target branch and target tip from the read cache; `row` is the repository row if already
    /// loaded.
    pub(crate) async fn load_cached_target(
        &self,
        task: &TaskSnapshot,
        row: Option<tables::repos::RepoRow>,
    ) -> Result<(Repo, BranchName, ObjectId), EffectError> {
        let row = match row {
            Some(row) => row,
            None => self.repos.load_repo_row(task).await?,
        };
        let repo = match &row.path {
            Some(path) => self.read_cache.open_repo(&self.git, Path::new(path)).await?,
            None => self.repos.open_task_repo(task).await?,
        };
        let name = task.merge_config.target_branch.clone().unwrap_or(row.default_branch);
        let branch = BranchName::new(name)
            .map_err(|error| EffectError::workspace(format!("the target branch: {error}")))?;
        match repo.tip(&branch).await? {
            Some(tip) => Ok((repo, branch, tip)),
            None => Err(EffectError::workspace(format!(
                "the target branch {branch} does not exist; create it or change merge_config.target_branch"
            ))),
        }
    }

    /// The task's worktree if git has a record of it, and the tip of its target.
    pub(crate) async fn load_cached_worktree(
        &self,
        task: &TaskSnapshot,
        row: Option<tables::repos::RepoRow>,
        recorded: &Workspace,
    ) -> Result<Option<(Worktree, ObjectId)>, EffectError> {
        let (repo, _, tip) = self.load_cached_target(task, row).await?;
        let (name, branch) = (directory_of(recorded)?, branch_of(recorded)?);
        let found = self.read_cache.sights.worktree(&repo, &self.root, &name, &branch).await?;
        Ok(found.map(|worktree| (worktree, tip)))
    }

    async fn inspect_worktree(
        &self,
        task: &TaskSnapshot,
        row: Option<tables::repos::RepoRow>,
        recorded: &Workspace,
    ) -> Result<WorkspaceFindings, EngineError> {
        let seen =
            self.load_cached_worktree(task, row, recorded).await.map_err(into_engine_error)?;
        let Some((worktree, tip)) = seen else {
            let found = format!("git has no record of the worktree {}", recorded.path);
            return Ok(WorkspaceFindings::Corrupted { found });
        };
        match self.read_cache.sights.summary(&worktree, &tip).await {
            Ok(summary) => Ok(to_findings(summary)),
            Err(WorktreeVerifyError::Corrupt(corruption)) => {
                Ok(WorkspaceFindings::Corrupted { found: corruption.to_string() })
            }
            Err(WorktreeVerifyError::Git(error)) => Err(into_engine_error(error.into())),
        }
    }

    async fn removal_error(&self, task: &TaskSnapshot) -> Result<Option<String>, EngineError> {
        let steps = tables::effects::list_of_task(&self.db, task.id).await?;
        let removal = steps
            .into_iter()
            .rev()
            .find(|step| matches!(step.effect, Effect::CleanWorkspace { .. }));
        Ok(removal.and_then(|step| step.last_error))
    }
}

fn to_findings(summary: WorktreeSummary) -> WorkspaceFindings {
    WorkspaceFindings::Present {
        head: summary.head.map(|head| head.to_string()),
        ahead: summary.ahead,
        behind: summary.behind,
        staged: summary.staged,
        modified: summary.modified + summary.unmerged,
        untracked: summary.untracked,
    }
}

/// A query cannot be parked or retried, so the caller gets the error.
pub(crate) fn into_engine_error(failure: EffectError) -> EngineError {
    match failure {
        EffectError::LeaseLost => EngineError::StaleLease,
        other => EngineError::Workspace(other.to_string()),
    }
}
