//! Messages for a program that hears them while it works (T-22): lines of a file that it watches. Whether it took one is
//! for it to say; what it never said is told by the next turn, so writing a line is no promise.

use super::perform::Step;
use super::{Failure, Outcome};
use forge_domain::{ExecutionId, Report};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tokio::io::AsyncWriteExt as _;
use uuid::Uuid;

/// A line, as `forge agent acp-bridge` reads it.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    id: Uuid,
    steer: String,
}

impl Step<'_> {
    /// An empty file, before the program looks for it. What was written for a try before this one stays.
    pub(super) async fn open_controls(&self, execution: ExecutionId) -> Result<PathBuf, Failure> {
        let path = self.engine.0.home.controls(execution.uuid());
        tokio::fs::OpenOptions::new().create(true).append(true).open(&path).await?;
        Ok(path)
    }

    pub(super) async fn deliver_steer(&self, execution: ExecutionId) -> Result<Outcome, Failure> {
        let path = self.open_controls(execution).await?;
        let told = tokio::fs::read_to_string(&path).await?;
        let told: Vec<Uuid> = told
            .lines()
            .filter_map(|line| serde_json::from_str::<Line>(line).ok())
            .map(|line| line.id)
            .collect();
        let task = self.reload().await?;
        let meant = task.steers.into_iter().filter(|steer| steer.execution == execution);
        let mut text = String::new();
        for steer in meant.filter(|steer| steer.live && !told.contains(&steer.id)) {
            let line = Line { id: steer.id, steer: steer.message };
            let line = serde_json::to_string(&line)
                .map_err(|error| Failure::Passing(error.to_string()))?;
            // A line that a dying server cut off must not spoil the next.
            text.push('\n');
            text.push_str(&line);
            text.push('\n');
        }
        self.reach("steer.begun").await?;
        let mut file = tokio::fs::OpenOptions::new().append(true).open(&path).await?;
        file.write_all(text.as_bytes()).await?;
        file.flush().await?;
        self.reach("steer.written").await?;
        Ok(Outcome::Report(Report::SteerDelivered { execution }))
    }
}
