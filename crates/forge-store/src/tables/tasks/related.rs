//! The rows beside a task's own: labels, dependencies, words.

use forge_domain::task::Snapshot;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

use super::words;
use crate::errors::StoreError;
use crate::statement::stmt;
use crate::tables::assembly::Assembly;
use crate::tables::column::json;
use crate::tx::Tx;

/// What the related rows are made of.
pub(super) struct Related<'t> {
    task: &'t Snapshot,
    words: String,
    digest: String,
}

impl<'t> Related<'t> {
    pub(super) fn of(task: &'t Snapshot) -> Result<Self, StoreError> {
        let words = words::of_task(task);
        let content = json(&(&task.labels, &task.dependencies, &words))?;
        let mut digest = String::new();
        for byte in Sha256::digest(content) {
            // Writing to a String cannot fail.
            let _ = write!(digest, "{byte:02x}");
        }
        Ok(Self { task, words, digest })
    }

    /// Equal digests, equal rows.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// Writes the rows of a new task.
    pub(super) async fn insert(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let task = self.task;
        if !task.labels.is_empty() {
            let mut insert = Assembly::new("INSERT INTO task_labels (task_id, label) VALUES ");
            for (place, label) in task.labels.iter().enumerate() {
                insert.group(place == 0, [task.id.into(), label.into()]);
            }
            tx.execute(insert.into_stmt()?).await?;
        }
        if !task.dependencies.is_empty() {
            let mut insert =
                Assembly::new("INSERT INTO task_dependencies (task_id, depends_on_id) VALUES ");
            for (place, on) in task.dependencies.iter().enumerate() {
                insert.group(place == 0, [task.id.into(), (*on).into()]);
            }
            tx.execute(insert.into_stmt()?).await?;
        }
        let insert = stmt(
            "INSERT INTO task_words (task_id, words) VALUES ($1, $2)
             ON CONFLICT (task_id) DO UPDATE SET words = excluded.words WHERE task_words.words <> excluded.words",
        );
        tx.execute(insert.bind(task.id).bind(&self.words)).await?;
        Ok(())
    }

    /// Writes the rows anew.
    pub(super) async fn replace(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let labels = stmt("DELETE FROM task_labels WHERE task_id = $1");
        tx.execute(labels.bind(self.task.id)).await?;
        let dependencies = stmt("DELETE FROM task_dependencies WHERE task_id = $1");
        tx.execute(dependencies.bind(self.task.id)).await?;
        self.insert(tx).await
    }
}
