use std::fmt;

use sqlx::error::{DatabaseError, ErrorKind};

/// Why the database did not do what it was asked.
///
/// It is `Clone` because a failed COMMIT is the answer to every write that shared it; the driver's own error is kept
/// as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or cannot store anything now. Nothing was changed.
    #[error(
        "the database is not available: {detail}; nothing was changed, try again once it is back"
    )]
    Unavailable {
        /// What the driver reported.
        detail: String,
    },
    /// The connection broke while COMMIT was under way.
    #[error(
        "the connection broke during COMMIT ({detail}), so the change may or may not have been made; \
         read the current state before trying again"
    )]
    CommitUnknown {
        /// What the driver reported.
        detail: String,
    },
    /// A row would have broken a rule of the schema.
    #[error("the {rule} rule `{name}` forbids this change; nothing was changed")]
    Constraint {
        /// What sort of rule it is.
        rule: ConstraintRule,
        /// PostgreSQL: the constraint's name. SQLite: the columns it names, such as `meta.key`.
        name: String,
    },
    /// PostgreSQL kept choosing this write as the loser of a deadlock or a serialization conflict.
    #[error(
        "the write lost against concurrent ones {attempts} times in a row; nothing was changed, try again"
    )]
    Contention {
        /// How often it was tried.
        attempts: u32,
    },
    /// A statement failed earlier in the transaction and the closure went on as if it had not.
    #[error(
        "a statement failed earlier in this transaction, so nothing of it was kept; pass its error on, or use \
         ON CONFLICT where a clash is expected"
    )]
    Aborted,
    /// The closure of a write panicked.
    #[error(
        "the code of this write panicked; nothing was changed, and the panic message is on standard error"
    )]
    Panicked,
    /// A column does not hold what the code expects of it.
    #[error(
        "column `{column}` cannot be read: {reason}; the row was written by other code or by hand"
    )]
    Corrupt {
        /// The column's name in the result.
        column: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `fetch_one` found nothing.
    #[error("the query returned no row where exactly one must exist")]
    NoRow,
    /// The database refused the statement itself.
    #[error("the database refused a statement: {detail}; this is a bug, please report it")]
    Statement {
        /// What the driver reported.
        detail: String,
    },
    /// The database was closed.
    #[error("the database was closed; this process is shutting down")]
    Closed,
    /// The tables could not be brought up to date.
    #[error(transparent)]
    Migration(#[from] MigrationError),
}

/// Why the tables could not be brought up to date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MigrationError {
    /// A newer Forge has changed this database.
    #[error(
        "this database is at schema {database}, written by Forge {writer}; this program knows schema {supported} at \
         most. Start Forge {writer} or newer, or restore a backup made before the upgrade"
    )]
    Newer {
        /// The database's schema number.
        database: i64,
        /// The highest number this program knows.
        supported: i64,
        /// The version of Forge that brought the database there.
        writer: String,
    },
    /// A migration that was applied here is not the one in this program.
    #[error(
        "migration {number} ({name}) in this database is not the one in this program; applied migrations never \
         change. Use the Forge version that created the database, or report a broken release"
    )]
    Changed {
        /// The migration's number.
        number: i64,
        /// Its name in the database.
        name: String,
    },
    /// A migration's SQL failed; the database is as it was.
    #[error(
        "migration {number} ({name}) failed: {detail}. The database is unchanged; report this with the message"
    )]
    Failed {
        /// The migration's number.
        number: i64,
        /// Its name.
        name: String,
        /// What the driver reported.
        detail: String,
    },
    /// After the migrations some rows refer to rows that do not exist.
    #[error(
        "after migrating, rows of table `{table}` refer to rows that do not exist. The database is unchanged"
    )]
    DanglingRows {
        /// The first table with such rows.
        table: String,
    },
}

/// What sort of schema rule a row would have broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintRule {
    /// A primary key or unique index.
    Unique,
    /// A reference to a row that is not there, or is still referred to.
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
    /// Whether a row with such a name is there already.
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

/// What PostgreSQL's driver reports. Not public: outside this crate nobody holds a driver error.
pub(crate) fn from_driver(error: sqlx::Error) -> StoreError {
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
    // 08 connection, 3D no such database, 28 refused login, 53 out of resources, 55 object in use, 57 the server is
    // stopping or starting, 58 the server's disk.
    error.code().is_some_and(|code| {
        ["08", "28", "3D", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class))
    })
}
