//! Finds tasks by their words or their label (T-2) while reading no more of a large board than of a small one (D-4).
//!
//! There are two ways: the index of words or labels, whose hits the filter may reject, and a scan of the list, whose
//! tasks may not match. Each is slow where the other is fast. They alternate in growing rounds, and the first one with
//! a full page or no more rows wins. The rows read are a small multiple of what the better way reads.

use std::borrow::Cow;

use forge_domain::task::TaskSnapshot;
use serde::Deserialize;

use crate::db::Db;
use crate::row::DbRow;
use crate::store_error::StoreError;
use crate::tables::page::PageRequest;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::filter::{TaskFilter, TaskSortKey};
use crate::tables::tasks::hits;
use crate::tables::tasks::hits::IndexHits;
use crate::tables::tasks::list_scan::ListScan;
use crate::tables::tasks::{store, words};
use crate::value::SqlValue;

/// Number of hits in the first round, unless the page is longer.
const FIRST_HITS: usize = 32;
/// Number of tasks in the first round where the list is scanned first.
const FIRST_TASKS: usize = 128;
/// Growth factor of the rounds.
const GROWTH: usize = 4;
/// Maximum length of a round.
const LONGEST_TURN: usize = 8192;

/// Parameters of a search.
pub(crate) struct TaskSearch<'a> {
    pub(crate) db: &'a Db,
    pub(crate) filter: &'a TaskFilter,
    pub(crate) wanted: &'a [String],
    /// The sort values after which the page begins.
    pub(crate) start: Option<Vec<SqlValue>>,
    /// Number of requested tasks.
    pub(crate) limit: usize,
}

/// Result of a search.
pub(crate) struct FoundTasks {
    /// The tasks in the order of the list.
    pub(crate) tasks: Vec<TaskSnapshot>,
    /// Number of rows that were read.
    pub(crate) rows_read: usize,
}

/// A page of tasks with words that begin like all wanted ones. `wanted` may be empty if the filter has a label.
pub(crate) async fn search(
    db: &Db,
    filter: &TaskFilter,
    wanted: &[String],
    start: Option<Vec<SqlValue>>,
    page: &PageRequest,
) -> Result<FoundTasks, StoreError> {
    let limit = usize::try_from(page.fetch_limit()).unwrap_or(usize::MAX);
    let search = TaskSearch { db, filter, wanted, start, limit };
    if filter.sort == TaskSortKey::Created && !wanted.is_empty() {
        search.by_number().await
    } else {
        search.by_sort_value().await
    }
}

impl TaskSearch<'_> {
    /// Searches where hits come in the order of the list, so the index alone finds the page unless the filter rejects
    /// many.
    async fn by_number(&self) -> Result<FoundTasks, StoreError> {
        let (mut hits, mut walk) = (IndexHits::start(self).await?, ListScan::new(self));
        let mut turn = FIRST_HITS.max(self.limit);
        loop {
            let by_hits = hits.read(turn).await?;
            let by_walk = !by_hits && hits.has_rejected() && walk.read(turn).await?;
            if by_hits || by_walk {
                let rows_read = hits.rows_read() + walk.rows_read();
                let tasks = if by_hits { hits.into_found() } else { walk.into_found() };
                return Ok(FoundTasks { tasks, rows_read });
            }
            turn = (turn * GROWTH).min(LONGEST_TURN);
        }
    }

    /// Searches where hits come in another order than the list: they help if they are few.
    async fn by_sort_value(&self) -> Result<FoundTasks, StoreError> {
        let mut walk = ListScan::new(self);
        let mut turn = FIRST_TASKS.max(self.limit);
        let mut hits_read = 0;
        loop {
            if walk.read(turn).await? {
                let rows_read = hits_read + walk.rows_read();
                return Ok(FoundTasks { tasks: walk.into_found(), rows_read });
            }
            if walk.is_sparse() {
                let hits = hits::read_all(self, turn).await?;
                hits_read += hits.as_ref().map_or(turn, Vec::len);
                if let Some(hits) = hits {
                    let tasks = self.load_first(hits).await?;
                    let rows_read = hits_read + walk.rows_read() + tasks.len();
                    return Ok(FoundTasks { tasks, rows_read });
                }
            }
            turn = (turn * GROWTH).min(LONGEST_TURN);
        }
    }

    /// Loads the first tasks of the list among these hits.
    async fn load_first(&self, mut hits: Vec<(i64, i64)>) -> Result<Vec<TaskSnapshot>, StoreError> {
        hits.sort_unstable();
        if !self.filter.is_ascending() {
            hits.reverse();
        }
        let mut found = Vec::new();
        for numbers in hits.chunks(self.limit) {
            let mut select =
                QueryBuilder::new("SELECT number, snapshot FROM tasks WHERE project_id = ");
            select.value(self.filter.project_id).text(" AND number IN ");
            select.value_group(true, numbers.iter().map(|(_, number)| (*number).into()));
            let rows = self.db.fetch_all(select.into_stmt()).await?;
            let mut tasks = Vec::with_capacity(rows.len());
            for row in &rows {
                tasks.extend(self.matching(row)?);
            }
            let place =
                |task: &TaskSnapshot| numbers.iter().position(|(_, number)| *number == task.number);
            tasks.sort_by_cached_key(place);
            found.extend(tasks);
            if found.len() >= self.limit {
                break;
            }
        }
        found.truncate(self.limit);
        Ok(found)
    }

    /// The task of a row, if the row has one and the task has the words. The index contains only hashes or prefixes of
    /// words.
    pub(crate) fn matching(&self, row: &DbRow) -> Result<Option<TaskSnapshot>, StoreError> {
        let Some(snapshot) = row.get::<Option<String>>("snapshot")? else {
            return Ok(None);
        };
        let text: SearchedText<'_> = serde_json::from_str(&snapshot)
            .map_err(|error| StoreError::corrupt("snapshot", error))?;
        if !words::has_all(&words::of_text(&text.title, &text.description), self.wanted) {
            return Ok(None);
        }
        store::read(row).map(Some)
    }
}

/// The searched fields of a snapshot, parsed without the rest.
#[derive(Deserialize)]
struct SearchedText<'a> {
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    description: Cow<'a, str>,
}
