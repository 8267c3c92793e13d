use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// Location of the database. Neither `Debug` nor `Display` shows a password.
#[derive(Clone)]
pub struct DatabaseUrl(DatabaseLocation);

#[derive(Clone)]
pub(crate) enum DatabaseLocation {
    Sqlite(PathBuf),
    Postgres(Box<PgConnectOptions>),
}

/// Why a text is not the address of a database. The error omits the text, which may contain a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// The address names neither of the two engines.
    #[error(
        "the database address must begin with `sqlite:` or `postgres://`, such as `sqlite:/var/lib/forge/forge.db`"
    )]
    Scheme,
    /// The address has no file after `sqlite:`.
    #[error(
        "`sqlite:` needs the path of a file after it, such as `sqlite:/var/lib/forge/forge.db`"
    )]
    NoPath,
    /// An in-memory database would be lost with the process, and readers could not share it with the writer.
    #[error("an in-memory SQLite database cannot keep anything; give the path of a file")]
    InMemory,
    /// Not the address of a PostgreSQL server.
    #[error(
        "the PostgreSQL address is not well-formed: {detail}; write `postgres://user:password@host:port/database`"
    )]
    Postgres {
        /// Description of the problem.
        detail: String,
    },
}

impl DatabaseUrl {
    /// The SQLite database in this file.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self(DatabaseLocation::Sqlite(path.into()))
    }

    /// The SQLite file, if the address names one.
    pub fn sqlite_path(&self) -> Option<&Path> {
        match &self.0 {
            DatabaseLocation::Sqlite(path) => Some(path),
            DatabaseLocation::Postgres(_) => None,
        }
    }

    pub(crate) fn location(&self) -> &DatabaseLocation {
        &self.0
    }
}

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" => Err(DatabaseUrlError::NoPath),
                ":memory:" => Err(DatabaseUrlError::InMemory),
                path => Ok(Self::sqlite(path)),
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return match text.parse::<PgConnectOptions>() {
                Ok(options) => Ok(Self(DatabaseLocation::Postgres(Box::new(options)))),
                Err(error) => Err(DatabaseUrlError::Postgres { detail: error.to_string() }),
            };
        }
        Err(DatabaseUrlError::Scheme)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            DatabaseLocation::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            // Built from the parts that are not secret, so that there is nothing to hide.
            DatabaseLocation::Postgres(options) => {
                write!(f, "postgres://{}@", options.get_username())?;
                match options.get_socket() {
                    Some(socket) => write!(f, "{}", socket.display())?,
                    None => write!(f, "{}:{}", options.get_host(), options.get_port())?,
                }
                write!(f, "/{}", options.get_database().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}
