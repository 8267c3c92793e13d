//! Locates a task's repository, worktree and target branch.

use crate::command::commit::EffectEnd;
use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use crate::engine::Engine;
use forge_domain::EffectReport;
use forge_domain::task::{AnnotationType, TaskSnapshot, Workspace, WorkspaceStatus};
use forge_git::{
    BranchName, CommitIdentity, CommitSignature, DirectoryName, JournalReason, LockHolder,
    LockWait, LockedWorktree, ObjectId, Repo, WorkspaceLockGuard, WorkspaceRoot,
    WorktreeCorruption, WorktreeVerifyError,
};
use forge_proc::ProcessIdentity;
use forge_store::tables;
use std::path::Path;
use std::time::Duration;

/// How long an effect waits for the workspace lock before it is retried later.
const PATIENCE: LockWait = LockWait::Wait(Duration::from_secs(60));

impl Engine {
    /// Opens the task's repository.
    pub(crate) async fn open_task_repo(&self, task: &TaskSnapshot) -> Result<Repo, EffectError> {
        let Some(path) = self.load_repo_row(task).await?.path else {
            return Err(EffectError::workspace(
                "the task's repository is not on this machine; add one to the project",
            ));
        };
        Ok(self.open_repo(Path::new(&path)).await?)
    }

    pub(crate) async fn load_repo_row(
        &self,
        task: &TaskSnapshot,
    ) -> Result<tables::repos::RepoRow, EffectError> {
        let row = match task.repo_id {
            Some(id) => tables::repos::load(&self.0.db, id).await?,
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
        row: &tables::repos::RepoRow,
        repo: &Repo,
    ) -> Result<(), EffectError> {
        if row.url.is_none() {
            return Ok(());
        }
        let remote = match self.load_origin(row).await {
            Ok(Some(remote)) => remote,
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::warn!(repo = row.name, %error, "fetch failed; using the local state");
                return Ok(());
            }
        };
        match BranchName::new(target_name(task, row)) {
            Ok(branch) => self.fetch_remote_branch(row.id, repo, &remote, &branch).await,
            // The effect that needs the branch reports the error.
            Err(_) => Ok(()),
        }
    }

    /// The task's target branch and its tip.
    pub(crate) async fn load_target(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
    ) -> Result<(BranchName, ObjectId), EffectError> {
        load_target_in(task, &self.load_repo_row(task).await?, repo).await
    }

    /// This process as the holder of a workspace lock (W-4).
    pub(crate) fn lock_holder(&self, execution: String) -> Result<LockHolder, EngineError> {
        let process = ProcessIdentity::of_self().ok_or_else(|| {
            EngineError::Workspace(
                "this process is not in the kernel's table; is /proc there?".to_owned(),
            )
        })?;
        Ok(LockHolder { execution, node: self.0.home.node().to_string(), process })
    }

    /// The commit signature of Forge, dated at the effect's creation, so that a retry makes the same commit.
    pub(crate) fn signature(
        &self,
        author: &str,
        at_millis: i64,
    ) -> Result<CommitSignature, EffectError> {
        let broken =
            |error: forge_git::CommitIdentityError| EffectError::Transient(error.to_string());
        let committer = CommitIdentity::new("Forge", "forge@localhost").map_err(broken)?;
        let author =
            CommitIdentity::new(author, "agent@localhost").unwrap_or_else(|_| committer.clone());
        Ok(CommitSignature { author, committer, at: at_millis / 1000 })
    }
}

