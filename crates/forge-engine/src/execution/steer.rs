//! Delivers messages to a running program (T-22) as lines of a file that it watches. The program confirms each message;
//! the next execution repeats unconfirmed ones, so writing a line promises nothing.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::execution::executions::Executions;
use forge_domain::{EffectReport, ExecutionId};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tokio::io::AsyncWriteExt as _;
use uuid::Uuid;

/// One line, as `forge agent acp-bridge` reads it.
#[derive(Debug, Serialize, Deserialize)]
struct SteerLine {
    id: Uuid,
    steer: String,
}

impl Executions {
    /// Creates the file before the program looks for it. Lines of an earlier attempt stay.
    pub(crate) async fn open_controls(
        &self,
        execution: ExecutionId,
    ) -> Result<PathBuf, EffectError> {
        let path = self.home.controls(execution.uuid());
        tokio::fs::OpenOptions::new().create(true).append(true).open(&path).await?;
        Ok(path)
    }

    pub(crate) async fn deliver_steer(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        let path = self.open_controls(execution).await?;
        let told = tokio::fs::read_to_string(&path).await?;
        let told: Vec<Uuid> = told
            .lines()
            .filter_map(|line| serde_json::from_str::<SteerLine>(line).ok())
            .map(|line| line.id)
            .collect();
        let task = effect.reload().await?;
        let meant = task.steers.into_iter().filter(|steer| steer.execution == execution);
        let mut text = String::new();
        for steer in meant.filter(|steer| steer.live && !told.contains(&steer.id)) {
            let line = SteerLine { id: steer.id, steer: steer.message };
            let line = serde_json::to_string(&line).map_err(EffectError::transient)?;
            // Start on a new line, in case a dying server left an incomplete one.
            text.push('\n');
            text.push_str(&line);
            text.push('\n');
        }
        effect.pass_fault_point("steer.begun").await?;
        let mut file = tokio::fs::OpenOptions::new().append(true).open(&path).await?;
        file.write_all(text.as_bytes()).await?;
        file.flush().await?;
        effect.pass_fault_point("steer.written").await?;
        Ok(EffectOutcome::Report(EffectReport::SteerDelivered { execution }))
    }
}
