//! The checks of a review (M-2): in order, in the workspace, at a recorded commit.

use super::perform::{Step, mark_of};
use super::turn::last_lines;
use super::{Failure, Outcome};
use forge_domain::{CheckOutcome, CheckResult, Report, ReviewId};
use forge_git::{HeldWorktree, Worktree};
use forge_proc::{Ended, Ending, Invocation, Spec};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub(super) const DEFAULT_TIMEOUT_SECONDS: u64 = 1800;

impl Step<'_> {
    pub(super) async fn run_checks(&self, review: ReviewId) -> Result<Outcome, Failure> {
        let guard = self.engine.0.runs.enter(review.uuid());
        if self.reload().await?.review != Some(review) {
            let report = Report::ChecksEnded {
                review,
                commit: String::new(),
                results: Vec::new(),
                setup_failed: false,
            };
            return Ok(Outcome::Report(report));
        }
        self.end_leftovers(review.uuid()).await?;
        let repo = self.engine.repo_of(&self.task).await?;
        let worktree = self.usable_worktree(&repo).await?;
        let commit = self.collect(&worktree).await?;
        self.reach("checks.collected").await?;
        let _slot = self.slot(&guard.stop).await;
        let config = &self.task.review_config;
        let mut results = Vec::new();
        let setup_ok =
            self.all(&config.setup_steps, review, &worktree, &guard.stop, &mut results).await?;
        if setup_ok {
            results.clear();
            self.all(&config.ci_steps, review, &worktree, &guard.stop, &mut results).await?;
        }
        worktree.restore_tracked().await?;
        self.reach("checks.ran").await?;
        Ok(Outcome::Report(Report::ChecksEnded {
            review,
            commit,
            results,
            setup_failed: !setup_ok,
        }))
    }

    /// Commits what is left, so that the checks see exactly what would land.
    async fn collect(&self, worktree: &HeldWorktree) -> Result<String, Failure> {
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let message = self.message(&self.task.title);
        Ok(worktree.commit_all(&message, &signature).await?.head.to_string())
    }

    async fn slot(&self, stop: &CancellationToken) -> Option<tokio::sync::SemaphorePermit<'_>> {
        tokio::select! {
            permit = self.engine.0.checks.acquire() => permit.ok(),
            () = stop.cancelled() => None,
        }
    }

    /// Runs steps until one does not pass; whether all did.
    async fn all(
        &self,
        steps: &[String],
        review: ReviewId,
        worktree: &Worktree,
        stop: &CancellationToken,
        results: &mut Vec<CheckResult>,
    ) -> Result<bool, Failure> {
        for command in steps {
            let result = self.one(command, review, worktree, stop).await?;
            let passed = result.outcome == CheckOutcome::Passed;
            results.push(result);
            if !passed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn one(
        &self,
        command: &str,
        review: ReviewId,
        worktree: &Worktree,
        stop: &CancellationToken,
    ) -> Result<CheckResult, Failure> {
        let inner = &self.engine.0;
        // The step is the project's own shell line; nothing from outside is spliced into it.
        let invocation = Invocation::new("sh", worktree.path())
            .args(["-c", command])
            .envs(self.surroundings(worktree).await?)
            .env("CI", "true");
        let seconds = self.task.review_config.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS);
        let spec = Spec::new(invocation, mark_of(review.uuid())?, inner.home.log(review.uuid()))
            .log_cap(inner.limits.log_bytes)
            .deadline(Duration::from_secs(seconds));
        let running =
            forge_proc::spawn(spec).await.map_err(|error| Failure::Passing(error.to_string()))?;
        self.reach("checks.spawned").await?;
        Ok(describe(command, &running.wait(stop).await))
    }
}

pub(super) fn describe(command: &str, ended: &Ended) -> CheckResult {
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
        output_tail: last_lines(&ended.tail),
    }
}
