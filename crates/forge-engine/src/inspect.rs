//! Looking into a task's workspace (W-16). Nothing is changed, and an agent at work there is not disturbed.

use crate::effects::Failure;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::{Snapshot, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Refusal};
use forge_git::{Repo, Summary, VerifyError, Worktree};
use forge_store::tables;

pub use forge_git::{Diff, DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus};

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

/// What a task changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDiff {
    /// The commit the changes are counted from.
    pub base: String,
    /// The commit they lead to; none when that is the working tree.
    pub head: Option<String>,
    /// The changes.
    pub diff: Diff,
}

impl Engine {
    /// The task's workspace at a glance.
    pub async fn workspace_summary(
        &self,
        task: &Snapshot,
    ) -> Result<WorkspaceSummary, EngineError> {
        let Some(recorded) = task.workspace.clone() else {
            return Err(Refusal::WorkspaceMissing { key: task.key() }.into());
        };
        let found = match recorded.status {
            WorkspaceStatus::Cleaned => WorkspaceFindings::Gone,
            WorkspaceStatus::Error => {
                WorkspaceFindings::NotRemoved { error: self.removal_error(task).await? }
            }
            WorkspaceStatus::Ready => self.look(task, &recorded).await?,
        };
        Ok(WorkspaceSummary { recorded, found })
    }

    /// What the task changed, counted from where it left its target.
    pub async fn diff(
        &self,
        task: &Snapshot,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<TaskDiff, EngineError> {
        let missing = || EngineError::from(Refusal::WorkspaceMissing { key: task.key() });
        let recorded = task
            .workspace
            .as_ref()
            .filter(|workspace| workspace.status == WorkspaceStatus::Ready)
            .ok_or_else(missing)?;
        let repo = self.repo_of(task).await.map_err(unreadable)?;
        let worktree =
            self.worktree_of(&repo, recorded).await.map_err(unreadable)?.ok_or_else(missing)?;
        worktree.verify().await.map_err(|error| unreadable(error.into()))?;
        let compared = self.compare(task, &repo, &worktree, scope, limits).await;
        compared.map_err(unreadable)
    }

    async fn compare(
        &self,
        task: &Snapshot,
        repo: &Repo,
        worktree: &Worktree,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<TaskDiff, Failure> {
        let head = worktree.head().await?;
        let base = match scope {
            DiffScope::Uncommitted => head.clone(),
            DiffScope::Branch | DiffScope::All => {
                let (_, tip) = self.target_of(task, repo).await?;
                // Histories that share nothing are compared as a whole.
                repo.merge_base(&tip, &head).await?.unwrap_or(tip)
            }
        };
        let diff = worktree.diff(&base, scope, limits).await?;
        Ok(TaskDiff {
            base: base.to_string(),
            head: (scope == DiffScope::Branch).then(|| head.to_string()),
            diff,
        })
    }

    async fn look(
        &self,
        task: &Snapshot,
        recorded: &Workspace,
    ) -> Result<WorkspaceFindings, EngineError> {
        let repo = self.repo_of(task).await.map_err(unreadable)?;
        let (_, tip) = self.target_of(task, &repo).await.map_err(unreadable)?;
        let Some(worktree) = self.worktree_of(&repo, recorded).await.map_err(unreadable)? else {
            let found = format!("git has no record of the worktree {}", recorded.path);
            return Ok(WorkspaceFindings::Corrupted { found });
        };
        match worktree.verify().await {
            Ok(_) => {}
            Err(VerifyError::Corrupt(corruption)) => {
                let found = corruption.to_string();
                return Ok(WorkspaceFindings::Corrupted { found });
            }
            Err(VerifyError::Git(error)) => return Err(unreadable(error.into())),
        }
        let summary = worktree.summary(&tip).await;
        Ok(there(summary.map_err(|error| unreadable(error.into()))?))
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
        Failure::Passing(message) | Failure::Final { message, .. } => {
            EngineError::Workspace(message)
        }
        Failure::Overtaken => EngineError::StaleLease,
    }
}
