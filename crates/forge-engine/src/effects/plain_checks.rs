//! The checks of a task that is worked on in a plain directory (W-1, M-2).

use super::checks::{DEFAULT_TIMEOUT_SECONDS, describe};
use super::perform::{Step, mark_of};
use super::{Failure, Outcome};
use forge_domain::{CheckOutcome, CheckResult, Report, ReviewId};
use forge_proc::{Invocation, Spec};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

impl Step<'_> {
    /// The set-up, then the checks, each until one does not pass.
    pub(super) async fn plain_checks(
        &self,
        review: ReviewId,
        directory: &Path,
        stop: &CancellationToken,
    ) -> Result<Outcome, Failure> {
        let config = &self.task.review_config;
        let setup = self.plain_run(&config.setup_steps, review, directory, stop).await?;
        let setup_failed = !all_passed(&setup);
        let results = if setup_failed {
            setup
        } else {
            self.plain_run(&config.ci_steps, review, directory, stop).await?
        };
        self.reach("checks.ran").await?;
        let commit = String::new();
        Ok(Outcome::Report(Report::ChecksEnded { review, commit, results, setup_failed }))
    }

    /// What is said of checks that never began.
    pub(super) fn unchecked(&self, review: ReviewId) -> Report {
        let (commit, results) = (String::new(), Vec::new());
        Report::ChecksEnded { review, commit, results, setup_failed: false }
    }

    async fn plain_run(
        &self,
        steps: &[String],
        review: ReviewId,
        directory: &Path,
        stop: &CancellationToken,
    ) -> Result<Vec<CheckResult>, Failure> {
        let inner = &self.engine.0;
        let seconds = self.task.review_config.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS);
        let mut results = Vec::new();
        for command in steps {
            // The step is the project's own shell line; nothing from outside is spliced into it.
            let invocation = Invocation::new("sh", directory)
                .args(["-c", command])
                .envs(self.plain_environment(None))
                .env("CI", "true");
            let log = inner.home.log(review.uuid());
            let spec = Spec::new(invocation, mark_of(review.uuid())?, log)
                .log_cap(inner.limits.log_bytes)
                .deadline(Duration::from_secs(seconds));
            let running = forge_proc::spawn(spec)
                .await
                .map_err(|error| Failure::Passing(error.to_string()))?;
            results.push(describe(command, &running.wait(stop).await));
            if !all_passed(&results) {
                break;
            }
        }
        Ok(results)
    }
}

fn all_passed(results: &[CheckResult]) -> bool {
    results.iter().all(|result| result.outcome == CheckOutcome::Passed)
}
