//! The checks of a review (M-2): run in order, in the workspace, at a recorded commit.

use crate::effects::effect_run::EffectRun;
use crate::effects::process_owner::ProcessOwner;
use crate::effects::{EffectError, EffectOutcome};
use crate::execution::agent_program::last_lines;
use crate::execution::execution_env::ExecutionEnv;
use crate::execution::secrets::redact;
use crate::execution::transcript::RedactingLog;
use crate::gate::receipts::{ReceiptRow, timeout_seconds};
use crate::workspace::locate::directory_of;
use forge_agent::SecretRedactor;
use forge_domain::{
    CheckOutcome, CheckResult, EffectReport, LogSpan, ReceiptKey, ReceiptOrigin, ReviewId,
};
use forge_git::{LockedWorktree, ObjectId, Repo};
use forge_proc::{ProcessEnding, ProcessOutcome, SupervisionSpec};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Results of a review's checks; empty if the checks never started.
#[derive(Debug, Default)]
pub(crate) struct ReviewChecksOutcome {
    results: Vec<CheckResult>,
    setup_failed: bool,
    receipt: Option<ReceiptKey>,
    taken_from: Option<ReceiptOrigin>,
}

/// Journalled before the first check runs. From then on the worktree may contain files written by checks.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ChecksStarted {
    commit: ObjectId,
}

impl ReviewChecksOutcome {
    pub(crate) fn into_report(self, review: ReviewId, commit: String) -> EffectReport {
        let Self { results, setup_failed, receipt, taken_from } = self;
        EffectReport::ChecksEnded { review, commit, results, setup_failed, receipt, taken_from }
    }

    fn passed(&self) -> bool {
        !self.setup_failed && all_passed(&self.results)
    }
}

impl From<ReceiptRow> for ReviewChecksOutcome {
    fn from(receipt: ReceiptRow) -> Self {
        let taken_from = Some(ReceiptOrigin { review: receipt.review_id, at: receipt.at });
        let (results, receipt) = (receipt.results, Some(receipt.key));
        Self { results, setup_failed: false, receipt, taken_from }
    }
}

