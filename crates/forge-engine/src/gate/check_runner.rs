//! Runs the setup steps and checks of reviews and trials.

use crate::effects::process_owner::ProcessOwner;
use crate::effects::{EffectContext, EffectError};
use crate::execution::agent_program::last_lines;
use crate::execution::execution_env::{ExecutionEnv, ExecutionEnvs};
use crate::execution::secrets::redact;
use crate::execution::transcript::RedactingLog;
use crate::gate::checks::ReviewChecksOutcome;
use crate::gate::receipts::timeout_seconds;
use crate::nodes::data_directory::DataDirectory;
use forge_agent::SecretRedactor;
use forge_domain::{CheckOutcome, CheckResult, LogSpan};
use forge_proc::{ProcessEnding, ProcessOutcome, SupervisionSpec};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Runs checks, as many at once as the server allows.
#[derive(Debug, Clone)]
pub(crate) struct CheckRunner {
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) log_bytes: u64,
    pub(crate) checks: Arc<Semaphore>,
    pub(crate) envs: ExecutionEnvs,
}

impl CheckRunner {
    pub(crate) async fn acquire_check_slot(
        &self,
        stop: &CancellationToken,
    ) -> Option<tokio::sync::SemaphorePermit<'_>> {
        tokio::select! {
            permit = self.checks.acquire() => permit.ok(),
            () = stop.cancelled() => None,
        }
    }

    /// Runs the setup steps, then the checks; each list stops at its first failure.
    pub(crate) async fn run_setup_and_checks(
        &self,
        effect: &EffectContext,
        mark: ProcessOwner,
        env: &ExecutionEnv,
        stop: &CancellationToken,
    ) -> Result<ReviewChecksOutcome, EffectError> {
        let config = &effect.task.review_config;
        let ready = self.run_all_checks(effect, &config.setup_steps, mark, env, stop).await?;
        if !all_passed(&ready) {
            return Ok(ReviewChecksOutcome {
                results: ready,
                setup_failed: true,
                ..ReviewChecksOutcome::default()
            });
        }
        let results = self.run_all_checks(effect, &config.ci_steps, mark, env, stop).await?;
        Ok(ReviewChecksOutcome { results, ..ReviewChecksOutcome::default() })
    }

    pub(crate) async fn run_all_checks(
        &self,
        effect: &EffectContext,
        steps: &[String],
        mark: ProcessOwner,
        env: &ExecutionEnv,
        stop: &CancellationToken,
    ) -> Result<Vec<CheckResult>, EffectError> {
        let mut results = Vec::new();
        for command in steps {
            results.push(self.run_check(effect, command, mark, env, stop).await?);
            if !all_passed(&results) {
                break;
            }
        }
        Ok(results)
    }

    async fn run_check(
        &self,
        effect: &EffectContext,
        command: &str,
        mark: ProcessOwner,
        env: &ExecutionEnv,
        stop: &CancellationToken,
    ) -> Result<CheckResult, EffectError> {
        let invocation = env.shell(command).env("CI", "true");
        let seconds = timeout_seconds(&effect.task.review_config);
        let secrets = self.envs.load_secrets(effect, env).await?;
        let log = self.home.log(mark.uuid());
        let from = log_size(&log);
        let redacting_log = RedactingLog::open(&log, SecretRedactor::new(&secrets))?;
        let spec = SupervisionSpec::new(invocation, mark.process_mark()?, redacting_log.output())
            .log_cap(self.log_bytes)
            .deadline(Duration::from_secs(seconds));
        let running = forge_proc::spawn(spec).await.map_err(EffectError::transient)?;
        effect.pass_fault_point("checks.spawned").await?;
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
