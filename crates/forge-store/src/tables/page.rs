//! Pages of lists.

use crate::cursor::{CursorError, CursorValue, PageCursor};
use crate::store_error::StoreError;
use crate::value::SqlValue;

/// The requested part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Maximum number of items.
    pub limit: u32,
    /// Cursor of the previous page.
    pub after: Option<PageCursor>,
}

impl PageRequest {
    /// Maximum number of rows in one read, whatever the request.
    pub const MAX: u32 = 1000;

    /// The first page.
    pub fn first(limit: u32) -> Self {
        Self { limit, after: None }
    }

    fn size(&self) -> usize {
        self.limit.clamp(1, Self::MAX) as usize
    }

    /// One row more than requested, which tells whether there is a next page.
    pub(crate) fn fetch_limit(&self) -> i64 {
        i64::from(self.limit.clamp(1, Self::MAX)) + 1
    }

    /// Removes the extra row and makes the cursor of the last remaining one.
    pub(crate) fn split_page<T>(
        &self,
        mut items: Vec<T>,
        cursor: impl FnOnce(&T) -> PageCursor,
    ) -> (Vec<T>, Option<PageCursor>) {
        if items.len() <= self.size() {
            return (items, None);
        }
        items.truncate(self.size());
        let next = items.last().map(cursor);
        (items, next)
    }
}

/// The order of a list: its name in cursors, and the types of the cursor's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOrder {
    sort: &'static str,
    keys: &'static [SortKey],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortKey {
    Int,
    Text,
}

impl ListOrder {
    pub(crate) const fn new(sort: &'static str, keys: &'static [SortKey]) -> Self {
        Self { sort, keys }
    }

    /// Decodes a client's cursor of this list.
    pub fn cursor(&self, word: &str) -> Result<PageCursor, CursorError> {
        let cursor = PageCursor::decode(word, self.sort, self.keys.len())?;
        if self.accepts(&cursor) { Ok(cursor) } else { Err(CursorError::Malformed) }
    }

    pub(crate) fn after(&self, values: impl IntoIterator<Item = CursorValue>) -> PageCursor {
        PageCursor::new(self.sort, values)
    }

    /// The values after which the page begins.
    pub(crate) fn start(&self, page: &PageRequest) -> Result<Option<Vec<SqlValue>>, StoreError> {
        match &page.after {
            None => Ok(None),
            Some(cursor) if self.accepts(cursor) => {
                Ok(Some(cursor.values().iter().map(SqlValue::from).collect()))
            }
            Some(_) => Err(StoreError::statement(
                "a cursor of another list was used; read it with the order of this one",
            )),
        }
    }

    /// The single value after which the page begins; `first` for the first page.
    pub(crate) fn start_or(
        &self,
        page: &PageRequest,
        first: SqlValue,
    ) -> Result<SqlValue, StoreError> {
        let start = self.start(page)?;
        Ok(start.and_then(|values| values.into_iter().next()).unwrap_or(first))
    }

    fn accepts(&self, cursor: &PageCursor) -> bool {
        let values = cursor.values();
        values.len() == self.keys.len()
            && values.iter().zip(self.keys).all(|pair| {
                matches!(
                    pair,
                    (CursorValue::Int(_), SortKey::Int) | (CursorValue::Text(_), SortKey::Text)
                )
            })
    }
}
