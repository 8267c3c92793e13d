//! Ends everything that carries a mark, here and now (T-12).

use super::perform::{GRACE, Step, mark_of};
use super::{Failure, Outcome};
use forge_domain::{ExecutionId, Report};
use forge_git::JournalReason;
use uuid::Uuid;

impl Step<'_> {
    pub(super) async fn stop(&self, mark: Uuid) -> Result<Outcome, Failure> {
        let ours = self.engine.0.runs.marks().contains(&mark);
        self.engine.0.runs.stop(mark).await;
        self.reach("stop.asked").await?;
        forge_proc::end_marked(&mark_of(mark)?, GRACE).await?;
        if !ours {
            // A turn that an earlier server began, and that has lost its point before it could go on.
            drop(self.engine.0.regained.take(ExecutionId::new(mark)));
            forge_proc::read_rest(&self.engine.0.home.log(mark)).await.ok();
        }
        // A turn that this process ran has written its entry itself.
        if !ours && let Some(site) = self.site().await? {
            self.record_if_possible(&site, JournalReason::Stop).await?;
        }
        Ok(Outcome::Report(Report::Stopped { mark }))
    }
}
