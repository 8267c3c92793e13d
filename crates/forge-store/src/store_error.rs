use std::fmt;

use sqlx::error::{DatabaseError, ErrorKind};

/// Error of a database operation.
///
/// It is `Clone` because every write that shares a failed COMMIT gets the same error; the driver's own error is kept as
/// text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or cannot store anything now. Nothing was changed.
    #[error(
        "the database is not available: {detail}; nothing was changed, try again once it is back"
    )]
    Unavailable {
        /// Message of the driver.
        detail: String,
    },
    /// The disk of the database is full. Nothing was changed.
    #[error("the disk of the database is full: {detail}; nothing was changed, free some space")]
    Full {
        /// Message of the driver.
        detail: String,
    },
    /// The connection broke during COMMIT.
    #[error(
        "the connection broke during COMMIT ({detail}), so the change may or may not have been made; \
         read the current state before trying again"
    )]
    CommitUnknown {
        /// Message of the driver.
        detail: String,
    },
    /// A row would have violated a constraint of the schema.
    #[error("the {rule} rule `{name}` forbids this change; nothing was changed")]
    Constraint {
        /// Kind of the constraint.
        rule: ConstraintRule,
        /// PostgreSQL: name of the constraint. SQLite: the columns it names, such as `meta.key`.
        name: String,
    },
    /// PostgreSQL repeatedly aborted this write because of a deadlock or a serialization conflict.
    #[error(
        "the write lost against concurrent ones {attempts} times in a row; nothing was changed, try again"
    )]
    Contention {
        /// Number of attempts.
        attempts: u32,
    },
    /// A statement failed earlier in the transaction, and the closure ignored the error.
    #[error(
        "a statement failed earlier in this transaction, so nothing of it was kept; pass its error on, or use \
         ON CONFLICT where a conflict is expected"
    )]
    Aborted,
    /// The closure of a write panicked.
    #[error(
        "the code of this write panicked; nothing was changed, and the panic message is on standard error"
    )]
    Panicked,
    /// A column has an unexpected value.
    #[error(
        "column `{column}` cannot be read: {reason}; the row was written by other code or by hand"
    )]
    Corrupt {
        /// Name of the column in the result.
        column: String,
        /// Description of the problem.
        reason: String,
    },
    /// `fetch_one` found no row.
    #[error("the query returned no row where exactly one must exist")]
    NoRow,
    /// The database refused the statement itself.
    #[error("the database refused a statement: {detail}; this is a bug, please report it")]
    Statement {
        /// Message of the driver.
        detail: String,
    },
    /// PostgreSQL has backup tools of its own.
    #[error(
        "a PostgreSQL database is not backed up through Forge; use pg_dump, or your provider's backups"
    )]
    NoBackup,
    /// The database was closed.
    #[error("the database was closed; this process is shutting down")]
    Closed,
    /// The migration of the tables failed.
    #[error(transparent)]
    Migration(#[from] MigrationError),
}

/// Error of a migration of the tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MigrationError {
    /// A newer Forge has migrated this database.
    #[error(
        "this database is at schema {database}, written by Forge {writer}; this program knows schema {supported} at \
         most. Start Forge {writer} or newer, or restore a backup made before the upgrade"
    )]
    Newer {
        /// Schema number of the database.
        database: i64,
        /// The highest schema number that this program knows.
        supported: i64,
        /// The version of Forge that migrated the database last.
        writer: String,
    },
    /// An applied migration differs from the one in this program.
    #[error(
        "migration {number} ({name}) in this database is not the one in this program; applied migrations never \
         change. Use the Forge version that created the database, or report a broken release"
    )]
    Changed {
        number: i64,
        /// Name of the migration in the database.
        name: String,
    },
    /// The SQL of a migration failed; the database is unchanged.
    #[error(
        "migration {number} ({name}) failed: {detail}. The database is unchanged; report this with the message"
    )]
    Failed {
        number: i64,
        name: String,
        /// Message of the driver.
        detail: String,
    },
    /// After the migrations, some rows refer to rows that do not exist.
    #[error(
        "after migrating, rows of table `{table}` refer to rows that do not exist. The database is unchanged"
    )]
    DanglingRows {
        /// The first table with such rows.
        table: String,
    },
}

/// Kind of a violated constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintRule {
    /// A primary key or unique index.
    Unique,
    /// A reference to a missing row, or a row that is still referenced.
    ForeignKey,
    /// A column that must have a value.
    NotNull,
    /// A CHECK, an exclusion, or a rule raised by a trigger.
    Check,
}

impl fmt::Display for ConstraintRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unique => "uniqueness",
            Self::ForeignKey => "reference",
            Self::NotNull => "not-null",
            Self::Check => "check",
        })
    }
}

impl StoreError {
    /// Whether a row with this key already exists.
    pub fn is_duplicate(&self) -> bool {
        matches!(self, Self::Constraint { rule: ConstraintRule::Unique, .. })
    }

    pub(crate) fn unavailable(detail: impl fmt::Display) -> Self {
        Self::Unavailable { detail: detail.to_string() }
    }

    pub(crate) fn statement(detail: impl fmt::Display) -> Self {
        Self::Statement { detail: detail.to_string() }
    }

    pub(crate) fn corrupt(column: &str, reason: impl fmt::Display) -> Self {
        Self::Corrupt { column: column.to_owned(), reason: reason.to_string() }
    }
}

const DISK_FULL: &str = "53100";

/// Converts an error of PostgreSQL's driver. Not public: driver errors do not leave this crate.
pub(crate) fn from_sqlx(error: sqlx::Error) -> StoreError {
    use sqlx::Error as E;
    match error {
        E::Database(error) => from_database(&*error),
        E::RowNotFound => StoreError::NoRow,
        E::PoolClosed => StoreError::Closed,
        E::Io(_) | E::Tls(_) | E::PoolTimedOut | E::Protocol(_) => StoreError::unavailable(error),
        other => StoreError::statement(other),
    }
}

fn from_database(error: &dyn DatabaseError) -> StoreError {
    let rule = match error.kind() {
        ErrorKind::UniqueViolation => Some(ConstraintRule::Unique),
        ErrorKind::ForeignKeyViolation => Some(ConstraintRule::ForeignKey),
        ErrorKind::NotNullViolation => Some(ConstraintRule::NotNull),
        ErrorKind::CheckViolation | ErrorKind::ExclusionViolation => Some(ConstraintRule::Check),
        _ => None,
    };
    if let Some(rule) = rule {
        return StoreError::Constraint {
            rule,
            name: error.constraint().unwrap_or(error.message()).to_owned(),
        };
    }
    if is_contention(error) {
        return StoreError::Contention { attempts: 1 };
    }
    if error.code().is_some_and(|code| code == DISK_FULL) {
        return StoreError::Full { detail: error.to_string() };
    }
    if is_outage(error) {
        return StoreError::unavailable(error);
    }
    StoreError::statement(error)
}

/// Whether running the same closure again may succeed.
fn is_contention(error: &dyn DatabaseError) -> bool {
    const SERIALIZATION_FAILURE: &str = "40001";
    const DEADLOCK_DETECTED: &str = "40P01";
    error.code().is_some_and(|code| code == SERIALIZATION_FAILURE || code == DEADLOCK_DETECTED)
}

fn is_outage(error: &dyn DatabaseError) -> bool {
    // Classes: 08 connection, 3D no such database, 28 refused login, 53 out of resources, 55 object in use, 57 the
    // server is stopping or starting, 58 the server's disk.
    error.code().is_some_and(|code| {
        ["08", "28", "3D", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class))
    })
}
