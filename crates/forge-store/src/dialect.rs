//! Everything that differs between the engines, side by side.

/// Which engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Embedded, one writer.
    Sqlite,
    /// Shared by several nodes.
    Postgres,
}

/// Whether a SELECT locks the rows it returns until the transaction ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowLock {
    /// It does not.
    #[default]
    None,
    /// It does, and waits for whoever holds them.
    Update,
}

/// How a transaction comes through a gate, and until it ends what it keeps others from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Beside others who come this way, and after whoever waits to close it.
    Enter,
    /// When nobody is inside any more.
    Close,
}

impl Dialect {
    /// What a SELECT ends with. SQLite's only writer already holds everything. On PostgreSQL the lock leaves foreign
    /// keys alone: a row that is locked here may be referred to meanwhile, else such writers would wait in a circle.
    pub fn lock_clause(self, lock: RowLock) -> &'static str {
        match (self, lock) {
            (Self::Sqlite, _) | (_, RowLock::None) => "",
            (Self::Postgres, RowLock::Update) => " FOR NO KEY UPDATE",
        }
    }

    /// A query that waits at the gate `$1` until it may pass; none where there is one writer anyway. PostgreSQL serves
    /// an advisory lock in the order of asking. A shared lock on a row is no gate: whoever comes shares it at once, past
    /// those who wait to have it alone, and while enough come these wait for ever.
    pub(crate) fn gate(self, pass: Pass) -> Option<&'static str> {
        match (self, pass) {
            (Self::Sqlite, _) => None,
            (Self::Postgres, Pass::Enter) => {
                Some("SELECT 1 AS passed FROM pg_advisory_xact_lock_shared($1)")
            }
            (Self::Postgres, Pass::Close) => {
                Some("SELECT 1 AS passed FROM pg_advisory_xact_lock($1)")
            }
        }
    }

    /// A condition: the row of `table` matches the search text bound to `$parameter`, which [`Self::search_text`]
    /// made. By convention a searchable table `t` has, on SQLite, an FTS5 table `t_search` with the same rowids and, on
    /// PostgreSQL, a `tsvector` column `search_vector` in the `simple` configuration.
    pub fn search_condition(self, table: &'static str, parameter: usize) -> String {
        match self {
            Self::Sqlite => {
                format!(
                    "{table}.rowid IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH ${parameter})"
                )
            }
            Self::Postgres => {
                format!("{table}.search_vector @@ to_tsquery('simple', ${parameter})")
            }
        }
    }

    /// What a person typed, as a query for every word's beginning. Nothing typed can act as an operator. `None` when
    /// there is no word in it.
    pub fn search_text(self, typed: &str) -> Option<String> {
        let words = typed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let query = match self {
            Self::Sqlite => words.map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" "),
            Self::Postgres => {
                words.map(|word| format!("'{word}':*")).collect::<Vec<_>>().join(" & ")
            }
        };
        (!query.is_empty()).then_some(query)
    }

    /// The repository that a task's snapshot names, as text.
    pub(crate) fn repo_of_snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "json_extract(snapshot, '$.repo_id')",
            Self::Postgres => "CAST(snapshot AS JSONB) ->> 'repo_id'",
        }
    }

    pub(crate) fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            // Said in full: the server's default may have been changed.
            Self::Postgres => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }

    pub(crate) fn version_query(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT sqlite_version() AS version",
            Self::Postgres => "SELECT current_setting('server_version') AS version",
        }
    }

    /// The word that begins this engine's part of a migration.
    pub(crate) fn marker(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite:",
            Self::Postgres => "postgres:",
        }
    }
}
