//! Ends all processes that carry a mark (T-12).

use crate::effects::{EffectContext, EffectError, EffectOutcome, GRACE, process_mark};
use crate::execution::executions::Executions;
use forge_domain::{EffectReport, ExecutionId};
use forge_git::JournalReason;
use uuid::Uuid;

impl Executions {
    pub(crate) async fn stop_processes(
        &self,
        effect: &EffectContext,
        mark: Uuid,
    ) -> Result<EffectOutcome, EffectError> {
        let ours = self.processes.marks().contains(&mark);
        self.processes.stop(mark).await;
        effect.pass_fault_point("stop.asked").await?;
        forge_proc::end_marked_processes(&process_mark(mark)?, GRACE).await?;
        if !ours {
            // An execution of an earlier server that was stopped before it could be adopted.
            drop(self.adopted_locks.take(ExecutionId::new(mark)));
            let log = self.home.log(mark);
            forge_proc::read_remaining_output(&log).await.ok();
            // The stop is recorded, so nothing starts the execution again.
            forge_proc::remove_process_records(&log)?;
        }
        // An execution of this process has written its own journal entry.
        if !ours && let Some(site) = self.journals.load_journal_source(effect).await? {
            self.journals.try_journal_entry(effect, &site, JournalReason::Stop).await?;
        }
        Ok(EffectOutcome::Report(EffectReport::Stopped { mark }))
    }
}
