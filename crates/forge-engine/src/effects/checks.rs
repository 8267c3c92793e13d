//! The checks of a review (M-2): in order, in the workspace, at a recorded commit.

use super::perform::{Step, mark_of};
use super::program::last_lines;
use super::secrets::without;
use super::surroundings::Surroundings;
use super::{Failure, Outcome};
use crate::receipts::timeout_seconds;
use crate::transcript::Veil;
use forge_agent::Redactor;
use forge_domain::{CheckOutcome, CheckResult, Report, ReviewId};
use forge_git::HeldWorktree;
use forge_proc::{Ended, Ending, Spec};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What came of a review's checks; nothing at all if they never began.
#[derive(Debug, Default)]
pub(super) struct Checked {
    results: Vec<CheckResult>,
    setup_failed: bool,
}

impl Checked {
    pub(super) fn told(self, review: ReviewId, commit: String) -> Report {
        let Self { results, setup_failed } = self;
        Report::ChecksEnded { review, commit, results, setup_failed }
    }
}

impl Step<'_> {
    pub(super) async fn run_checks(&self, review: ReviewId) -> Result<Outcome, Failure> {
        let guard = self.engine.0.runs.enter(review.uuid());
        if self.reload().await?.review != Some(review) {
            return Ok(Outcome::Report(Checked::default().told(review, String::new())));
        }
        self.end_leftovers(review.uuid()).await?;
        let repo = self.engine.repo_of(&self.task).await?;
        let worktree = self.usable_worktree(&repo).await?;
        let commit = self.collect(&worktree).await?;
        self.reach("checks.collected").await?;
        let _slot = self.slot(&guard.stop).await;
        let surroundings = self.surroundings_in(&worktree).await?;
        let checked = self.checked(review, &surroundings, &guard.stop).await?;
        worktree.restore_tracked().await?;
        self.reach("checks.ran").await?;
        Ok(Outcome::Report(checked.told(review, commit)))
    }

    /// Commits what is left, so that the checks see exactly what would land.
    async fn collect(&self, worktree: &HeldWorktree) -> Result<String, Failure> {
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let message = self.message(&self.task.title);
        Ok(worktree.commit_all(&message, &signature).await?.head.to_string())
    }

    pub(super) async fn slot(
        &self,
        stop: &CancellationToken,
    ) -> Option<tokio::sync::SemaphorePermit<'_>> {
        tokio::select! {
            permit = self.engine.0.checks.acquire() => permit.ok(),
            () = stop.cancelled() => None,
        }
    }

    /// The steps that make ready, then the checks, each until one does not pass.
    pub(super) async fn checked(
        &self,
        review: ReviewId,
        surroundings: &Surroundings,
        stop: &CancellationToken,
    ) -> Result<Checked, Failure> {
        let config = &self.task.review_config;
        let ready = self.all(&config.setup_steps, review, surroundings, stop).await?;
        if !all_passed(&ready) {
            return Ok(Checked { results: ready, setup_failed: true });
        }
        let results = self.all(&config.ci_steps, review, surroundings, stop).await?;
        Ok(Checked { results, setup_failed: false })
    }

    pub(super) async fn all(
        &self,
        steps: &[String],
        review: ReviewId,
        surroundings: &Surroundings,
        stop: &CancellationToken,
    ) -> Result<Vec<CheckResult>, Failure> {
        let mut results = Vec::new();
        for command in steps {
            results.push(self.one(command, review, surroundings, stop).await?);
            if !all_passed(&results) {
                break;
            }
        }
        Ok(results)
    }

    async fn one(
        &self,
        command: &str,
        review: ReviewId,
        surroundings: &Surroundings,
        stop: &CancellationToken,
    ) -> Result<CheckResult, Failure> {
        let inner = &self.engine.0;
        let invocation = surroundings.shell(command).env("CI", "true");
        let seconds = timeout_seconds(&self.task.review_config);
        let secrets = self.secrets(surroundings).await?;
        let veil = Veil::over(&inner.home.log(review.uuid()), Redactor::new(&secrets))?;
        let spec = Spec::new(invocation, mark_of(review.uuid())?, veil.output())
            .log_cap(inner.limits.log_bytes)
            .deadline(Duration::from_secs(seconds));
        let running =
            forge_proc::spawn(spec).await.map_err(|error| Failure::Passing(error.to_string()))?;
        self.reach("checks.spawned").await?;
        let veiling = veil.follow(running.log_grows());
        let ended = running.wait(stop).await;
        veiling.done().await?;
        Ok(describe(command, &ended, &secrets))
    }
}

pub(super) fn all_passed(results: &[CheckResult]) -> bool {
    results.iter().all(|result| result.outcome == CheckOutcome::Passed)
}

fn describe(command: &str, ended: &Ended, secrets: &[String]) -> CheckResult {
    let (outcome, exit_code) = match ended.ending {
        Ending::Exited(0) => (CheckOutcome::Passed, Some(0)),
        Ending::Exited(code) => (CheckOutcome::Failed, Some(code)),
        Ending::Signalled(_) => (CheckOutcome::Failed, None),
        Ending::TimedOut => (CheckOutcome::TimedOut, None),
        Ending::Stopped => (CheckOutcome::Stopped, None),
    };
    CheckResult {
        command: command.to_owned(),
        exit_code,
        outcome,
        duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
        output_tail: last_lines(&without(secrets, &ended.tail)),
    }
}
