//! The executor: leases due effects, performs each in its own task, and commits its report.

use crate::command::commit::{EffectEnd, EffectLease};
use crate::command::errors::EngineError;
use crate::effects::held_effects::HeldEffect;
use crate::effects::lease::RetryReason;
use crate::effects::{EffectError, EffectOutcome};
use crate::engine::Engine;
use forge_domain::task::AnnotationType;
use forge_domain::{Actor, Effect, EffectReport, TaskCommand, Timestamp};
use forge_store::tables::effects::EffectRow;
use forge_store::{WakeChannel, tables};
use tokio_util::sync::CancellationToken;

/// Consecutive failures before an effect needs a person.
const MOST_FAILURES: u32 = 8;
const LONGEST_WAIT_SECONDS: u64 = 300;
const SWEEP_SECONDS: u64 = 10;

impl Engine {
    /// Performs effects until stopped: woken by commits, by the next due time, and by a slow sweep. A separate loop
    /// renews the leases, so that heavy load cannot let them expire.
    pub async fn run(&self, stop: CancellationToken) {
        self.maintain_pools().await;
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.0.dead.cancelled() => {}
            () = self.renew_leases_regularly() => {}
            () = self.prune_journals_regularly() => {}
            () = self.shrink_idle_pools() => {}
            () = Box::pin(self.run_radar_loop()) => {}
            () = self.dispatch_until_shutdown() => {}
            () = self.run_executor_loop() => {}
        }
    }

    /// Stops only dispatch during shutdown; everything else continues.
    async fn dispatch_until_shutdown(&self) {
        self.0.shutdown.stop_starting.run_until_cancelled(self.run_dispatch_loop()).await;
        std::future::pending().await
    }

    async fn renew_leases_regularly(&self) {
        let beat = (self.0.limits.lease_seconds / 3).max(1);
        loop {
            self.0.clock.wait_until(self.0.clock.now().plus_seconds(beat)).await;
            if let Err(error) = self.renew_leases().await {
                tracing::error!(%error, "could not renew leases; retrying");
            }
        }
    }

    async fn run_executor_loop(&self) {
        let _at_work = self.0.executor_loops.begin();
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
    pub async fn tick(&self) -> Result<usize, EngineError> {
        let mut started = 0;
        for row in self.load_due_effects().await? {
            if self.0.dead.is_cancelled() {
                break;
            }
            let Some(held) = self.0.held_effects.begin(row.id) else { continue };
            let Some(row) = self.lease_effect(row.id).await? else { continue };
            started += 1;
            self.start_effect(row, held);
        }
        Ok(started)
    }

    /// Starts the effects that a decision leased in its own transaction.
    pub(crate) fn start_leased_effects(&self, taken: Vec<EffectRow>) {
        for row in taken {
            if let Some(held) = self.0.held_effects.begin(row.id) {
                self.start_effect(row, held);
            }
        }
    }

    fn start_effect(&self, row: EffectRow, held: HeldEffect) {
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let _held = held;
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => {}
                () = engine.perform_and_report(row) => {}
            }
        });
    }

    /// Performs everything that needs no waiting for time, for tests with a manual clock.
    pub async fn drain(&self) -> Result<(), EngineError> {
        let mut wakes = self.0.db.subscribe(WakeChannel::Effects);
        loop {
            while self.tick().await? > 0 {}
            if self.0.tasks.is_empty() {
                if self.load_due_effects().await?.is_empty() {
                    return Ok(());
                }
                continue;
            }
            tokio::select! {
                _ = wakes.next() => {}
                () = self.wait_until_idle() => {}
            }
        }
    }

    /// Waits until no effect runs.
    async fn wait_until_idle(&self) {
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.tasks.reopen();
    }

    async fn perform_and_report(&self, row: EffectRow) {
        let claimed = EffectLease { effect_id: row.id, fence: row.fence };
        let result = self.attempt_effect(&row, claimed).await;
        let closes =
            matches!(result, Ok(EffectOutcome::Report(_)) | Err(EffectError::NeedsPerson { .. }));
        let concluded = match result {
            Ok(EffectOutcome::Report(report)) => {
                self.report(&row, claimed, report, EffectEnd::Finished).await
            }
            Err(EffectError::Waiting { report, error, patience_seconds }) => {
                let wait = wait_seconds(row.attempts).min(patience_seconds);
                self.report_and_retry(&row, claimed, *report, error, wait).await
            }
            Ok(EffectOutcome::Retry { report, error, patience_seconds }) => {
                let wait = wait_seconds(row.attempts).min(patience_seconds);
                self.report_and_retry(&row, claimed, report, error, wait).await
            }
            Err(EffectError::NeedsPerson { trouble, message, details }) => {
                let report =
                    EffectReport::EffectFailed { visit: row.visit, trouble, message, details };
                self.report(&row, claimed, report, EffectEnd::Failed).await
            }
            Err(EffectError::Transient(error)) => self.retry_or_park(&row, claimed, error).await,
            Err(EffectError::LeaseLost) => Ok(()),
        };
        match concluded {
            Ok(()) if closes => self.remove_exit_record(&row).await,
            Ok(()) => {}
            Err(EngineError::StaleLease) => {
                tracing::warn!(effect = %row.id, "another node took over this effect; its report counts");
            }
            Err(error) => {
                // The report was not stored: the effect is still open, and is retried after its lease.
                tracing::error!(effect = %row.id, %error, "could not record an effect's result; retrying");
                let at = self.0.clock.now().plus_seconds(wait_seconds(row.failures + 1));
                let why = RetryReason::Failed(error.to_string());
                if let Err(error) = self.retry_later(claimed, why, at).await {
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

    async fn attempt_effect(
        &self,
        row: &EffectRow,
        claimed: EffectLease,
    ) -> Result<EffectOutcome, EffectError> {
        self.0.faults.reach("effect.leased").await?;
        let outcome = Box::pin(self.perform(row, claimed)).await?;
        self.0.faults.reach("effect.performed").await?;
        Ok(outcome)
    }

    pub(crate) async fn report(
        &self,
        row: &EffectRow,
        claimed: EffectLease,
        report: EffectReport,
        closing: EffectEnd,
    ) -> Result<(), EngineError> {
        let actor = Actor::system(row.effect.name());
        self.commit(actor, row.task_id, TaskCommand::Report(report), Some((claimed, closing)))
            .await?;
        Ok(())
    }

    async fn report_and_retry(
        &self,
        row: &EffectRow,
        claimed: EffectLease,
        report: EffectReport,
        error: String,
        wait: u64,
    ) -> Result<(), EngineError> {
        tracing::info!(effect = %row.id, kind = row.effect.name(), %error, "effect waits; retrying later");
        self.report(row, claimed, report, EffectEnd::NotYet).await?;
        let at = self.0.clock.now().plus_seconds(wait);
        let why = match row.effect {
            // W-7: a later claim needs the worktree, so this removal yields. A removal that a person requested does
            // not.
            Effect::CleanWorkspace { retire_branch: false } | Effect::BeginTurn { .. } => {
                RetryReason::Yielding(error)
            }
            _ => RetryReason::Waiting(error),
        };
        self.retry_later(claimed, why, at).await
    }

    async fn retry_or_park(
        &self,
        row: &EffectRow,
        claimed: EffectLease,
        error: String,
    ) -> Result<(), EngineError> {
        let failures = row.failures + 1;
        if failures < MOST_FAILURES {
            tracing::warn!(effect = %row.id, kind = row.effect.name(), %error, "effect failed; retrying later");
            let at = self.0.clock.now().plus_seconds(wait_seconds(failures));
            return self.retry_later(claimed, RetryReason::Failed(error), at).await;
        }
        let message = format!("{} failed {failures} times: {error}", row.effect.name());
        let report = EffectReport::EffectFailed {
            visit: row.visit,
            trouble: AnnotationType::EffectFailed,
            message,
            details: serde_json::Value::Null,
        };
        self.report(row, claimed, report, EffectEnd::Failed).await
    }
}

/// Seconds before the next attempt: none for the first retry, then doubling.
fn wait_seconds(tries: u32) -> u64 {
    match tries {
        0 | 1 => 0,
        many => 2_u64.saturating_pow(many - 2).min(LONGEST_WAIT_SECONDS),
    }
}
