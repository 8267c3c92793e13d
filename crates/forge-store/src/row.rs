use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use sqlx::postgres::PgRow;
use sqlx::{Row, TypeInfo, ValueRef};

use crate::sqlite::SqliteRow;
use crate::store_error::StoreError;

/// One row of a result, from either engine.
pub struct DbRow(pub(crate) NativeRow);

pub(crate) enum NativeRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl DbRow {
    /// The column's value: `String`, `i64`, `bool`, `f64` or `Vec<u8>`, or an `Option` of one where NULL is allowed.
    pub fn get<T: FromColumn>(&self, column: &str) -> Result<T, StoreError> {
        T::from_column(self, column)
    }

    /// A TEXT column with a value that has a text form, such as an id.
    pub fn parse<T>(&self, column: &str) -> Result<T, StoreError>
    where
        T: FromStr,
        T::Err: fmt::Display,
    {
        let text: String = self.get(column)?;
        text.parse().map_err(|error| StoreError::corrupt(column, error))
    }

    /// A TEXT column with JSON.
    pub fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        let text: String = self.get(column)?;
        serde_json::from_str(&text).map_err(|error| StoreError::corrupt(column, error))
    }

    fn is_null(&self, column: &str) -> Result<bool, StoreError> {
        match &self.0 {
            NativeRow::Sqlite(row) => row.is_null(column),
            NativeRow::Postgres(row) => row
                .try_get_raw(column)
                .map(|value| value.is_null())
                .map_err(|error| unreadable(column, &error)),
        }
    }

    fn refuse_null(&self, column: &str) -> Result<(), StoreError> {
        if self.is_null(column)? {
            return Err(StoreError::corrupt(column, "it is NULL where a value is needed"));
        }
        Ok(())
    }
}

impl fmt::Debug for DbRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names only, because the values may be private.
        let names: Vec<&str> = match &self.0 {
            NativeRow::Sqlite(row) => row.names().collect(),
            NativeRow::Postgres(row) => row.columns().iter().map(sqlx::Column::name).collect(),
        };
        f.debug_tuple("DbRow").field(&names).finish()
    }
}

/// A type that a column can be read as. Sealed: these types mean the same on both engines.
pub trait FromColumn: Sized + sealed::Sealed {
    /// Reads the column.
    fn from_column(row: &DbRow, column: &str) -> Result<Self, StoreError>;
}

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for Option<T> {}
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(row: &DbRow, column: &str) -> Result<Self, StoreError> {
        if row.is_null(column)? {
            return Ok(None);
        }
        T::from_column(row, column).map(Some)
    }
}

macro_rules! from_column {
    ($($type:ty),*) => {$(
        impl sealed::Sealed for $type {}
        impl FromColumn for $type {
            fn from_column(row: &DbRow, column: &str) -> Result<Self, StoreError> {
                row.refuse_null(column)?;
                match &row.0 {
                    NativeRow::Sqlite(row) => row.get(column),
                    NativeRow::Postgres(row) => {
                        row.try_get(column).map_err(|error| unreadable(column, &error))
                    }
                }
            }
        }
    )*};
}

from_column!(String, bool, f64, Vec<u8>);

impl sealed::Sealed for i64 {}

impl FromColumn for i64 {
    fn from_column(row: &DbRow, column: &str) -> Result<Self, StoreError> {
        row.refuse_null(column)?;
        match &row.0 {
            NativeRow::Sqlite(row) => return row.get(column),
            // A literal or an INTEGER column is narrower on PostgreSQL than on SQLite. The driver's decoder accepts
            // every width; only its type check does not.
            NativeRow::Postgres(row) if is_narrow_int(row, column) => row.try_get_unchecked(column),
            NativeRow::Postgres(row) => row.try_get(column),
        }
        .map_err(|error| unreadable(column, &error))
    }
}

fn is_narrow_int(row: &PgRow, column: &str) -> bool {
    row.try_get_raw(column).is_ok_and(|value| matches!(value.type_info().name(), "INT2" | "INT4"))
}

fn unreadable(column: &str, error: &sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::ColumnNotFound(_) => {
            StoreError::corrupt(column, "the result has no such column")
        }
        sqlx::Error::ColumnDecode { source, .. } => StoreError::corrupt(column, source),
        other => StoreError::corrupt(column, other),
    }
}

pub(crate) fn sqlite_rows(rows: Vec<SqliteRow>) -> Vec<DbRow> {
    rows.into_iter().map(|row| DbRow(NativeRow::Sqlite(row))).collect()
}

pub(crate) fn postgres_rows(rows: Vec<PgRow>) -> Vec<DbRow> {
    rows.into_iter().map(|row| DbRow(NativeRow::Postgres(row))).collect()
}
