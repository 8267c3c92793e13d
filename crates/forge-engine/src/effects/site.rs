//! Where a task's work is: its repository, its worktree, its target branch.

use super::Failure;
use super::perform::Step;
use crate::commit::Closing;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::Report;
use forge_domain::task::{AnnotationType, Snapshot, Workspace, WorkspaceStatus};
use forge_git::{
    BranchName, Corruption, DirectoryName, HeldWorktree, Holder, JournalReason, ObjectId, Patience,
    Person, Repo, Signature, VerifyError, WorkspaceHold, WorkspaceRoot,
};
use forge_proc::ProcessIdentity;
use forge_store::tables;
use std::path::Path;
use std::time::Duration;

/// How long a step waits for whoever works in its workspace before it is tried again later.
const PATIENCE: Patience = Patience::Wait(Duration::from_secs(60));

impl Engine {
    /// The task's repository.
    pub(crate) async fn repo_of(&self, task: &Snapshot) -> Result<Repo, Failure> {
        let Some(path) = self.repo_row(task).await?.path else {
            return Err(Failure::workspace(
                "the task's repository is not on this machine; add one to the project",
            ));
        };
        Ok(self.open_repo(Path::new(&path)).await?)
    }

    pub(crate) async fn repo_row(&self, task: &Snapshot) -> Result<tables::repos::Repo, Failure> {
        let row = match task.repo_id {
            Some(id) => tables::repos::load(&self.0.db, id).await?,
            None => None,
        };
        row.ok_or_else(|| {
            Failure::workspace(
                "the task has no repository; add one to the project and make it anew",
            )
        })
    }

    /// Fetches what the task starts from, if its repository was cloned from elsewhere.
    pub(crate) async fn refresh_target(
        &self,
        task: &Snapshot,
        row: &tables::repos::Repo,
        repo: &Repo,
    ) -> Result<(), Failure> {
        if row.url.is_none() {
            return Ok(());
        }
        let remote = match self.origin_of(row).await {
            Ok(Some(remote)) => remote,
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::warn!(repo = row.name, %error, "could not be fetched; going on with what is here");
                return Ok(());
            }
        };
        match BranchName::new(target_name(task, row)) {
            Ok(branch) => self.refresh(row.id, repo, &remote, &branch).await,
            // Said by whoever needs the branch.
            Err(_) => Ok(()),
        }
    }

    /// The branch the task lands on, and its tip.
    pub(crate) async fn target_of(
        &self,
        task: &Snapshot,
        repo: &Repo,
    ) -> Result<(BranchName, ObjectId), Failure> {
        target_in(task, &self.repo_row(task).await?, repo).await
    }

    /// Somebody in this process, as the holder of a workspace's lock (W-4).
    pub(crate) fn holder(&self, execution: String) -> Result<Holder, EngineError> {
        let process = ProcessIdentity::of_self().ok_or_else(|| {
            EngineError::Workspace(
                "this process is not in the kernel's table; is /proc there?".to_owned(),
            )
        })?;
        Ok(Holder { execution, node: self.0.home.node().to_string(), process })
    }

    /// Who Forge commits as, at the time the step was wanted: the same each time it is tried.
    pub(crate) fn signature(&self, author: &str, at_millis: i64) -> Result<Signature, Failure> {
        let broken = |error: forge_git::PersonError| Failure::Passing(error.to_string());
        let committer = Person::new("Forge", "forge@localhost").map_err(broken)?;
        let author = Person::new(author, "agent@localhost").unwrap_or_else(|_| committer.clone());
        Ok(Signature { author, committer, at: at_millis / 1000 })
    }
}

