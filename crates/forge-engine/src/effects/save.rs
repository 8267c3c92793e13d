//! Writes the state of a worktree into its task's journal, and brings it back (P-1, W-8, W-14).

use super::Failure;
use super::perform::Step;
use super::site::{branch_of, directory_of};
use crate::commit::Closing;
use forge_domain::Report;
use forge_domain::task::Workspace;
use forge_git::{
    BranchName, BranchPointer, HeldWorktree, JournalReason, Recorded, Repo, Site, WorkspaceHold,
};
use std::convert::Infallible;
use std::path::PathBuf;

impl Step<'_> {
    /// The task's workspace as a place to save, if it has one and there is git to save it with.
    pub(super) async fn site(&self) -> Result<Option<Site>, Failure> {
        let (Some(workspace), Some(_)) = (&self.task.workspace, self.task.repo_id) else {
            return Ok(None);
        };
        let repo = self.engine.repo_of(&self.task).await?;
        Ok(Some(self.engine.site_of(&repo, workspace).await?))
    }

    /// Writes the state of a workspace into the journal.
    pub(super) async fn record(&self, site: &Site, reason: JournalReason) -> Result<(), Failure> {
        self.reach("journal.begun").await?;
        let execution = self.task.run.as_ref().map(|run| run.execution.to_string());
        let recorded = self.engine.write_entry(self.place, site, reason, execution).await?;
        self.reach("journal.written").await?;
        if let Recorded::New(entry) = recorded {
            let report = Report::JournalRecorded {
                entry: entry.number,
                reason: entry.reason.as_str().to_owned(),
                differs: entry.differs,
            };
            self.engine.report(self.row, self.claimed, report, Closing::StaysOpen).await?;
        }
        self.reach("journal.told").await
    }

    /// The same where nothing is about to be thrown away: what cannot be saved now stays where it is.
    pub(super) async fn record_if_possible(
        &self,
        site: &Site,
        reason: JournalReason,
    ) -> Result<(), Failure> {
        match self.record(site, reason).await {
            Err(Failure::Passing(error)) => {
                tracing::warn!(task = %self.task.id, %error, "the journal got no entry");
                Ok(())
            }
            other => other,
        }
    }

    /// Writes an entry before a workspace is removed, whatever it has become.
    pub(super) async fn save(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
        branch: &BranchName,
    ) -> Result<(), Failure> {
        let site = Site::find(repo, hold.root(), hold.name(), branch).await?;
        self.record(&site, JournalReason::BeforeRemoval).await
    }

    /// Writes entries while an agent works; goes on until it is dropped.
    pub(super) async fn record_periodically(&self, worktree: &HeldWorktree) -> Infallible {
        let inner = &self.engine.0;
        loop {
            let next = inner.clock.now().plus_seconds(inner.limits.journal_seconds.max(1));
            inner.clock.wait_until(next).await;
            let recorded = self.record_if_possible(&worktree.site(), JournalReason::Periodic).await;
            if let Err(error) = recorded {
                tracing::warn!(task = %self.task.id, ?error, "the journal got no entry");
            }
        }
    }

    /// Makes a worktree that is gone once more, with the files it last had (W-8).
    pub(super) async fn rebuild_and_restore(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
        branch: &BranchName,
    ) -> Result<HeldWorktree, Failure> {
        let sign = self.restoring();
        tokio::fs::write(&sign, branch.as_str()).await?;
        let worktree = match self.engine.rebuild(repo, &self.project, hold, branch).await {
            Ok(worktree) => worktree,
            Err(failure) => {
                if hold.path().symlink_metadata().is_ok() {
                    let site = self.engine.site_of(repo, self.workspace()?).await?;
                    self.record_if_possible(&site, JournalReason::Corrupted).await?;
                }
                tokio::fs::remove_file(&sign).await?;
                return Err(failure);
            }
        };
        // One that waited may be gone from the pool.
        self.engine.tend_pool(self.task.repo_id);
        self.reach("workspace.rebuilt").await?;
        worktree.verify().await?;
        self.restore_if_cut_off(&worktree).await?;
        Ok(worktree)
    }

    /// Restores the last state and tells it if the worktree was made anew and that is not done yet.
    pub(super) async fn restore_if_cut_off(&self, worktree: &HeldWorktree) -> Result<(), Failure> {
        let sign = self.restoring();
        if tokio::fs::try_exists(&sign).await? {
            self.restore_newest(worktree).await?;
            self.reach("workspace.restored").await?;
            self.tell_recovered().await?;
            tokio::fs::remove_file(&sign).await?;
        }
        Ok(())
    }

    /// Only what fits the commit that the branch is on is restored, and not what was thrown away on purpose. Which entry
    /// that is stands in the sign before anything is touched: whoever goes on after a kill finds newer ones, of what was
    /// half restored.
    async fn restore_newest(&self, worktree: &HeldWorktree) -> Result<(), Failure> {
        let journal = self.engine.journal_of(self.place, worktree.repo())?;
        let mut entries = journal.load_entries().await?;
        let sign = self.restoring();
        let begun = tokio::fs::read_to_string(&sign).await?;
        let entry = match begun.lines().nth(1).and_then(|number| number.parse::<u64>().ok()) {
            Some(number) => entries.into_iter().find(|entry| entry.number == number),
            None => entries.pop().filter(|newest| !is_discarded(newest.reason)),
        };
        let Some(entry) = entry.filter(|entry| entry.has_files && entry.differs) else {
            return Ok(());
        };
        if entry.head.as_ref() != Some(&worktree.head().await?) {
            return Ok(());
        }
        tokio::fs::write(&sign, format!("{}\n{}\n", worktree.branch(), entry.number)).await?;
        let note = self.engine.journal_note(JournalReason::BeforeRestore, None)?;
        let locks = &self.engine.0.repo_locks;
        if let Some(begun) = worktree.begin_restore(locks, &journal, &note).await? {
            self.reach("workspace.restoring").await?;
            begun.finish(locks, &entry, BranchPointer::Stays).await?;
        }
        let report = Report::WorkspaceRestored { entry: entry.number, branch_moved: false };
        Ok(self.engine.report(self.row, self.claimed, report, Closing::StaysOpen).await?)
    }

    /// The sign that a worktree is being made anew and has not got its files back yet. Outside of the worktree, so that
    /// no agent can take it away.
    fn restoring(&self) -> PathBuf {
        self.engine.0.home.locks().join(format!("restoring-{}", self.place))
    }
}

/// Whether the state was saved because a person wanted to be rid of it.
fn is_discarded(reason: JournalReason) -> bool {
    matches!(reason, JournalReason::BeforeReset | JournalReason::BeforeRestore)
}

impl crate::engine::Engine {
    /// A recorded workspace as a place to save.
    pub(crate) async fn site_of(
        &self,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<Site, Failure> {
        let (name, branch) = (directory_of(workspace)?, branch_of(workspace)?);
        Ok(Site::find(repo, &self.0.root, &name, &branch).await?)
    }
}
