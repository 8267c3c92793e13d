use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{OpenFlags, Statement};

use crate::sqlite::row::SqliteRow;
use crate::sqlite::sqlite_error::from_sqlite;
use crate::statement::SqlStatement;
use crate::store_error::StoreError;
use crate::value::SqlValue;
use crate::write_job::CommitDurability;

const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const CACHED_STATEMENTS: usize = 512;

/// Access mode of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionAccess {
    Read,
    /// Writes, with or without foreign key checks.
    Write {
        /// Off while tables are rebuilt, because SQLite has no other way.
        foreign_keys: bool,
    },
}

/// A connection to a database file. Each call runs on the calling thread and waits for the disk there.
#[derive(Debug)]
pub(crate) struct SqliteConnection {
    own: rusqlite::Connection,
    durability: Cell<CommitDurability>,
}

impl SqliteConnection {
    pub(crate) fn open(path: &Path, access: ConnectionAccess) -> rusqlite::Result<Self> {
        // Absolute, because SQLite would take a relative name that looks like a URI for one.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let flags = match access {
            ConnectionAccess::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            ConnectionAccess::Write { .. } => {
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
            }
        };
        // Only one thread uses it at a time, which the borrow checker ensures.
        let own =
            rusqlite::Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        own.busy_timeout(BUSY_TIMEOUT)?;
        own.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        if let ConnectionAccess::Write { foreign_keys } = access {
            own.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            own.pragma_update(None, "synchronous", "FULL")?;
            own.pragma_update(None, "foreign_keys", foreign_keys)?;
        }
        Ok(Self { own, durability: Cell::new(CommitDurability::PowerFailure) })
    }

    /// Runs a statement and returns the number of changed rows.
    pub(crate) fn execute(&self, statement: &SqlStatement) -> Result<u64, StoreError> {
        self.with(statement, |prepared| {
            let mut rows = prepared.raw_query();
            while rows.next()?.is_some() {}
            Ok(())
        })?;
        Ok(self.own.changes())
    }

    /// The rows of a query, up to `most`.
    pub(crate) fn fetch(
        &self,
        statement: &SqlStatement,
        most: usize,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        self.with(statement, |prepared| SqliteRow::load(prepared, most))
    }

    /// Runs several statements from the source, without values.
    pub(crate) fn batch(&self, text: &str) -> Result<(), StoreError> {
        self.own.execute_batch(text).map_err(from_sqlite)
    }

    /// Sets what later commits wait for. Must not be called inside a transaction.
    pub(crate) fn set_durability(&self, durability: CommitDurability) -> Result<(), StoreError> {
        let level = match durability {
            CommitDurability::ProcessCrash => "NORMAL",
            CommitDurability::PowerFailure => "FULL",
        };
        if self.durability.replace(durability) == durability {
            return Ok(());
        }
        self.own.pragma_update(None, "synchronous", level).map_err(from_sqlite)
    }

    /// Writes a copy of the whole database to a new file.
    pub(crate) fn copy_into(&self, path: &Path) -> Result<(), StoreError> {
        let name = path.to_str().ok_or_else(|| {
            StoreError::unavailable(format!("{} is not valid UTF-8", path.display()))
        })?;
        self.own.execute("VACUUM INTO ?1", [name]).map(drop).map_err(from_sqlite)
    }

    pub(crate) fn close(self) -> Result<(), StoreError> {
        self.own.close().map_err(|(_, error)| from_sqlite(error))
    }

    fn with<T>(
        &self,
        statement: &SqlStatement,
        work: impl FnOnce(&mut Statement<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        statement.check_arity()?;
        let done = if statement.is_static() {
            self.own.prepare_cached(statement.text()).and_then(|mut prepared| {
                bind(&mut prepared, statement.values())?;
                work(&mut prepared)
            })
        } else {
            // A statement built at run time is not worth a place in the cache.
            self.own.prepare(statement.text()).and_then(|mut prepared| {
                bind(&mut prepared, statement.values())?;
                work(&mut prepared)
            })
        };
        done.map_err(from_sqlite)
    }
}

/// Binds the values. SQLite numbers parameters by their first appearance; their names tell the value.
fn bind(prepared: &mut Statement<'_>, values: &[SqlValue]) -> rusqlite::Result<()> {
    for place in 1..=prepared.parameter_count() {
        let number = prepared.parameter_name(place).and_then(|name| name.get(1..)?.parse().ok());
        let value = number.and_then(|number: usize| values.get(number.checked_sub(1)?));
        prepared.raw_bind_parameter(place, value.map_or(NULL, native))?;
    }
    Ok(())
}

const NULL: ToSqlOutput<'_> = ToSqlOutput::Borrowed(ValueRef::Null);

fn native(value: &SqlValue) -> ToSqlOutput<'_> {
    let value = match value {
        SqlValue::Text(value) => value.as_ref().map(|text| ValueRef::Text(text.as_bytes())),
        SqlValue::Int(value) => value.map(ValueRef::Integer),
        SqlValue::Bool(value) => value.map(|is_so| ValueRef::Integer(i64::from(is_so))),
        SqlValue::Real(value) => value.map(ValueRef::Real),
        SqlValue::Bytes(value) => value.as_ref().map(|bytes| ValueRef::Blob(bytes)),
    };
    value.map_or(NULL, ToSqlOutput::Borrowed)
}
