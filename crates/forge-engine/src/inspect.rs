//! Looking into a task's workspace (W-16). Nothing is changed, and an agent at work there is not disturbed.

use crate::effects::{Failure, branch_of, directory_of};
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::{Snapshot, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Refusal, RepoId};
use forge_git::{BranchName, ObjectId, Repo, Summary, VerifyError, Worktree};
use forge_store::tables;
use futures::{FutureExt, StreamExt};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::SystemTime;

pub use forge_git::{Diff, DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus, Holder};

/// How many workspaces are looked at side by side.
const AT_ONCE: usize = 4;

/// A workspace as recorded, and what is found there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSummary {
    /// What was recorded of it.
    pub recorded: Workspace,
    /// What there is.
    pub found: WorkspaceFindings,
}

/// What is found in the place of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceFindings {
    /// It was removed, as recorded.
    Gone,
    /// It is the project's one directory, without git.
    Plain,
    /// It is there.
    There {
        /// The commit it is on; none before the first.
        head: Option<String>,
        /// Commits that the target does not have.
        ahead: u64,
        /// Commits of the target that it does not have.
        behind: u64,
        /// Files with changes in the index.
        staged: usize,
        /// Tracked files changed and not in the index, or in conflict.
        modified: usize,
        /// Files git does not know.
        untracked: usize,
    },
    /// It is not what was recorded (W-6).
    Corrupted {
        /// What is there instead.
        found: String,
    },
    /// It could not be removed, and the removal is tried again.
    NotRemoved {
        /// Why the last try failed.
        error: Option<String>,
    },
}

impl Engine {
    /// The task's workspace at a glance.
    pub async fn workspace_summary(
        &self,
        task: &Snapshot,
    ) -> Result<WorkspaceSummary, EngineError> {
        self.summarize(task, None).await
    }

    async fn summarize(
        &self,
        task: &Snapshot,
        row: Option<tables::repos::Repo>,
    ) -> Result<WorkspaceSummary, EngineError> {
        let task = &*self.host_of(task).await?;
        let Some(recorded) = task.workspace.clone() else {
            return Err(Refusal::WorkspaceMissing { key: task.key() }.into());
        };
        let found = match recorded.status {
            WorkspaceStatus::Cleaned => WorkspaceFindings::Gone,
            _ if recorded.is_plain() => WorkspaceFindings::Plain,
            WorkspaceStatus::Error => {
                WorkspaceFindings::NotRemoved { error: self.removal_error(task).await? }
            }
            WorkspaceStatus::Ready => self.look(task, row, &recorded).await?,
        };
        Ok(WorkspaceSummary { recorded, found })
    }

    /// Many workspaces at a glance, in the same order. What cannot be read is said in its place.
    pub async fn workspace_summaries(
        &self,
        tasks: &[Snapshot],
    ) -> Vec<Result<WorkspaceSummary, EngineError>> {
        // Many tasks, few repositories.
        let ids: BTreeSet<RepoId> = tasks.iter().filter_map(|task| task.repo_id).collect();
        let mut rows = HashMap::new();
        for id in ids {
            // What cannot be read is asked for again, and the error told, task by task.
            if let Ok(Some(row)) = tables::repos::load(self.db(), id).await {
                rows.insert(id, row);
            }
        }
        let row = |task: &Snapshot| task.repo_id.and_then(|id| rows.get(&id)).cloned();
        let looks: Vec<_> =
            tasks.iter().map(|task| self.summarize(task, row(task)).boxed()).collect();
        futures::stream::iter(looks).buffered(AT_ONCE).collect().await
    }

    /// Who works in a workspace now, and since when (W-4).
    pub fn workspace_holder(&self, recorded: &Workspace) -> Option<(Holder, SystemTime)> {
        let name = directory_of(recorded).ok()?;
        self.0.workspace_locks.holder_since(&name)
    }

    /// The task's repository, its target branch and that one's tip, by what is known of them already; `row` is the
    /// repository's, if it was read.
    pub(crate) async fn seen_target(
        &self,
        task: &Snapshot,
        row: Option<tables::repos::Repo>,
    ) -> Result<(Repo, BranchName, ObjectId), Failure> {
        let row = match row {
            Some(row) => row,
            None => self.repo_row(task).await?,
        };
        let repo = match &row.path {
            Some(path) => self.0.looks.repo(&self.0.git, Path::new(path)).await?,
            None => self.repo_of(task).await?,
        };
        let name = task.merge_config.target_branch.clone().unwrap_or(row.default_branch);
        let branch = BranchName::new(name)
            .map_err(|error| Failure::workspace(format!("the target branch: {error}")))?;
        match repo.tip(&branch).await? {
            Some(tip) => Ok((repo, branch, tip)),
            None => Err(Failure::workspace(format!(
                "the target branch {branch} does not exist; create it or change merge_config.target_branch"
            ))),
        }
    }

    /// The task's worktree, if git has a record of it, and the tip of its target.
    pub(crate) async fn seen_worktree(
        &self,
        task: &Snapshot,
        row: Option<tables::repos::Repo>,
        recorded: &Workspace,
    ) -> Result<Option<(Worktree, ObjectId)>, Failure> {
        let (repo, _, tip) = self.seen_target(task, row).await?;
        let (name, branch) = (directory_of(recorded)?, branch_of(recorded)?);
        let found = self.0.looks.sights.worktree(&repo, &self.0.root, &name, &branch).await?;
        Ok(found.map(|worktree| (worktree, tip)))
    }

    async fn look(
        &self,
        task: &Snapshot,
        row: Option<tables::repos::Repo>,
        recorded: &Workspace,
    ) -> Result<WorkspaceFindings, EngineError> {
        let seen = self.seen_worktree(task, row, recorded).await.map_err(unreadable)?;
        let Some((worktree, tip)) = seen else {
            let found = format!("git has no record of the worktree {}", recorded.path);
            return Ok(WorkspaceFindings::Corrupted { found });
        };
        match self.0.looks.sights.summary(&worktree, &tip).await {
            Ok(summary) => Ok(there(summary)),
            Err(VerifyError::Corrupt(corruption)) => {
                Ok(WorkspaceFindings::Corrupted { found: corruption.to_string() })
            }
            Err(VerifyError::Git(error)) => Err(unreadable(error.into())),
        }
    }

    async fn removal_error(&self, task: &Snapshot) -> Result<Option<String>, EngineError> {
        let steps = tables::effects::list_of_task(self.db(), task.id).await?;
        let removal = steps
            .into_iter()
            .rev()
            .find(|step| matches!(step.effect, Effect::CleanWorkspace { .. }));
        Ok(removal.and_then(|step| step.last_error))
    }
}

fn there(summary: Summary) -> WorkspaceFindings {
    WorkspaceFindings::There {
        head: summary.head.map(|head| head.to_string()),
        ahead: summary.ahead,
        behind: summary.behind,
        staged: summary.staged,
        modified: summary.modified + summary.unmerged,
        untracked: summary.untracked,
    }
}

/// Reading has no step that could be parked or tried again: whoever asked is told.
pub(crate) fn unreadable(failure: Failure) -> EngineError {
    match failure {
        Failure::Passing(message)
        | Failure::Waits { error: message, .. }
        | Failure::Final { message, .. } => EngineError::Workspace(message),
        Failure::Overtaken => EngineError::StaleLease,
    }
}
