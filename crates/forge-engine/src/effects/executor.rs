//! The executor: leases due effects, performs each in its own task, and commits its report.

use crate::command::clock::Clock;
use crate::command::commit::{Commands, EffectEnd};
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::effects::effect_handlers::EffectHandlers;
use crate::effects::engine_tasks::EngineTasks;
use crate::effects::held_effects::HeldEffect;
use crate::effects::lease::{EffectLease, EffectLeases, RetryReason};
use crate::effects::{EffectContext, EffectError, EffectOutcome, ErrorChain};
use crate::nodes::data_directory::DataDirectory;
use forge_domain::task::AnnotationType;
use forge_domain::{Effect, EffectReport, Timestamp};
use forge_store::tables::effects::EffectRow;
use forge_store::{Db, WakeChannel, tables};
use std::error::Error;
use std::sync::{Arc, Weak};

/// Consecutive failures before an effect needs a person.
const MOST_FAILURES: u32 = 8;
const LONGEST_WAIT_SECONDS: u64 = 300;
const SWEEP_SECONDS: u64 = 10;

/// Performs effects; clones share one executor.
#[derive(Debug, Clone)]
pub(crate) struct EffectExecutor(Arc<ExecutorParts>);

/// What an executor uses.
#[derive(Debug)]
pub(crate) struct ExecutorParts {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) tasks: EngineTasks,
    pub(crate) leases: EffectLeases,
    pub(crate) commands: Commands,
    pub(crate) records: RecordReader,
    pub(crate) handlers: EffectHandlers,
}

impl EffectExecutor {
    pub(crate) fn new(parts: ExecutorParts) -> Self {
        Self(Arc::new(parts))
    }

    pub(crate) fn downgrade(&self) -> Weak<ExecutorParts> {
        Arc::downgrade(&self.0)
    }

    /// The executor, if its engine is still there.
    pub(crate) fn upgrade(parts: &Weak<ExecutorParts>) -> Option<Self> {
        parts.upgrade().map(Self)
    }

    /// Renews the leases of effects in progress. A loop of its own, so that heavy load cannot let them expire.
    pub(crate) async fn renew_leases_regularly(&self) {
        let beat = (self.0.leases.lease_seconds / 3).max(1);
        loop {
            self.0.clock.wait_until(self.0.clock.now().plus_seconds(beat)).await;
            if let Err(error) = self.0.leases.renew_leases().await {
                tracing::error!(%error, "could not renew leases; retrying");
            }
        }
    }

    /// Performs effects until stopped: woken by commits, by the next due time, and by a slow sweep.
    pub(crate) async fn run_executor_loop(&self) {
        let _executing = self.0.leases.loops.begin();
        let mut wakes = self.0.db.subscribe(WakeChannel::Effects);
        loop {
            let next = match self.start_due_effects().await {
                Ok(next) => next,
                Err(error) => {
                    tracing::error!(%error, "could not lease effects; retrying");
                    self.0.clock.now().plus_seconds(1)
                }
            };
            tokio::select! {
                () = self.0.clock.wait_until(next) => {}
                wake = wakes.next() => if wake.is_none() { return },
            }
        }
    }

    /// Starts all due effects, and returns when to look again at the latest.
    async fn start_due_effects(&self) -> Result<Timestamp, EngineError> {
        while self.tick().await? > 0 {}
        let now = self.0.clock.now();
        let sweep = now.plus_seconds(SWEEP_SECONDS);
        let due = tables::effects::next_due_at(&self.0.db).await?;
        // A due effect is already running here, or another node just leased it.
        Ok(due.filter(|due| *due > now).map_or(sweep, |due| due.min(sweep)))
    }

    /// Leases and starts every due effect; returns their number.
    pub(crate) async fn tick(&self) -> Result<usize, EngineError> {
        let mut started = 0;
        for row in self.0.leases.load_due_effects().await? {
            if self.0.tasks.is_dead() {
                break;
            }
            let Some(held) = self.0.leases.held.begin(row.id) else { continue };
            let Some(row) = self.0.leases.lease_effect(row.id).await? else { continue };
            started += 1;
            self.start_effect(row, held);
        }
        Ok(started)
    }

    /// Starts the effects that a decision leased in its own transaction.
    pub(crate) fn start_leased_effects(&self, leased: Vec<EffectRow>) {
        for row in leased {
            if let Some(held) = self.0.leases.held.begin(row.id) {
                self.start_effect(row, held);
            }
        }
    }

    fn start_effect(&self, row: EffectRow, held: HeldEffect) {
        let executor = self.clone();
        self.0.tasks.spawn_until_death(async move {
            let _held = held;
            executor.perform_and_report(row).await;
        });
    }

    /// Performs everything that needs no waiting for time, for tests with a manual clock.
    pub(crate) async fn drain(&self) -> Result<(), EngineError> {
        let mut wakes = self.0.db.subscribe(WakeChannel::Effects);
        loop {
            while self.tick().await? > 0 {}
            if self.0.tasks.is_empty() {
                if self.0.leases.load_due_effects().await?.is_empty() {
                    return Ok(());
                }
                continue;
            }
            tokio::select! {
                _ = wakes.next() => {}
                () = self.0.tasks.wait_until_idle() => {}
            }
        }
    }

