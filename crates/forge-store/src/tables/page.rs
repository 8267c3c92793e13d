//! One page of a list.

use crate::cursor::{Cursor, CursorError, CursorValue};
use crate::errors::StoreError;
use crate::value::Value;

/// Which part of a list is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many items at most.
    pub limit: u32,
    /// Where the page before ended.
    pub after: Option<Cursor>,
}

impl Page {
    /// More rows than this are never read at once, whatever is asked.
    pub const MAX: u32 = 1000;

    /// The first page.
    pub fn first(limit: u32) -> Self {
        Self { limit, after: None }
    }

    fn size(&self) -> usize {
        self.limit.clamp(1, Self::MAX) as usize
    }

    /// One row more than wanted tells whether there is a next page.
    pub(crate) fn fetch_limit(&self) -> i64 {
        i64::from(self.limit.clamp(1, Self::MAX)) + 1
    }

    /// Cuts the extra row off, and makes the cursor of the last one that stays.
    pub(crate) fn cut<T>(
        &self,
        mut items: Vec<T>,
        cursor: impl FnOnce(&T) -> Cursor,
    ) -> (Vec<T>, Option<Cursor>) {
        if items.len() <= self.size() {
            return (items, None);
        }
        items.truncate(self.size());
        let next = items.last().map(cursor);
        (items, next)
    }
}

/// The order of a list: its name in cursors, and what sort of values they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    sort: &'static str,
    keys: &'static [Key],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Int,
    Text,
}

impl Order {
    pub(crate) const fn new(sort: &'static str, keys: &'static [Key]) -> Self {
        Self { sort, keys }
    }

    /// Reads a cursor of this list that came from outside.
    pub fn cursor(&self, word: &str) -> Result<Cursor, CursorError> {
        let cursor = Cursor::decode(word, self.sort, self.keys.len())?;
        if self.fits(&cursor) { Ok(cursor) } else { Err(CursorError::Malformed) }
    }

    pub(crate) fn after(&self, values: impl IntoIterator<Item = CursorValue>) -> Cursor {
        Cursor::new(self.sort, values)
    }

    /// The values to begin after.
    pub(crate) fn start(&self, page: &Page) -> Result<Option<Vec<Value>>, StoreError> {
        match &page.after {
            None => Ok(None),
            Some(cursor) if self.fits(cursor) => {
                Ok(Some(cursor.values().iter().map(Value::from).collect()))
            }
            Some(_) => Err(StoreError::statement(
                "a cursor of another list was used; read it with the order of this one",
            )),
        }
    }

    /// The one value to begin after, or this one for the first page.
    pub(crate) fn start_or(&self, page: &Page, first: Value) -> Result<Value, StoreError> {
        let start = self.start(page)?;
        Ok(start.and_then(|values| values.into_iter().next()).unwrap_or(first))
    }

    fn fits(&self, cursor: &Cursor) -> bool {
        let values = cursor.values();
        values.len() == self.keys.len()
            && values.iter().zip(self.keys).all(|pair| {
                matches!(pair, (CursorValue::Int(_), Key::Int) | (CursorValue::Text(_), Key::Text))
            })
    }
}
