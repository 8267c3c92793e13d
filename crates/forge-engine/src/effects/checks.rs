//! The checks of a review (M-2): in order, in the workspace, at a recorded commit.

use super::perform::Step;
use super::program::last_lines;
use super::run_mark::RunMark;
use super::secrets::without;
use super::site::directory_of;
use super::surroundings::Surroundings;
use super::{Failure, Outcome};
use crate::receipts::{Receipt, timeout_seconds};
use crate::transcript::Veil;
use forge_agent::Redactor;
use forge_domain::{
    CheckOutcome, CheckResult, LogSpan, ReceiptKey, ReceiptOrigin, Report, ReviewId,
};
use forge_git::{HeldWorktree, ObjectId, Repo};
use forge_proc::{Ended, Ending, Spec};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What came of a review's checks; nothing at all if they never began.
#[derive(Debug, Default)]
pub(super) struct Checked {
    results: Vec<CheckResult>,
    setup_failed: bool,
    receipt: Option<ReceiptKey>,
    taken_from: Option<ReceiptOrigin>,
}

/// Written before the first check runs: from then on what is in the worktree is not only the agent's.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Begun {
    commit: ObjectId,
}

impl Checked {
    pub(super) fn told(self, review: ReviewId, commit: String) -> Report {
        let Self { results, setup_failed, receipt, taken_from } = self;
        Report::ChecksEnded { review, commit, results, setup_failed, receipt, taken_from }
    }

    fn passed(&self) -> bool {
        !self.setup_failed && all_passed(&self.results)
    }
}

impl From<Receipt> for Checked {
    fn from(receipt: Receipt) -> Self {
        let taken_from = Some(ReceiptOrigin { review: receipt.review_id, at: receipt.at });
        let (results, receipt) = (receipt.results, Some(receipt.key));
        Self { results, setup_failed: false, receipt, taken_from }
    }
}

