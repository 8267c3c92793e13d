//! Ends all processes that carry a mark (T-12).

use crate::effects::effect_run::{EffectRun, GRACE, process_mark};
use crate::effects::{EffectError, EffectOutcome};
use forge_domain::{EffectReport, ExecutionId};
use forge_git::JournalReason;
use uuid::Uuid;

impl EffectRun<'_> {
    pub(crate) async fn stop_processes(&self, mark: Uuid) -> Result<EffectOutcome, EffectError> {
        let ours = self.engine.0.processes.marks().contains(&mark);
        self.engine.0.processes.stop(mark).await;
        self.pass_fault_point("stop.asked").await?;
        forge_proc::end_marked_processes(&process_mark(mark)?, GRACE).await?;
        if !ours {
            // An execution of an earlier server that was stopped before it could be adopted.
            drop(self.engine.0.adopted_locks.take(ExecutionId::new(mark)));
            let log = self.engine.0.home.log(mark);
            forge_proc::read_remaining_output(&log).await.ok();
            // The stop is recorded, so nothing starts the execution again.
            forge_proc::remove_process_records(&log)?;
        }
        // An execution of this process has written its own journal entry.
        if !ours && let Some(site) = self.load_journal_source().await? {
            self.try_journal_entry(&site, JournalReason::Stop).await?;
        }
        Ok(EffectOutcome::Report(EffectReport::Stopped { mark }))
    }
}