impl EffectRun<'_> {
    pub(crate) async fn run_checks(&self, review: ReviewId) -> Result<EffectOutcome, EffectError> {
        let guard = self.engine.0.processes.register(review.uuid());
        let begun = self.journalled::<ChecksStarted>();
        if self.reload().await?.review != Some(review) {
            if let Some(ChecksStarted { commit }) = begun {
                self.end_leftovers(review.uuid()).await?;
                self.restore_if_possible(&commit).await?;
            }
            return Ok(EffectOutcome::Report(
                ReviewChecksOutcome::default().into_report(review, String::new()),
            ));
        }
        self.end_leftovers(review.uuid()).await?;
        let repo = self.engine.open_task_repo(&self.task).await?;
        let hold = self.lock_workspace(&directory_of(self.workspace()?)?).await?;
        if let Some(ChecksStarted { commit }) = &begun {
            self.restore_branch(&repo, &hold, commit).await?;
        }
        let worktree = self.usable_worktree_in(&repo, &hold).await?;
        let commit = match begun {
            Some(ChecksStarted { commit }) => {
                // Discard files that the checks of a dead server left; they are not the agent's work.
                self.restore_workspace(&worktree, &commit).await?;
                commit
            }
            None => self.commit_leftovers(&worktree).await?,
        };
        self.check_git_settings(&repo).await?;
        self.pass_fault_point("checks.collected").await?;
        self.check_landed_outside(&repo).await?;
        if let Some(report) = self.report_no_changes(review, &repo, &commit).await? {
            return Ok(EffectOutcome::Report(report));
        }
        let key = self.receipt_key(&repo, &commit).await?;
        let checked = match self.find_receipt(&key).await? {
            Some(receipt) => ReviewChecksOutcome::from(receipt),
            None => self.run_review_checks(review, &worktree, &commit, key, &guard.stop).await?,
        };
        self.pass_fault_point("checks.ran").await?;
        Ok(EffectOutcome::Report(checked.into_report(review, commit.to_string())))
    }

    async fn run_review_checks(
        &self,
        review: ReviewId,
        worktree: &LockedWorktree,
        commit: &ObjectId,
        key: ReceiptKey,
        stop: &CancellationToken,
    ) -> Result<ReviewChecksOutcome, EffectError> {
        if !self.has_steps() {
            return Ok(ReviewChecksOutcome {
                receipt: Some(key),
                ..ReviewChecksOutcome::default()
            });
        }
        self.engine.journal_intent(self.lease, &ChecksStarted { commit: commit.clone() }).await?;
        let _slot = self.acquire_check_slot(stop).await;
        let surroundings = self.build_worktree_env(worktree).await?;
        let mut checked = self.run_setup_and_checks(review.into(), &surroundings, stop).await?;
        checked.receipt = checked.passed().then_some(key);
        match self.restore_workspace(worktree, commit).await {
            // The results stay valid; the next effect that uses the workspace reports the damage.
            Err(EffectError::NeedsPerson { message, .. }) => {
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

    /// The key under which a receipt of this commit is stored (M-5).
    async fn receipt_key(&self, repo: &Repo, commit: &ObjectId) -> Result<ReceiptKey, EffectError> {
        let checks = self.engine.checks_of(&self.project, &self.task.review_config)?;
        Ok(ReceiptKey { tree: repo.tree_of(commit).await?.to_string(), checks })
    }

    /// Returns the receipt of an equal tree. Without steps there is nothing to save, so none is looked up.
    async fn find_receipt(&self, key: &ReceiptKey) -> Result<Option<ReceiptRow>, EffectError> {
        match self.task.repo_id {
            Some(repo) if self.has_steps() => {
                Ok(self.engine.receipt_for(repo, &key.tree, &key.checks).await?)
            }
            _ => Ok(None),
        }
    }

    /// Commits uncommitted files, so that the checks see exactly what would land.
    async fn commit_leftovers(&self, worktree: &LockedWorktree) -> Result<ObjectId, EffectError> {
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let message = self.commit_message(&self.task.title);
        Ok(worktree.commit_all(&message, &signature).await?.head)
    }

    pub(crate) async fn acquire_check_slot(
        &self,
        stop: &CancellationToken,
    ) -> Option<tokio::sync::SemaphorePermit<'_>> {
        tokio::select! {
            permit = self.engine.0.checks.acquire() => permit.ok(),
            () = stop.cancelled() => None,
        }
    }

    /// Runs the setup steps, then the checks; each list stops at its first failure.
    pub(crate) async fn run_setup_and_checks(
        &self,
        mark: ProcessOwner,
        surroundings: &ExecutionEnv,
        stop: &CancellationToken,
    ) -> Result<ReviewChecksOutcome, EffectError> {
        let config = &self.task.review_config;
        let ready = self.run_all_checks(&config.setup_steps, mark, surroundings, stop).await?;
        if !all_passed(&ready) {
            return Ok(ReviewChecksOutcome {
                results: ready,
                setup_failed: true,
                ..ReviewChecksOutcome::default()
            });
        }
        let results = self.run_all_checks(&config.ci_steps, mark, surroundings, stop).await?;
        Ok(ReviewChecksOutcome { results, ..ReviewChecksOutcome::default() })
    }

    pub(crate) async fn run_all_checks(
        &self,
        steps: &[String],
        mark: ProcessOwner,
        surroundings: &ExecutionEnv,
        stop: &CancellationToken,
    ) -> Result<Vec<CheckResult>, EffectError> {
        let mut results = Vec::new();
        for command in steps {
            results.push(self.run_check(command, mark, surroundings, stop).await?);
            if !all_passed(&results) {
                break;
            }
        }
        Ok(results)
    }

    async fn run_check(
        &self,
        command: &str,
        mark: ProcessOwner,
        surroundings: &ExecutionEnv,
        stop: &CancellationToken,
    ) -> Result<CheckResult, EffectError> {
        let inner = &self.engine.0;
        let invocation = surroundings.shell(command).env("CI", "true");
        let seconds = timeout_seconds(&self.task.review_config);
        let secrets = self.load_secrets(surroundings).await?;
        let log = inner.home.log(mark.uuid());
        let from = log_size(&log);
        let redacting_log = RedactingLog::open(&log, SecretRedactor::new(&secrets))?;
        let spec = SupervisionSpec::new(invocation, mark.process_mark()?, redacting_log.output())
            .log_cap(inner.limits.log_bytes)
            .deadline(Duration::from_secs(seconds));
        let running = forge_proc::spawn(spec)
            .await
            .map_err(|error| EffectError::Transient(error.to_string()))?;
        self.pass_fault_point("checks.spawned").await?;
        let redacting_task = redacting_log.follow(running.watch_log_size());
        let ended = running.wait(stop).await;
        redacting_task.finish().await?;
        let span = LogSpan { from, to: log_size(&log) };
        Ok(CheckResult { log: span, ..check_result(command, &ended, &secrets) })
    }
}

pub(crate) fn all_passed(results: &[CheckResult]) -> bool {
    results.iter().all(|result| result.outcome == CheckOutcome::Passed)
}

/// The size of a log; zero if the file does not exist yet.
fn log_size(log: &Path) -> u64 {
    std::fs::metadata(log).map_or(0, |found| found.len())
}

fn check_result(command: &str, ended: &ProcessOutcome, secrets: &[String]) -> CheckResult {
    let (outcome, exit_code) = match ended.ending {
        ProcessEnding::Exited(0) => (CheckOutcome::Passed, Some(0)),
        ProcessEnding::Exited(code) => (CheckOutcome::Failed, Some(code)),
        ProcessEnding::Signalled(_) => (CheckOutcome::Failed, None),
        ProcessEnding::TimedOut => (CheckOutcome::TimedOut, None),
        ProcessEnding::Stopped => (CheckOutcome::Stopped, None),
    };
    CheckResult {
        command: command.to_owned(),
        exit_code,
        outcome,
        duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
        output_tail: last_lines(&redact(secrets, &ended.tail)),
        log: LogSpan::default(),
    }
}