impl Step<'_> {
    /// The recorded workspace; a step that needs one and finds none waits for a person.
    pub(super) fn workspace(&self) -> Result<&Workspace, Failure> {
        self.task.workspace.as_ref().ok_or_else(|| {
            Failure::of(
                AnnotationType::WorkspaceResetRequired,
                "the task has no workspace; claim it again",
            )
        })
    }

    /// Takes a workspace's lock on behalf of this step (W-4).
    pub(super) async fn hold(&self, name: &DirectoryName) -> Result<WorkspaceHold, Failure> {
        self.hold_in(&self.engine.0.root, name).await
    }

    /// The same in another root.
    pub(super) async fn hold_in(
        &self,
        root: &WorkspaceRoot,
        name: &DirectoryName,
    ) -> Result<WorkspaceHold, Failure> {
        let locks = &self.engine.0.workspace_locks;
        Ok(locks.hold(root, name, self.holder()?, PATIENCE).await?)
    }

    /// Whom this step holds a lock for: the execution, else itself.
    pub(super) fn holder(&self) -> Result<Holder, Failure> {
        let execution = match &self.task.run {
            Some(run) => run.execution.to_string(),
            None => format!("{} {}", self.row.effect.name(), self.row.id),
        };
        Ok(self.engine.holder(execution)?)
    }

    /// The worktree, locked, on disk and as recorded: made again if it is gone, refused if it is not ours any more
    /// (W-4, W-6, W-8).
    pub(super) async fn usable_worktree(&self, repo: &Repo) -> Result<HeldWorktree, Failure> {
        let hold = self.hold(&directory_of(self.workspace()?)?).await?;
        self.usable_worktree_in(repo, &hold).await
    }

    /// The same in a workspace that is held already.
    pub(super) async fn usable_worktree_in(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
    ) -> Result<HeldWorktree, Failure> {
        let branch = branch_of(self.workspace()?)?;
        self.take_back(repo, hold).await?;
        if let Some(worktree) = hold.worktree(repo, &branch).await?
            && worktree.path().exists()
        {
            match worktree.verify().await {
                Ok(_) => {
                    self.restore_if_cut_off(&worktree).await?;
                    return Ok(worktree);
                }
                // Begun and not finished: making it goes on where it was cut off.
                Err(VerifyError::Corrupt(Corruption::NotCheckedOut(_))) => {}
                Err(other) => {
                    self.record_if_possible(&worktree.site(), JournalReason::Corrupted).await?;
                    return Err(other.into());
                }
            }
        }
        self.rebuild_and_restore(repo, hold, &branch).await
    }

    /// A removal that could not be finished had moved the worktree out of the way; it is needed again (W-7).
    async fn take_back(&self, repo: &Repo, hold: &WorkspaceHold) -> Result<(), Failure> {
        let left = hold.root().leaving().directory(hold.name());
        if left.symlink_metadata().is_ok() {
            let locked = self.engine.0.repo_locks.acquire(repo).await?;
            locked.take_back(hold).await?;
        }
        Ok(())
    }

    /// One that was removed on purpose is made again as a matter of course; one that vanished is worth telling (W-8).
    pub(super) async fn tell_recovered(&self) -> Result<(), Failure> {
        let workspace = self.workspace()?;
        if workspace.status == WorkspaceStatus::Cleaned {
            return Ok(());
        }
        tracing::info!(path = workspace.path, "made a vanished workspace again from its branch");
        self.reach("workspace.recovered").await?;
        let report = Report::WorkspaceRecovered;
        Ok(self.engine.report(self.row, self.claimed, report, Closing::StaysOpen).await?)
    }

    /// Who did the work, for the commit.
    pub(super) async fn author(&self) -> Result<String, Failure> {
        let holder = self.task.run.as_ref().map(|run| run.assignee).or(self.task.holder);
        let named = match holder.and_then(|holder| holder.agent()) {
            Some(id) => tables::agents::load(self.engine.db(), id).await?.map(|agent| agent.name),
            None => None,
        };
        Ok(named.unwrap_or_else(|| "Forge".to_owned()))
    }

    /// The message of a commit that Forge makes for the task (E-6).
    pub(super) fn message(&self, title: &str) -> String {
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

/// The branch a task of this repository lands on, and its tip.
pub(super) async fn target_in(
    task: &Snapshot,
    row: &tables::repos::Repo,
    repo: &Repo,
) -> Result<(BranchName, ObjectId), Failure> {
    let branch = BranchName::new(target_name(task, row))
        .map_err(|error| Failure::workspace(format!("the target branch: {error}")))?;
    match repo.tip(&branch).await? {
        Some(tip) => Ok((branch, tip)),
        None => Err(Failure::workspace(format!(
            "the target branch {branch} does not exist; create it or change merge_config.target_branch"
        ))),
    }
}

/// Without a word in the task it is the default branch as it was when the repository was added: what a person has
/// checked out meanwhile is their own affair.
fn target_name(task: &Snapshot, row: &tables::repos::Repo) -> String {
    task.merge_config.target_branch.clone().unwrap_or_else(|| row.default_branch.clone())
}

pub(crate) fn branch_of(workspace: &Workspace) -> Result<BranchName, Failure> {
    BranchName::new(workspace.branch.clone()).map_err(|error| Failure::workspace(error.to_string()))
}

pub(crate) fn directory_of(workspace: &Workspace) -> Result<DirectoryName, Failure> {
    let name =
        Path::new(&workspace.path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    DirectoryName::new(name).map_err(|error| Failure::workspace(error.to_string()))
}
