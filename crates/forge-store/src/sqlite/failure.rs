use rusqlite::ffi;

use crate::errors::{ConstraintRule, StoreError};

/// What SQLite's error means to whoever asked.
pub(super) fn from_sqlite(error: rusqlite::Error) -> StoreError {
    let Some(code) = error.sqlite_error().map(|failure| failure.extended_code) else {
        return StoreError::statement(error);
    };
    // The low byte is the primary result code; the rest says which variant of it.
    match code & 0xff {
        ffi::SQLITE_CONSTRAINT => {
            StoreError::Constraint { rule: rule(code), name: constraint_name(&error.to_string()) }
        }
        ffi::SQLITE_BUSY
        | ffi::SQLITE_LOCKED
        | ffi::SQLITE_NOMEM
        | ffi::SQLITE_READONLY
        | ffi::SQLITE_INTERRUPT
        | ffi::SQLITE_IOERR
        | ffi::SQLITE_CORRUPT
        | ffi::SQLITE_FULL
        | ffi::SQLITE_CANTOPEN
        | ffi::SQLITE_NOTADB => StoreError::unavailable(error),
        _ => StoreError::statement(error),
    }
}

/// Whether somebody else was in the way.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ffi::ErrorCode::DatabaseBusy)
}

fn rule(code: i32) -> ConstraintRule {
    match code {
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => ConstraintRule::Unique,
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => ConstraintRule::ForeignKey,
        ffi::SQLITE_CONSTRAINT_NOTNULL => ConstraintRule::NotNull,
        _ => ConstraintRule::Check,
    }
}

/// SQLite names no constraint; its message ends in the columns: `UNIQUE constraint failed: meta.key`.
fn constraint_name(message: &str) -> String {
    message.rsplit_once("failed: ").map_or(message, |(_, columns)| columns).to_owned()
}