impl Step<'_> {
    pub(super) async fn run_checks(&self, review: ReviewId) -> Result<Outcome, Failure> {
        let guard = self.engine.0.runs.enter(review.uuid());
        let begun = self.journalled::<Begun>();
        if self.reload().await?.review != Some(review) {
            if let Some(Begun { commit }) = begun {
                self.end_leftovers(review.uuid()).await?;
                self.put_back_if_possible(&commit).await?;
            }
            return Ok(Outcome::Report(Checked::default().told(review, String::new())));
        }
        self.end_leftovers(review.uuid()).await?;
        let repo = self.engine.repo_of(&self.task).await?;
        let hold = self.hold(&directory_of(self.workspace()?)?).await?;
        if let Some(Begun { commit }) = &begun {
            self.put_back_branch(&repo, &hold, commit).await?;
        }
        let worktree = self.usable_worktree_in(&repo, &hold).await?;
        let commit = match begun {
            Some(Begun { commit }) => {
                // What the checks of a dead server left is none of the agent's work.
                self.leave_as_found(&worktree, &commit).await?;
                commit
            }
            None => self.collect(&worktree).await?,
        };
        self.reach("checks.collected").await?;
        let key = self.receipt_key(&repo, &commit).await?;
        let checked = match self.known(&key).await? {
            Some(receipt) => Checked::from(receipt),
            None => self.checked_now(review, &worktree, &commit, key, &guard.stop).await?,
        };
        self.reach("checks.ran").await?;
        Ok(Outcome::Report(checked.told(review, commit.to_string())))
    }

    async fn checked_now(
        &self,
        review: ReviewId,
        worktree: &HeldWorktree,
        commit: &ObjectId,
        key: ReceiptKey,
        stop: &CancellationToken,
    ) -> Result<Checked, Failure> {
        if !self.has_steps() {
            return Ok(Checked { receipt: Some(key), ..Checked::default() });
        }
        self.engine.journal(self.claimed, &Begun { commit: commit.clone() }).await?;
        let _slot = self.slot(stop).await;
        let surroundings = self.surroundings_in(worktree).await?;
        let mut checked = self.checked(review.into(), &surroundings, stop).await?;
        checked.receipt = checked.passed().then_some(key);
        match self.leave_as_found(worktree, commit).await {
            // What they did to the place is found by whoever uses it next; their results are what they are.
            Err(Failure::Final { message, .. }) => {
                tracing::warn!(task = %self.task.id, message, "checks left the workspace unusable");
            }
            other => other?,
        }
        Ok(checked)
    }

    fn has_steps(&self) -> bool {
        let config = &self.task.review_config;
        !(config.ci_steps.is_empty() && config.setup_steps.is_empty())
    }

    /// M-5: what a receipt of this commit is found by.
    async fn receipt_key(&self, repo: &Repo, commit: &ObjectId) -> Result<ReceiptKey, Failure> {
        let checks = self.engine.checks_of(&self.project, &self.task.review_config)?;
        Ok(ReceiptKey { tree: repo.tree_of(commit).await?.to_string(), checks })
    }

    /// The receipt of an equal tree. Where there is nothing to run there is nothing to save by asking.
    async fn known(&self, key: &ReceiptKey) -> Result<Option<Receipt>, Failure> {
        match self.task.repo_id {
            Some(repo) if self.has_steps() => {
                Ok(self.engine.receipt_for(repo, &key.tree, &key.checks).await?)
            }
            _ => Ok(None),
        }
    }

    /// Commits what is left, so that the checks see exactly what would land.
    async fn collect(&self, worktree: &HeldWorktree) -> Result<ObjectId, Failure> {
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let message = self.message(&self.task.title);
        Ok(worktree.commit_all(&message, &signature).await?.head)
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
        mark: RunMark,
        surroundings: &Surroundings,
        stop: &CancellationToken,
    ) -> Result<Checked, Failure> {
        let config = &self.task.review_config;
        let ready = self.all(&config.setup_steps, mark, surroundings, stop).await?;
        if !all_passed(&ready) {
            return Ok(Checked { results: ready, setup_failed: true, ..Checked::default() });
        }
        let results = self.all(&config.ci_steps, mark, surroundings, stop).await?;
        Ok(Checked { results, ..Checked::default() })
    }

    pub(super) async fn all(
        &self,
        steps: &[String],
        mark: RunMark,
        surroundings: &Surroundings,
        stop: &CancellationToken,
    ) -> Result<Vec<CheckResult>, Failure> {
        let mut results = Vec::new();
        for command in steps {
            results.push(self.one(command, mark, surroundings, stop).await?);
            if !all_passed(&results) {
                break;
            }
        }
        Ok(results)
    }

    async fn one(
        &self,
        command: &str,
        mark: RunMark,
        surroundings: &Surroundings,
        stop: &CancellationToken,
    ) -> Result<CheckResult, Failure> {
        let inner = &self.engine.0;
        let invocation = surroundings.shell(command).env("CI", "true");
        let seconds = timeout_seconds(&self.task.review_config);
        let secrets = self.secrets(surroundings).await?;
        let log = inner.home.log(mark.uuid());
        let from = size(&log);
        let veil = Veil::over(&log, Redactor::new(&secrets))?;
        let spec = Spec::new(invocation, mark.of_processes()?, veil.output())
            .log_cap(inner.limits.log_bytes)
            .deadline(Duration::from_secs(seconds));
        let running =
            forge_proc::spawn(spec).await.map_err(|error| Failure::Passing(error.to_string()))?;
        self.reach("checks.spawned").await?;
        let veiling = veil.follow(running.log_grows());
        let ended = running.wait(stop).await;
        veiling.done().await?;
        let span = LogSpan { from, to: size(&log) };
        Ok(CheckResult { log: span, ..describe(command, &ended, &secrets) })
    }
}

pub(super) fn all_passed(results: &[CheckResult]) -> bool {
    results.iter().all(|result| result.outcome == CheckOutcome::Passed)
}

/// How long a log is; one that is not there yet has nothing in it.
fn size(log: &Path) -> u64 {
    std::fs::metadata(log).map_or(0, |found| found.len())
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
        log: LogSpan::default(),
    }
}
