//! Records the state of a worktree in its task's journal, and restores it (P-1, W-8, W-14).

use crate::command::commit::EffectEnd;
use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use crate::workspace::locate::{branch_of, directory_of};
use forge_domain::EffectReport;
use forge_domain::task::{AnnotationType, Workspace};
use forge_git::{
    BranchName, BranchOnRestore, JournalReason, JournalWriteOutcome, LockedWorktree, Repo,
    RestorePlan, SnapshotSource, WorkspaceLockGuard,
};
use std::convert::Infallible;
use std::path::PathBuf;

impl EffectRun<'_> {
    /// The task's workspace as a journal source, if it has a git workspace.
    pub(crate) async fn load_journal_source(&self) -> Result<Option<SnapshotSource>, EffectError> {
        let (Some(workspace), Some(_)) = (&self.task.workspace, self.task.repo_id) else {
            return Ok(None);
        };
        let repo = self.engine.open_task_repo(&self.task).await?;
        Ok(Some(self.engine.site_of(&repo, workspace).await?))
    }

    /// Writes a journal entry of the workspace.
    pub(crate) async fn write_journal_entry(
        &self,
        site: &SnapshotSource,
        reason: JournalReason,
    ) -> Result<(), EffectError> {
        self.pass_fault_point("journal.begun").await?;
        let execution = self.task.run.as_ref().map(|run| run.execution.to_string());
        let recorded =
            self.engine.write_entry(self.workspace_owner, site, reason, execution).await?;
        self.pass_fault_point("journal.written").await?;
        if let JournalWriteOutcome::Written(entry) = recorded {
            let report = EffectReport::JournalRecorded {
                entry: entry.number,
                reason: entry.reason.as_str().to_owned(),
                differs: entry.has_changes,
            };
            self.engine.report(self.row, self.lease, report, EffectEnd::NotYet).await?;
        }
        self.pass_fault_point("journal.told").await
    }

    /// Writes an entry where nothing is about to be discarded: a failure leaves the files in place and is logged.
    pub(crate) async fn try_journal_entry(
        &self,
        site: &SnapshotSource,
        reason: JournalReason,
    ) -> Result<(), EffectError> {
        match self.write_journal_entry(site, reason).await {
            Err(
                EffectError::Transient(error)
                | EffectError::NeedsPerson {
                    trouble: AnnotationType::WorkspaceError,
                    message: error,
                    ..
                },
            ) => {
                tracing::warn!(task = %self.task.id, %error, "could not write a journal entry");
                Ok(())
            }
            other => other,
        }
    }

    /// Writes an entry before a workspace is removed, whatever its state.
    pub(crate) async fn journal_before_removal(
        &self,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        branch: &BranchName,
    ) -> Result<(), EffectError> {
        let site = SnapshotSource::find(repo, hold.root(), hold.name(), branch).await?;
        self.write_journal_entry(&site, JournalReason::BeforeRemoval).await
    }

    /// Writes entries while an agent works, until the future is dropped.
    pub(crate) async fn journal_periodically(&self, worktree: &LockedWorktree) -> Infallible {
        let inner = &self.engine.0;
        loop {
            let next = inner.clock.now().plus_seconds(inner.limits.journal_seconds.max(1));
            inner.clock.wait_until(next).await;
            let recorded =
                self.try_journal_entry(&worktree.snapshot_source(), JournalReason::Periodic).await;
            if let Err(error) = recorded {
                tracing::warn!(task = %self.task.id, ?error, "could not write a journal entry");
            }
        }
    }

    /// Recreates a missing worktree with the files of its newest journal entry (W-8).
    pub(crate) async fn rebuild_and_restore(
        &self,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        branch: &BranchName,
    ) -> Result<LockedWorktree, EffectError> {
        let sign = self.restore_marker();
        tokio::fs::write(&sign, branch.as_str()).await?;
        let worktree = match self.engine.recreate_worktree(repo, &self.project, hold, branch).await
        {
            Ok(worktree) => worktree,
            Err(failure) => {
                if hold.path().symlink_metadata().is_ok() {
                    let site = self.engine.site_of(repo, self.workspace()?).await?;
                    self.try_journal_entry(&site, JournalReason::Corrupted).await?;
                }
                tokio::fs::remove_file(&sign).await?;
                return Err(failure);
            }
        };
        // The worktree may have come from the pool.
        self.engine.maintain_pool(self.task.repo_id);
        self.pass_fault_point("workspace.rebuilt").await?;
        worktree.verify().await?;
        self.finish_interrupted_restore(&worktree).await?;
        Ok(worktree)
    }

    /// Finishes an interrupted recreation: restores the newest entry and reports it.
    pub(crate) async fn finish_interrupted_restore(
        &self,
        worktree: &LockedWorktree,
    ) -> Result<(), EffectError> {
        let sign = self.restore_marker();
        if tokio::fs::try_exists(&sign).await? {
            self.restore_newest(worktree).await?;
            self.pass_fault_point("workspace.restored").await?;
            self.report_recovered().await?;
            tokio::fs::remove_file(&sign).await?;
        }
        Ok(())
    }

    /// Restores the newest entry only if it belongs to the branch's current commit and was not discarded on purpose.
    /// The entry's number is written to the marker file before any file changes: after a kill, newer entries hold a
    /// half-restored state.
    async fn restore_newest(&self, worktree: &LockedWorktree) -> Result<(), EffectError> {
        let journal = self.engine.journal_of(self.workspace_owner, worktree.repo())?;
        let mut entries = journal.load_entries().await?;
        let sign = self.restore_marker();
        let begun = tokio::fs::read_to_string(&sign).await?;
        let entry = match begun.lines().nth(1).and_then(|number| number.parse::<u64>().ok()) {
            Some(number) => entries.into_iter().find(|entry| entry.number == number),
            None => entries.pop().filter(|newest| !is_discarded(newest.reason)),
        };
        let Some(entry) = entry.filter(|entry| entry.has_files && entry.has_changes) else {
            return Ok(());
        };
        if entry.head.as_ref() != Some(&worktree.head().await?) {
            return Ok(());
        }
        tokio::fs::write(&sign, format!("{}\n{}\n", worktree.branch(), entry.number)).await?;
        let note = self.engine.journal_note(JournalReason::BeforeRestore, None)?;
        let locks = &self.engine.0.repo_locks;
        if let Some(begun) = worktree.begin_restore(locks, &journal, &note).await? {
            self.pass_fault_point("workspace.restoring").await?;
            // The branch is at the entry's commit, so nothing landed in between.
            begun.finish(locks, &RestorePlan::as_saved(&entry, BranchOnRestore::Keep)).await?;
        }
        let report = EffectReport::WorkspaceRestored {
            entry: entry.number,
            branch_moved: false,
            base: None,
            conflicts: Vec::new(),
        };
        Ok(self.engine.report(self.row, self.lease, report, EffectEnd::NotYet).await?)
    }

    /// The marker file of a worktree that is recreated but not yet restored. It lies outside the worktree, so that an
    /// agent cannot delete it.
    fn restore_marker(&self) -> PathBuf {
        self.engine.0.home.locks().join(format!("restoring-{}", self.workspace_owner))
    }
}

/// Whether the entry was saved because a person discarded the state.
fn is_discarded(reason: JournalReason) -> bool {
    matches!(reason, JournalReason::BeforeReset | JournalReason::BeforeRestore)
}

impl crate::engine::Engine {
    /// A recorded workspace as a journal source.
    pub(crate) async fn site_of(
        &self,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<SnapshotSource, EffectError> {
        let (name, branch) = (directory_of(workspace)?, branch_of(workspace)?);
        Ok(SnapshotSource::find(repo, &self.0.root, &name, &branch).await?)
    }
}