impl EffectRun<'_> {
    /// The recorded workspace; without one the effect needs a person.
    pub(crate) fn workspace(&self) -> Result<&Workspace, EffectError> {
        self.task.workspace.as_ref().ok_or_else(|| {
            EffectError::for_person(
                AnnotationType::WorkspaceResetRequired,
                "the task has no workspace; claim it again",
            )
        })
    }

    /// Takes a workspace's lock for this effect (W-4).
    pub(crate) async fn lock_workspace(
        &self,
        name: &DirectoryName,
    ) -> Result<WorkspaceLockGuard, EffectError> {
        self.lock_workspace_in(&self.engine.0.root, name).await
    }

    /// Takes the lock in another root.
    pub(crate) async fn lock_workspace_in(
        &self,
        root: &WorkspaceRoot,
        name: &DirectoryName,
    ) -> Result<WorkspaceLockGuard, EffectError> {
        let locks = &self.engine.0.workspace_locks;
        Ok(locks.acquire(root, name, self.lock_holder()?, PATIENCE).await?)
    }

    /// The lock holder: the execution, else this effect.
    pub(crate) fn lock_holder(&self) -> Result<LockHolder, EffectError> {
        let execution = match &self.task.run {
            Some(run) => run.execution.to_string(),
            None => format!("{} {}", self.row.effect.name(), self.row.id),
        };
        Ok(self.engine.lock_holder(execution)?)
    }

    /// The locked and verified worktree: recreated if missing, refused if it is not the recorded one (W-4, W-6, W-8).
    pub(crate) async fn lock_usable_worktree(
        &self,
        repo: &Repo,
    ) -> Result<LockedWorktree, EffectError> {
        let hold = self.lock_workspace(&directory_of(self.workspace()?)?).await?;
        self.usable_worktree_in(repo, &hold).await
    }

    /// Does the same for a workspace whose lock is already held.
    pub(crate) async fn usable_worktree_in(
        &self,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
    ) -> Result<LockedWorktree, EffectError> {
        let branch = branch_of(self.workspace()?)?;
        self.undo_staged_removal(repo, hold).await?;
        if let Some(worktree) = hold.worktree(repo, &branch).await?
            && worktree.path().exists()
        {
            match worktree.verify().await {
                Ok(_) => {
                    self.finish_interrupted_restore(&worktree).await?;
                    return Ok(worktree);
                }
                // Its creation was interrupted; continue it below.
                Err(WorktreeVerifyError::Corrupt(WorktreeCorruption::NotCheckedOut(_))) => {}
                Err(other) => {
                    self.try_journal_entry(&worktree.snapshot_source(), JournalReason::Corrupted)
                        .await?;
                    return Err(other.into());
                }
            }
        }
        self.rebuild_and_restore(repo, hold, &branch).await
    }

    /// Undoes a staged removal that did not finish, because the worktree is needed again (W-7).
    async fn undo_staged_removal(
        &self,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
    ) -> Result<(), EffectError> {
        let left = hold.root().staged_removals().directory(hold.name());
        if left.symlink_metadata().is_ok() {
            let locked = self.engine.0.repo_locks.acquire(repo).await?;
            locked.cancel_removal(hold).await?;
        }
        Ok(())
    }

    /// Reports the recreation of a worktree that disappeared; a worktree removed on purpose needs no report (W-8).
    pub(crate) async fn report_recovered(&self) -> Result<(), EffectError> {
        let workspace = self.workspace()?;
        if workspace.status == WorkspaceStatus::Cleaned {
            return Ok(());
        }
        tracing::info!(path = workspace.path, "recreated a missing workspace from its branch");
        self.pass_fault_point("workspace.recovered").await?;
        let report = EffectReport::WorkspaceRecovered;
        Ok(self.engine.report(self.row, self.lease, report, EffectEnd::NotYet).await?)
    }

    /// The commit author: the agent's name.
    pub(crate) async fn author(&self) -> Result<String, EffectError> {
        let holder = self.task.run.as_ref().map(|run| run.assignee).or(self.task.holder);
        let named = match holder.and_then(|holder| holder.agent()) {
            Some(id) => tables::agents::load(self.engine.db(), id).await?.map(|agent| agent.name),
            None => None,
        };
        Ok(named.unwrap_or_else(|| "Forge".to_owned()))
    }

    /// The message of a commit that Forge makes for the task (E-6).
    pub(crate) fn commit_message(&self, title: &str) -> String {
        let mut message = format!("{title}\n\nForge-Task: {}\n", self.task.key());
        if let Some(run) = &self.task.run {
            message.push_str(&format!("Forge-Execution: {}\n", run.execution));
            if let Some(agent) = run.assignee.agent() {
                message.push_str(&format!("Forge-Agent: {agent}\n"));
            }
        }
        message
    }
}

/// The target branch of a task of this repository, and its tip.
pub(crate) async fn load_target_in(
    task: &TaskSnapshot,
    row: &tables::repos::RepoRow,
    repo: &Repo,
) -> Result<(BranchName, ObjectId), EffectError> {
    let branch = BranchName::new(target_name(task, row))
        .map_err(|error| EffectError::workspace(format!("the target branch: {error}")))?;
    match repo.tip(&branch).await? {
        Some(tip) => Ok((branch, tip)),
        None => Err(EffectError::workspace(format!(
            "the target branch {branch} does not exist; create it or change merge_config.target_branch"
        ))),
    }
}

/// The task's own target, else the default branch recorded at registration; what is checked out now does not matter.
pub(crate) fn target_name(task: &TaskSnapshot, row: &tables::repos::RepoRow) -> String {
    task.merge_config.target_branch.clone().unwrap_or_else(|| row.default_branch.clone())
}

pub(crate) fn branch_of(workspace: &Workspace) -> Result<BranchName, EffectError> {
    BranchName::new(workspace.branch.clone())
        .map_err(|error| EffectError::workspace(error.to_string()))
}

pub(crate) fn directory_of(workspace: &Workspace) -> Result<DirectoryName, EffectError> {
    let name =
        Path::new(&workspace.path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    DirectoryName::new(name).map_err(|error| EffectError::workspace(error.to_string()))
}
