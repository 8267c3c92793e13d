//! Differences between the two database engines, side by side.

/// The SQL dialect of a database engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlDialect {
    /// Embedded engine with one writer.
    Sqlite,
    /// Server that several nodes share.
    Postgres,
}

/// Whether a SELECT locks the rows it returns until the transaction ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowLock {
    /// No row is locked.
    #[default]
    None,
    /// Rows are locked; the query waits for transactions that hold them.
    Update,
}

/// How a transaction takes the advisory lock of a project, which it holds until it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdvisoryLock {
    /// Shared with other such transactions, and after any transaction that waits for the exclusive lock.
    Shared,
    /// Exclusive: waits until no other transaction holds the lock.
    Exclusive,
}

impl SqlDialect {
    /// Suffix of a SELECT that locks its rows. SQLite's only writer already holds everything. On PostgreSQL the lock
    /// allows foreign keys to the row, or such writers would deadlock.
    pub(crate) fn lock_clause(self, lock: RowLock) -> &'static str {
        match (self, lock) {
            (Self::Sqlite, _) | (_, RowLock::None) => "",
            (Self::Postgres, RowLock::Update) => " FOR NO KEY UPDATE",
        }
    }

    /// A query that waits for the advisory lock `$1`; `None` on SQLite, which has one writer. PostgreSQL grants an
    /// advisory lock in the order of the requests. A shared row lock would not do: new shared requests pass those that
    /// wait for the exclusive lock, which might then wait for ever.
    pub(crate) fn advisory_lock_query(self, pass: AdvisoryLock) -> Option<&'static str> {
        match (self, pass) {
            (Self::Sqlite, _) => None,
            (Self::Postgres, AdvisoryLock::Shared) => {
                Some("SELECT 1 AS passed FROM pg_advisory_xact_lock_shared($1)")
            }
            (Self::Postgres, AdvisoryLock::Exclusive) => {
                Some("SELECT 1 AS passed FROM pg_advisory_xact_lock($1)")
            }
        }
    }

    /// Writes the entry of a task in the full-text index: project `$1`, number `$2`, content `$3`.
    pub(crate) fn search_upsert(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "INSERT OR REPLACE INTO task_search (rowid, words)
                 SELECT ordinal * 4294967296 + $2, $3 FROM projects WHERE id = $1"
            }
            Self::Postgres => {
                "INSERT INTO task_search (place, terms)
                 SELECT ordinal * 4294967296 + $2, CAST($3 AS INTEGER[]) FROM projects WHERE id = $1
                 ON CONFLICT (place) DO UPDATE SET terms = excluded.terms"
            }
        }
    }

    /// Deletes the entry of a task from the full-text index: project `$1`, number `$2`.
    pub(crate) fn search_delete(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "DELETE FROM task_search
                 WHERE rowid = (SELECT ordinal * 4294967296 + $2 FROM projects WHERE id = $1)"
            }
            Self::Postgres => {
                "DELETE FROM task_search
                 WHERE place = (SELECT ordinal * 4294967296 + $2 FROM projects WHERE id = $1)"
            }
        }
    }

    /// Expression for the place of an entry in conditions and sort orders of a search. On PostgreSQL a plain column
    /// would let the planner scan the primary key instead of the full-text index.
    pub(crate) fn search_place(self) -> &'static str {
        match self {
            Self::Sqlite => "rowid",
            Self::Postgres => "(place + 0)",
        }
    }

    /// Expression for the repository id in a task's snapshot, as text.
    pub(crate) fn repo_of_snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "json_extract(snapshot, '$.repo_id')",
            Self::Postgres => "CAST(snapshot AS JSONB) ->> 'repo_id'",
        }
    }

    pub(crate) fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            // Explicit, because the server's default may have been changed.
            Self::Postgres => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }

    pub(crate) fn version_query(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT sqlite_version() AS version",
            Self::Postgres => "SELECT current_setting('server_version') AS version",
        }
    }

    /// Marker that begins this engine's part of a migration.
    pub(crate) fn marker(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite:",
            Self::Postgres => "postgres:",
        }
    }
}
