//! Rows derived from a task in other tables: labels, dependencies, words.

use forge_domain::task::TaskSnapshot;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::{search_index, words};
use crate::tx::Tx;

/// Length of the stored hash that tells whether the related rows changed.
const DIGEST_BYTES: usize = 16;

/// Content of the related rows.
pub(crate) struct RelatedRows<'t> {
    task: &'t TaskSnapshot,
    words: String,
    digest: String,
}

impl<'t> RelatedRows<'t> {
    pub(crate) fn of(task: &'t TaskSnapshot) -> Result<Self, StoreError> {
        let words = words::of_task(task);
        let content = json(&(&task.labels, &task.dependencies, &words))?;
        let mut digest = String::new();
        for byte in Sha256::digest(content).into_iter().take(DIGEST_BYTES) {
            // Writing to a String cannot fail.
            let _ = write!(digest, "{byte:02x}");
        }
        Ok(Self { task, words, digest })
    }

    /// Digest of the content: equal digests mean equal rows.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Inserts the rows of a new task.
    pub(crate) async fn insert(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let task = self.task;
        if !task.labels.is_empty() {
            let mut insert = QueryBuilder::new("INSERT INTO task_labels (task_id, label) VALUES ");
            for (place, label) in task.labels.iter().enumerate() {
                insert.value_group(place == 0, [task.id.into(), label.into()]);
            }
            tx.execute(insert.into_stmt()).await?;
        }
        if !task.dependencies.is_empty() {
            let mut insert =
                QueryBuilder::new("INSERT INTO task_dependencies (task_id, depends_on_id) VALUES ");
            for (place, on) in task.dependencies.iter().enumerate() {
                insert.value_group(place == 0, [task.id.into(), (*on).into()]);
            }
            tx.execute(insert.into_stmt()).await?;
        }
        tx.execute(search_index::write(tx.dialect(), task, &self.words)).await?;
        Ok(())
    }

    /// Replaces the rows of a task.
    pub(crate) async fn replace(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let labels = stmt("DELETE FROM task_labels WHERE task_id = $1");
        tx.execute(labels.bind(self.task.id)).await?;
        let dependencies = stmt("DELETE FROM task_dependencies WHERE task_id = $1");
        tx.execute(dependencies.bind(self.task.id)).await?;
        self.insert(tx).await
    }
}
