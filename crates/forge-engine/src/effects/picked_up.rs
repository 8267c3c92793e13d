//! A turn whose program an earlier server started: it goes on where it can, else its end is put on record (E-12).

use super::Failure;
use super::perform::{GRACE, Step, mark_of};
use super::program::ending_of;
use super::seen::Seen;
use super::site::{branch_of, directory_of};
use crate::on_restart::OnRestart;
use crate::running::RunGuard;
use crate::transcript::Scribe;
use forge_domain::task::Run;
use forge_domain::{Ending, ExecutionId};
use forge_git::{HeldWorktree, Repo, WorkspaceHold};
use forge_proc::{AdoptError, Claim, Running, Site};
use std::io::ErrorKind;

impl Step<'_> {
    /// The workspace's lock, as the start took it or taken now.
    pub(super) async fn hold_again(
        &self,
        execution: ExecutionId,
    ) -> Result<WorkspaceHold, Failure> {
        match self.engine.0.regained.take(execution) {
            Some(hold) => Ok(hold),
            None => self.hold(&directory_of(self.workspace()?)?).await,
        }
    }

    /// Waits for the end of a turn that still runs, in its worktree; `None` if it does not, and then nothing of it is
    /// alive any more.
    pub(super) async fn go_on(
        &self,
        run: &Run,
        repo: &Repo,
        hold: &WorkspaceHold,
        guard: &RunGuard,
    ) -> Result<Option<(HeldWorktree, Seen)>, Failure> {
        // Not verified: in the middle of its work an agent may be on another commit than its branch's.
        let worktree = hold.worktree(repo, &branch_of(self.workspace()?)?).await?;
        let Some(worktree) = worktree else { return Ok(None) };
        let site = Site::new(worktree.path()).git_dir(worktree.git_dir());
        let Some((scribe, running)) = self.adopt(run, site).await? else { return Ok(None) };
        let seen = tokio::select! {
            seen = self.attend(run, scribe, running, guard) => seen?,
            never = self.record_periodically(&worktree) => match never {},
            never = self.watch_silence(run, worktree.path()) => match never {},
        };
        Ok(Some((worktree, seen)))
    }

    /// Takes over the program of a run, if it is still at work and may go on.
    pub(super) async fn adopt(
        &self,
        run: &Run,
        site: Site,
    ) -> Result<Option<(Scribe, Running)>, Failure> {
        let limits = &self.engine.0.limits;
        if limits.on_restart == OnRestart::End || self.must_stop(run.execution).await? {
            return Ok(None);
        }
        let Some(identity) = self.engine.process_of(run.execution).await? else { return Ok(None) };
        let (Ok(executor), Ok(reading)) = (self.executor().await, self.reading().await) else {
            // Without its agent nobody knows how to read what it prints.
            return Ok(None);
        };
        let claim = Claim {
            identity,
            mark: mark_of(run.execution.uuid())?,
            log: self.engine.0.home.log(run.execution.uuid()),
            site,
            deadline: executor.timeout(),
            grace: GRACE,
        };
        match forge_proc::adopt(claim).await {
            Ok(adopted) => {
                tracing::info!(execution = %run.execution, pid = adopted.identity().pid, "an agent goes on under this server");
                self.reach("turn.adopted").await?;
                let files = self.engine.0.home.log_files(run.execution.uuid());
                let scribe = Scribe::open(files, reading.adapter, reading.redactor)?;
                Ok(Some((scribe, adopted.into_running())))
            }
            Err(AdoptError::Gone { .. }) => Ok(None),
            Err(error) => {
                tracing::warn!(execution = %run.execution, %error, "an agent cannot go on");
                Ok(None)
            }
        }
    }

    /// Ends what may still run of a turn that nobody goes on with, and says how it ended.
    pub(super) async fn end_unattended(&self, run: &Run) -> Result<Seen, Failure> {
        let log = self.engine.0.home.log(run.execution.uuid());
        // Before anything is ended: what a program does about our signal says nothing of its work.
        let left = forge_proc::load_exit(&log);
        forge_proc::end_marked(&mark_of(run.execution.uuid())?, GRACE).await?;
        match forge_proc::read_rest(&log).await {
            Err(AdoptError::Output { source, .. }) if source.kind() == ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(execution = %run.execution, %error, "output may be lost"),
            Ok(_) => {}
        }
        let ending = match left {
            _ if self.must_stop(run.execution).await? => Ending::Stopped,
            Some(exit) => ending_of(exit.into()),
            None => Ending::Lost,
        };
        self.seen_afterwards(run, ending).await
    }
}
