use std::sync::Arc;

use rusqlite::Statement;
use rusqlite::types::{Type, Value};

use crate::store_error::StoreError;

/// A row of a result, copied whole, because SQLite reuses its buffers for the next row.
#[derive(Debug)]
pub(crate) struct SqliteRow {
    names: Arc<[Box<str>]>,
    values: Vec<Value>,
}

impl SqliteRow {
    pub(crate) fn load(prepared: &mut Statement<'_>, most: usize) -> rusqlite::Result<Vec<Self>> {
        let names: Arc<[Box<str>]> = prepared.column_names().map(Box::from).collect();
        let (mut found, mut rows) = (Vec::new(), prepared.raw_query());
        while found.len() < most
            && let Some(row) = rows.next()?
        {
            let values = (0..names.len()).map(|column| row.get(column));
            let values = values.collect::<rusqlite::Result<_>>()?;
            found.push(Self { names: Arc::clone(&names), values });
        }
        Ok(found)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }

    pub(crate) fn is_null(&self, column: &str) -> Result<bool, StoreError> {
        Ok(matches!(self.value(column)?, Value::Null))
    }

    /// The column as one of the types that both engines have.
    pub(crate) fn get<T: FromValue>(&self, column: &str) -> Result<T, StoreError> {
        let value = self.value(column)?;
        T::from_value(value).ok_or_else(|| {
            let kind = value.data_type();
            StoreError::corrupt(column, format_args!("it holds {kind} instead of {}", T::KIND))
        })
    }

    fn value(&self, column: &str) -> Result<&Value, StoreError> {
        let place = self.names.iter().position(|name| **name == *column);
        place
            .and_then(|place| self.values.get(place))
            .ok_or_else(|| StoreError::corrupt(column, "the result has no such column"))
    }
}

/// A type that a value of SQLite can be read as.
pub(crate) trait FromValue: Sized {
    /// The column type of SQLite.
    const KIND: Type;

    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for String {
    const KIND: Type = Type::Text;

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl FromValue for i64 {
    const KIND: Type = Type::Integer;

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for bool {
    const KIND: Type = Type::Integer;

    fn from_value(value: &Value) -> Option<Self> {
        i64::from_value(value).map(|number| number != 0)
    }
}

impl FromValue for f64 {
    const KIND: Type = Type::Real;

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    const KIND: Type = Type::Blob;

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Blob(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }
}
