//! Carries out what was decided: takes due steps, performs each in its own task, and reports.

use crate::commit::{Claimed, Closing};
use crate::effects::{Failure, Outcome};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::held::HeldStep;
use crate::lease::GivenBack;
use forge_domain::task::AnnotationType;
use forge_domain::{Actor, Command, Effect, Report, Timestamp};
use forge_store::tables::effects::EffectRow;
use forge_store::{Channel, tables};
use tokio_util::sync::CancellationToken;

/// Failures in a row before a step is a person's business.
const MOST_FAILURES: u32 = 8;
const LONGEST_WAIT_SECONDS: u64 = 300;
const SWEEP_SECONDS: u64 = 10;

impl Engine {
    /// Carries out steps until told to stop: woken by commits, by the next due time, and by a slow sweep behind them.
    /// Signs of life are given apart, so that much work cannot silence them.
    pub async fn run(&self, stop: CancellationToken) {
        self.tend_pools().await;
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.0.dead.cancelled() => {}
            () = self.keep_alive() => {}
            () = self.tend_journals() => {}
            () = self.tend_memory() => {}
            () = Box::pin(self.keep_radar()) => {}
            () = self.dispatch_until_winding_down() => {}
            () = self.work() => {}
        }
    }

    /// Without new agents everything else goes on.
    async fn dispatch_until_winding_down(&self) {
        self.0.winding_down.begun.run_until_cancelled(self.keep_dispatching()).await;
        std::future::pending().await
    }

    async fn keep_alive(&self) {
        let beat = (self.0.limits.lease_seconds / 3).max(1);
        loop {
            self.0.clock.wait_until(self.0.clock.now().plus_seconds(beat)).await;
            if let Err(error) = self.keep_leases().await {
                tracing::error!(%error, "leases could not be kept; trying again");
            }
        }
    }

    async fn work(&self) {
        let _at_work = self.0.at_work.begin();
        let mut wakes = self.0.db.subscribe(Channel::Effects);
        loop {
            let next = match self.turn_once().await {
                Ok(next) => next,
                Err(error) => {
                    tracing::error!(%error, "steps could not be taken; trying again");
                    self.0.clock.now().plus_seconds(1)
                }
            };
            tokio::select! {
                () = self.0.clock.wait_until(next) => {}
                wake = wakes.next() => if wake.is_none() { return },
            }
        }
    }

    /// Takes what is due, and says when to look again at the latest.
    async fn turn_once(&self) -> Result<Timestamp, EngineError> {
        while self.tick().await? > 0 {}
        let now = self.0.clock.now();
        let sweep = now.plus_seconds(SWEEP_SECONDS);
        let due = tables::effects::next_due_at(&self.0.db).await?;
        // What is due already is under way here, or was just taken by somebody else.
        Ok(due.filter(|due| *due > now).map_or(sweep, |due| due.min(sweep)))
    }

    /// Takes every step that is due now and starts it; how many that were.
    pub async fn tick(&self) -> Result<usize, EngineError> {
        let mut started = 0;
        for row in self.due().await? {
            if self.0.dead.is_cancelled() {
                break;
            }
            let Some(held) = self.0.held.begin(row.id) else { continue };
            let Some(row) = self.lease(row.id).await? else { continue };
            started += 1;
            self.begin(row, held);
        }
        Ok(started)
    }

    /// Begins what a decision of ours took with it.
    pub(crate) fn begin_taken(&self, taken: Vec<EffectRow>) {
        for row in taken {
            if let Some(held) = self.0.held.begin(row.id) {
                self.begin(row, held);
            }
        }
    }

    fn begin(&self, row: EffectRow, held: HeldStep) {
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let _held = held;
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => {}
                () = engine.carry_out(row) => {}
            }
        });
    }

    /// Carries out everything that can be done without waiting for time to pass, for scenarios driven by hand.
    pub async fn drain(&self) -> Result<(), EngineError> {
        let mut wakes = self.0.db.subscribe(Channel::Effects);
        loop {
            while self.tick().await? > 0 {}
            if self.0.tasks.is_empty() {
                if self.due().await?.is_empty() {
                    return Ok(());
                }
                continue;
            }
            tokio::select! {
                _ = wakes.next() => {}
                () = self.quiet() => {}
            }
        }
    }

    /// Waits until nothing is being carried out.
    async fn quiet(&self) {
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.tasks.reopen();
    }

    async fn carry_out(&self, row: EffectRow) {
        let claimed = Claimed { effect: row.id, fence: row.fence };
        let result = self.attempt(&row, claimed).await;
        if matches!(row.effect, Effect::PrepareWorkspace { .. }) {
            self.0.head_starts.end(row.task_id);
        }
        let concluded = match result {
            Ok(Outcome::Report(report)) => {
                self.report(&row, claimed, report, Closing::Finished).await
            }
            Err(Failure::Waits { report, error, patience_seconds }) => {
                let wait = wait_seconds(row.attempts).min(patience_seconds);
                self.try_again(&row, claimed, *report, error, wait).await
            }
            Ok(Outcome::TryAgain { report, error, patience_seconds }) => {
                let wait = wait_seconds(row.attempts).min(patience_seconds);
                self.try_again(&row, claimed, report, error, wait).await
            }
            Err(Failure::Final { trouble, message, details }) => {
                let report = Report::StepFailed { visit: row.visit, trouble, message, details };
                self.report(&row, claimed, report, Closing::Failed).await
            }
            Err(Failure::Passing(error)) => self.passing(&row, claimed, error).await,
            Err(Failure::Overtaken) => Ok(()),
        };
        match concluded {
            Ok(()) => {}
            Err(EngineError::StaleLease) => {
                tracing::warn!(effect = %row.id, "another worker took this step over; its report stands");
            }
            Err(error) => {
                // The report could not be stored: the step is still open, and is found again by its lease.
                tracing::error!(effect = %row.id, %error, "a step's result could not be recorded; it is tried again");
                let at = self.0.clock.now().plus_seconds(wait_seconds(row.failures + 1));
                let why = GivenBack::Failed(error.to_string());
                if let Err(error) = self.retry_later(claimed, why, at).await {
                    tracing::error!(effect = %row.id, %error, "the step waits for its lease to run out");
                }
            }
        }
    }

    async fn attempt(&self, row: &EffectRow, claimed: Claimed) -> Result<Outcome, Failure> {
        self.0.faults.reach("effect.leased").await?;
        let outcome = Box::pin(self.perform(row, claimed)).await?;
        self.0.faults.reach("effect.performed").await?;
        Ok(outcome)
    }

    pub(crate) async fn report(
        &self,
        row: &EffectRow,
        claimed: Claimed,
        report: Report,
        closing: Closing,
    ) -> Result<(), EngineError> {
        let actor = Actor::system(row.effect.name());
        self.commit(actor, row.task_id, Command::Report(report), Some((claimed, closing))).await?;
        Ok(())
    }

    async fn try_again(
        &self,
        row: &EffectRow,
        claimed: Claimed,
        report: Report,
        error: String,
        wait: u64,
    ) -> Result<(), EngineError> {
        tracing::info!(effect = %row.id, kind = row.effect.name(), %error, "a step waits; it is tried again");
        self.report(row, claimed, report, Closing::StaysOpen).await?;
        let at = self.0.clock.now().plus_seconds(wait);
        let why = match row.effect {
            // W-7: a claim made meanwhile needs the worktree as it is. What a person threw away goes first.
            Effect::CleanWorkspace { retire_branch: false } | Effect::BeginTurn { .. } => {
                GivenBack::Yields(error)
            }
            _ => GivenBack::Waits(error),
        };
        self.retry_later(claimed, why, at).await
    }

    async fn passing(
        &self,
        row: &EffectRow,
        claimed: Claimed,
        error: String,
    ) -> Result<(), EngineError> {
        let failures = row.failures + 1;
        if failures < MOST_FAILURES {
            tracing::warn!(effect = %row.id, kind = row.effect.name(), %error, "a step failed; it is tried again");
            let at = self.0.clock.now().plus_seconds(wait_seconds(failures));
            return self.retry_later(claimed, GivenBack::Failed(error), at).await;
        }
        let message = format!("{} failed {failures} times: {error}", row.effect.name());
        let report = Report::StepFailed {
            visit: row.visit,
            trouble: AnnotationType::StepFailed,
            message,
            details: serde_json::Value::Null,
        };
        self.report(row, claimed, report, Closing::Failed).await
    }
}

/// Seconds before the next try: at once for the first, then doubling.
fn wait_seconds(tries: u32) -> u64 {
    match tries {
        0 | 1 => 0,
        many => 2_u64.saturating_pow(many - 2).min(LONGEST_WAIT_SECONDS),
    }
}
