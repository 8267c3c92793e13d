//! Scans the list and compares each task. Fast for frequent words and for filters that match few tasks.

use forge_domain::task::TaskSnapshot;

use crate::row::DbRow;
use crate::store_error::StoreError;
use crate::tables::tasks::filter::TaskSortKey;
use crate::tables::tasks::list::{RowSelection, assemble};
use crate::tables::tasks::search::TaskSearch;
use crate::value::SqlValue;

/// Maximum number of rows in memory at once.
const STEP: usize = 1024;
/// If at least one of so many tasks matches, a page is full before the scan is long.
const SPARSE: usize = 64;

/// A scan of the list, from the start of the page.
pub(crate) struct ListScan<'s> {
    search: &'s TaskSearch<'s>,
    after: Option<Vec<SqlValue>>,
    found: Vec<TaskSnapshot>,
    rows_read: usize,
}

impl<'s> ListScan<'s> {
    pub(crate) fn new(search: &'s TaskSearch<'s>) -> Self {
        Self { search, after: search.start.clone(), found: Vec::new(), rows_read: 0 }
    }

    /// Reads up to `budget` more tasks. Returns whether the page is full or the list has ended.
    pub(crate) async fn read(&mut self, budget: usize) -> Result<bool, StoreError> {
        let mut left = budget;
        while left > 0 {
            let step = left.min(STEP);
            let limit = i64::try_from(step).unwrap_or(i64::MAX);
            let (filter, after) = (self.search.filter, self.after.as_deref());
            let query = assemble(filter, after, limit, RowSelection::All)?;
            let rows = self.search.db.fetch_all(query.into_stmt()).await?;
            self.rows_read += rows.len();
            for row in &rows {
                if let Some(task) = self.search.matching(row)? {
                    // A task that changed meanwhile may appear a second time.
                    self.found.retain(|earlier| earlier.id != task.id);
                    self.found.push(task);
                }
                if self.found.len() == self.search.limit {
                    return Ok(true);
                }
            }
            let Some(last) = rows.last().filter(|_| rows.len() == step) else {
                return Ok(true);
            };
            self.after = Some(keys(self.search.filter.sort, last)?);
            left -= step;
        }
        Ok(false)
    }

    /// Whether so few of the tasks match that the page is far from full.
    pub(crate) fn is_sparse(&self) -> bool {
        self.found.len() * SPARSE < self.rows_read
    }

    pub(crate) fn rows_read(&self) -> usize {
        self.rows_read
    }

    pub(crate) fn into_found(self) -> Vec<TaskSnapshot> {
        self.found
    }
}

fn keys(sort: TaskSortKey, row: &DbRow) -> Result<Vec<SqlValue>, StoreError> {
    let number: i64 = row.get("number")?;
    Ok(match sort {
        TaskSortKey::Created => vec![number.into()],
        TaskSortKey::Updated => vec![row.get::<i64>("updated_at")?.into(), number.into()],
        TaskSortKey::Priority => vec![row.get::<i64>("urgency")?.into(), number.into()],
    })
}
