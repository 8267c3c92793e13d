use rusqlite::ffi;

use crate::store_error::{ConstraintRule, StoreError};

/// Converts an error of SQLite.
pub(crate) fn from_sqlite(error: rusqlite::Error) -> StoreError {
    let Some(code) = error.sqlite_error().map(|failure| failure.extended_code) else {
        return StoreError::statement(error);
    };
    // The low byte is the primary result code; the rest is the variant.
    match code & 0xff {
        ffi::SQLITE_CONSTRAINT => {
            StoreError::Constraint { rule: rule(code), name: constraint_name(&error.to_string()) }
        }
        ffi::SQLITE_FULL => StoreError::Full { detail: error.to_string() },
        ffi::SQLITE_BUSY
        | ffi::SQLITE_LOCKED
        | ffi::SQLITE_NOMEM
        | ffi::SQLITE_READONLY
        | ffi::SQLITE_INTERRUPT
        | ffi::SQLITE_IOERR
        | ffi::SQLITE_CORRUPT
        | ffi::SQLITE_CANTOPEN
        | ffi::SQLITE_NOTADB => StoreError::unavailable(error),
        _ => StoreError::statement(error),
    }
}

/// Whether another connection held the lock.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
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

/// Columns of the violated constraint. SQLite does not name it, but its message ends in the columns: `UNIQUE constraint
/// failed: meta.key`.
fn constraint_name(message: &str) -> String {
    message.rsplit_once("failed: ").map_or(message, |(_, columns)| columns).to_owned()
}