    async fn perform_and_report(&self, row: EffectRow) {
        let lease = EffectLease { effect_id: row.id, fence: row.fence };
        let result = self.attempt_effect(&row).await;
        let is_over =
            matches!(result, Ok(EffectOutcome::Report(_)) | Err(EffectError::NeedsPerson { .. }));
        let recorded = match result {
            Ok(EffectOutcome::Report(report)) => {
                self.0.commands.report(&row, lease, report, EffectEnd::Finished).await
            }
            Err(EffectError::Waiting { report, error, patience_seconds }) => {
                let wait = wait_seconds(row.attempts).min(patience_seconds);
                self.report_and_retry(&row, lease, *report, error, wait).await
            }
            Ok(EffectOutcome::Retry { report, error, patience_seconds }) => {
                let wait = wait_seconds(row.attempts).min(patience_seconds);
                self.report_and_retry(&row, lease, report, error, wait).await
            }
            Err(EffectError::NeedsPerson { trouble, message, details }) => {
                let report =
                    EffectReport::EffectFailed { visit: row.visit, trouble, message, details };
                self.0.commands.report(&row, lease, report, EffectEnd::Failed).await
            }
            Err(EffectError::Transient(error)) => self.retry_or_park(&row, lease, error).await,
            Err(EffectError::LeaseLost) => Ok(()),
        };
        match recorded {
            Ok(()) if is_over => self.remove_exit_record(&row).await,
            Ok(()) => {}
            Err(EngineError::StaleLease) => {
                tracing::warn!(effect = %row.id, "another node took over this effect; its report counts");
            }
            Err(error) => {
                // The report was not stored: the effect is still open, and is retried after its lease.
                tracing::error!(effect = %row.id, %error, "could not record an effect's result; retrying");
                let at = self.0.clock.now().plus_seconds(wait_seconds(row.failures + 1));
                let why = RetryReason::Failed(error.to_string());
                if let Err(error) = self.0.leases.retry_later(lease, why, at).await {
                    tracing::error!(effect = %row.id, %error, "could not return the effect; it waits for its lease to expire");
                }
            }
        }
    }

    /// The result is committed, so the exit record beside the log is no longer needed.
    async fn remove_exit_record(&self, row: &EffectRow) {
        let Effect::RunExecution { execution } = row.effect else { return };
        let log = self.0.home.log(execution.uuid());
        let removed =
            forge_proc::run_on_log_worker(move || forge_proc::remove_process_records(&log)).await;
        if let Err(error) = removed.flatten() {
            // The next start finds the file, and that its execution ended.
            tracing::warn!(%execution, %error, "could not remove the remains of an execution");
        }
    }

    async fn attempt_effect(&self, row: &EffectRow) -> Result<EffectOutcome, EffectError> {
        let (commands, records) = (&self.0.commands, &self.0.records);
        commands.faults.reach("effect.leased").await?;
        let effect = EffectContext::load(commands.clone(), records, row.clone()).await?;
        let outcome = Box::pin(self.0.handlers.perform(&effect)).await?;
        commands.faults.reach("effect.performed").await?;
        Ok(outcome)
    }

    async fn report_and_retry(
        &self,
        row: &EffectRow,
        lease: EffectLease,
        report: EffectReport,
        error: String,
        wait: u64,
    ) -> Result<(), EngineError> {
        tracing::info!(effect = %row.id, kind = row.effect.name(), %error, "effect waits; retrying later");
        self.0.commands.report(row, lease, report, EffectEnd::NotYet).await?;
        let at = self.0.clock.now().plus_seconds(wait);
        let why = match row.effect {
            // W-7: a later claim needs the worktree, so this removal yields. A removal that a person requested does
            // not.
            Effect::CleanWorkspace { retire_branch: false } | Effect::BeginTurn { .. } => {
                RetryReason::Yielding(error)
            }
            _ => RetryReason::Waiting(error),
        };
        self.0.leases.retry_later(lease, why, at).await
    }

    async fn retry_or_park(
        &self,
        row: &EffectRow,
        lease: EffectLease,
        error: Box<dyn Error + Send + Sync>,
    ) -> Result<(), EngineError> {
        let failures = row.failures + 1;
        let chain = ErrorChain(&*error).to_string();
        if failures < MOST_FAILURES {
            tracing::warn!(effect = %row.id, kind = row.effect.name(), error = chain, "effect failed; retrying later");
            let at = self.0.clock.now().plus_seconds(wait_seconds(failures));
            let why = RetryReason::Failed(error.to_string());
            return self.0.leases.retry_later(lease, why, at).await;
        }
        tracing::warn!(effect = %row.id, kind = row.effect.name(), error = chain, failures, "effect failed too often; it needs a person");
        let message = format!("{} failed {failures} times: {error}", row.effect.name());
        let report = EffectReport::EffectFailed {
            visit: row.visit,
            trouble: AnnotationType::EffectFailed,
            message,
            details: serde_json::Value::Null,
        };
        self.0.commands.report(row, lease, report, EffectEnd::Failed).await
    }
}

/// Seconds before the next attempt: none for the first retry, then doubling.
fn wait_seconds(tries: u32) -> u64 {
    match tries {
        0 | 1 => 0,
        many => 2_u64.saturating_pow(many - 2).min(LONGEST_WAIT_SECONDS),
    }
}
