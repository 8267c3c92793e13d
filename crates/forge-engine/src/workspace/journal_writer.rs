//! Records the state of a worktree in its task's journal, and restores it (P-1, W-8, W-14).

use crate::effects::{EffectContext, EffectError, ErrorChain};
use crate::workspace::journal::{WorkspaceJournals, journal_of};
use crate::workspace::locate::{branch_of, directory_of, report_recovered};
use crate::workspace::workspaces::Workspaces;
use forge_domain::EffectReport;
use forge_domain::task::{AnnotationType, Workspace};
use forge_git::{
    BranchName, BranchOnRestore, JournalReason, JournalWriteOutcome, LockedWorktree, Repo,
    RestorePlan, SnapshotSource, WorkspaceLockGuard,
};
use std::convert::Infallible;
use std::path::PathBuf;

impl WorkspaceJournals {
    /// The task's workspace as a journal source, if it has a git workspace.
    pub(crate) async fn load_journal_source(
        &self,
        effect: &EffectContext,
    ) -> Result<Option<SnapshotSource>, EffectError> {
        let (Some(workspace), Some(_)) = (&effect.task.workspace, effect.task.repo_id) else {
            return Ok(None);
        };
        let repo = self.repos.open_of_effect(effect).await?;
        Ok(Some(self.site_of(&repo, workspace).await?))
    }

    /// Writes a journal entry of the workspace.
    pub(crate) async fn write_journal_entry(
        &self,
        effect: &EffectContext,
        site: &SnapshotSource,
        reason: JournalReason,
    ) -> Result<(), EffectError> {
        effect.pass_fault_point("journal.begun").await?;
        let execution = effect.task.run.as_ref().map(|run| run.execution.to_string());
        let recorded = self.write_entry(effect.workspace_owner, site, reason, execution).await?;
        effect.pass_fault_point("journal.written").await?;
        if let JournalWriteOutcome::Written(entry) = recorded {
            let report = EffectReport::JournalRecorded {
                entry: entry.number,
                reason: entry.reason.as_str().to_owned(),
                differs: entry.has_changes,
            };
            effect.report_progress(report).await?;
        }
        effect.pass_fault_point("journal.told").await
    }

    /// Writes an entry where nothing is about to be discarded: a failure leaves the files in place and is logged.
    pub(crate) async fn try_journal_entry(
        &self,
        effect: &EffectContext,
        site: &SnapshotSource,
        reason: JournalReason,
    ) -> Result<(), EffectError> {
        match self.write_journal_entry(effect, site, reason).await {
            Err(
                error @ (EffectError::Transient(_)
                | EffectError::NeedsPerson {
                    trouble: AnnotationType::WorkspaceError, ..
                }),
            ) => {
                tracing::warn!(task = %effect.task.id, error = %ErrorChain(&error), "could not write a journal entry");
                Ok(())
            }
            other => other,
        }
    }

    /// Writes an entry before a workspace is removed, whatever its state.
    pub(crate) async fn journal_before_removal(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        branch: &BranchName,
    ) -> Result<(), EffectError> {
        let site = SnapshotSource::find(repo, hold.root(), hold.name(), branch).await?;
        self.write_journal_entry(effect, &site, JournalReason::BeforeRemoval).await
    }

    /// Writes entries while an agent works, until the future is dropped.
    pub(crate) async fn journal_periodically(
        &self,
        effect: &EffectContext,
        worktree: &LockedWorktree,
    ) -> Infallible {
        loop {
            let next = self.clock.now().plus_seconds(self.seconds.max(1));
            self.clock.wait_until(next).await;
            let recorded = self
                .try_journal_entry(effect, &worktree.snapshot_source(), JournalReason::Periodic)
                .await;
            if let Err(error) = recorded {
                tracing::warn!(task = %effect.task.id, ?error, "could not write a journal entry");
            }
        }
    }
}

impl Workspaces {
    /// Recreates a missing worktree with the files of its newest journal entry (W-8).
    pub(crate) async fn rebuild_and_restore(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        branch: &BranchName,
    ) -> Result<LockedWorktree, EffectError> {
        let sign = self.restore_marker(effect);
        tokio::fs::write(&sign, branch.as_str()).await?;
        let worktree = match self.recreate_worktree(repo, &effect.project, hold, branch).await {
            Ok(worktree) => worktree,
            Err(failure) => {
                if hold.path().symlink_metadata().is_ok() {
                    let site = self.journals.site_of(repo, effect.workspace()?).await?;
                    self.journals
                        .try_journal_entry(effect, &site, JournalReason::Corrupted)
                        .await?;
                }
                tokio::fs::remove_file(&sign).await?;
                return Err(failure);
            }
        };
        // The worktree may have come from the pool.
        self.pools.maintain_pool(effect.task.repo_id);
        effect.pass_fault_point("workspace.rebuilt").await?;
        worktree.verify().await?;
        self.finish_interrupted_restore(effect, &worktree).await?;
        Ok(worktree)
    }

    /// Finishes an interrupted recreation: restores the newest entry and reports it.
    pub(crate) async fn finish_interrupted_restore(
        &self,
        effect: &EffectContext,
        worktree: &LockedWorktree,
    ) -> Result<(), EffectError> {
        let sign = self.restore_marker(effect);
        if tokio::fs::try_exists(&sign).await? {
            self.restore_newest(effect, worktree).await?;
            effect.pass_fault_point("workspace.restored").await?;
            report_recovered(effect).await?;
            tokio::fs::remove_file(&sign).await?;
        }
        Ok(())
    }

    /// Restores the newest entry only if it belongs to the branch's current commit and was not discarded on purpose.
    /// The entry's number is written to the marker file before any file changes: after a kill, newer entries hold a
    /// half-restored state.
    async fn restore_newest(
        &self,
        effect: &EffectContext,
        worktree: &LockedWorktree,
    ) -> Result<(), EffectError> {
        let journal = journal_of(effect.workspace_owner, worktree.repo())?;
        let mut entries = journal.load_entries().await?;
        let sign = self.restore_marker(effect);
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
        let note = self.journals.journal_note(JournalReason::BeforeRestore, None)?;
        let locks = &self.repo_locks;
        if let Some(begun) = worktree.begin_restore(locks, &journal, &note).await? {
            effect.pass_fault_point("workspace.restoring").await?;
            // The branch is at the entry's commit, so nothing landed in between.
            begun.finish(locks, &RestorePlan::as_saved(&entry, BranchOnRestore::Keep)).await?;
        }
        let report = EffectReport::WorkspaceRestored {
            entry: entry.number,
            branch_moved: false,
            base: None,
            conflicts: Vec::new(),
        };
        Ok(effect.report_progress(report).await?)
    }

    /// The marker file of a worktree that is recreated but not yet restored. It lies outside the worktree, so that an
    /// agent cannot delete it.
    fn restore_marker(&self, effect: &EffectContext) -> PathBuf {
        self.home.locks().join(format!("restoring-{}", effect.workspace_owner))
    }
}

/// Whether the entry was saved because a person discarded the state.
fn is_discarded(reason: JournalReason) -> bool {
    matches!(reason, JournalReason::BeforeReset | JournalReason::BeforeRestore)
}

impl WorkspaceJournals {
    /// A recorded workspace as a journal source.
    pub(crate) async fn site_of(
        &self,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<SnapshotSource, EffectError> {
        let (name, branch) = (directory_of(workspace)?, branch_of(workspace)?);
        Ok(SnapshotSource::find(repo, &self.root, &name, &branch).await?)
    }
}
