use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{OpenFlags, Statement};

use super::failure::from_sqlite;
use super::row::SqliteRow;
use crate::errors::StoreError;
use crate::job::Durability;
use crate::statement::Stmt;
use crate::value::Value;

const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const CACHED_STATEMENTS: usize = 512;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading only.
    Read,
    /// Writing, with references checked or not.
    Write {
        /// Off where tables are rebuilt, which SQLite can do in no other way.
        foreign_keys: bool,
    },
}

/// A connection to a database file. Each call is made on the calling thread and waits for the disk there.
#[derive(Debug)]
pub(crate) struct Connection {
    own: rusqlite::Connection,
    durability: Cell<Durability>,
}

impl Connection {
    pub(crate) fn open(path: &Path, access: Access) -> rusqlite::Result<Self> {
        // Said absolutely: a name that looks like an address would be taken for one.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write { .. } => {
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
            }
        };
        // One thread has it at a time, which the borrow checker sees to.
        let own =
            rusqlite::Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        own.busy_timeout(BUSY_TIMEOUT)?;
        own.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        if let Access::Write { foreign_keys } = access {
            own.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            own.pragma_update(None, "synchronous", "FULL")?;
            own.pragma_update(None, "foreign_keys", foreign_keys)?;
        }
        Ok(Self { own, durability: Cell::new(Durability::Power) })
    }

    /// Runs a statement and says how many rows it changed.
    pub(crate) fn execute(&self, statement: &Stmt) -> Result<u64, StoreError> {
        self.with(statement, |prepared| {
            let mut rows = prepared.raw_query();
            while rows.next()?.is_some() {}
            Ok(())
        })?;
        Ok(self.own.changes())
    }

    /// The rows of a query, or the first so many of them.
    pub(crate) fn fetch(
        &self,
        statement: &Stmt,
        most: usize,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        self.with(statement, |prepared| SqliteRow::load(prepared, most))
    }

    /// Several statements of this program's own, with no values.
    pub(crate) fn batch(&self, text: &str) -> Result<(), StoreError> {
        self.own.execute_batch(text).map_err(from_sqlite)
    }

    /// What the next transactions wait for when they end; not while one is under way.
    pub(crate) fn set_durability(&self, durability: Durability) -> Result<(), StoreError> {
        let level = match durability {
            Durability::Process => "NORMAL",
            Durability::Power => "FULL",
        };
        if self.durability.replace(durability) == durability {
            return Ok(());
        }
        self.own.pragma_update(None, "synchronous", level).map_err(from_sqlite)
    }

    pub(crate) fn close(self) -> Result<(), StoreError> {
        self.own.close().map_err(|(_, error)| from_sqlite(error))
    }

    fn with<T>(
        &self,
        statement: &Stmt,
        work: impl FnOnce(&mut Statement<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        statement.check_arity()?;
        let done = if statement.is_of_the_source() {
            self.own.prepare_cached(statement.text()).and_then(|mut prepared| {
                bind(&mut prepared, statement.values())?;
                work(&mut prepared)
            })
        } else {
            // Not worth a place among the prepared ones.
            self.own.prepare(statement.text()).and_then(|mut prepared| {
                bind(&mut prepared, statement.values())?;
                work(&mut prepared)
            })
        };
        done.map_err(from_sqlite)
    }
}

/// SQLite counts parameters by where they first appear; their names say which value is meant.
fn bind(prepared: &mut Statement<'_>, values: &[Value]) -> rusqlite::Result<()> {
    for place in 1..=prepared.parameter_count() {
        let number = prepared.parameter_name(place).and_then(|name| name.get(1..)?.parse().ok());
        let value = number.and_then(|number: usize| values.get(number.checked_sub(1)?));
        prepared.raw_bind_parameter(place, value.map_or(NULL, native))?;
    }
    Ok(())
}

const NULL: ToSqlOutput<'_> = ToSqlOutput::Borrowed(ValueRef::Null);

fn native(value: &Value) -> ToSqlOutput<'_> {
    let value = match value {
        Value::Text(value) => value.as_ref().map(|text| ValueRef::Text(text.as_bytes())),
        Value::Int(value) => value.map(ValueRef::Integer),
        Value::Bool(value) => value.map(|is_so| ValueRef::Integer(i64::from(is_so))),
        Value::Real(value) => value.map(ValueRef::Real),
        Value::Bytes(value) => value.as_ref().map(|bytes| ValueRef::Blob(bytes)),
    };
    value.map_or(NULL, ToSqlOutput::Borrowed)
}
