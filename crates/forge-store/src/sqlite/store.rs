use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::connection::{Access, Connection};
use super::failure::{from_sqlite, is_busy};
use super::readers::Readers;
use super::row::SqliteRow;
use super::writer::{Message, Writer};
use crate::errors::StoreError;
use crate::job::{Durability, Work, WriteJob};
use crate::migrate;
use crate::migration::Migration;
use crate::statement::Stmt;
use crate::stats::Counters;
use crate::tx::{Conn, Tx};
use crate::wake::Wakes;

/// How long two that open the same new database wait for each other.
const PATIENCE: Duration = Duration::from_secs(10);
const TRY_AGAIN: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Sqlite {
    readers: Readers,
    queue: mpsc::Sender<Message>,
}

/// How the one writing connection is made; also after it was lost.
pub(super) struct WriterOptions(PathBuf);

impl WriterOptions {
    pub(super) async fn connect(&self) -> Result<Connection, StoreError> {
        open(&self.0, Access::Write { foreign_keys: true }).await
    }
}

impl Sqlite {
    pub(crate) async fn open(
        path: &Path,
        migrations: &[Migration],
        wakes: Wakes,
        counters: Counters,
    ) -> Result<Self, StoreError> {
        migrate(path, migrations).await?;
        let options = WriterOptions(path.to_owned());
        let connection = options.connect().await?;
        let queue = Writer::start(options, connection, wakes, counters)?;
        Ok(Self { readers: Readers::new(path.to_owned()), queue })
    }

    /// The rows of a query, or the first so many of them.
    pub(crate) async fn fetch(
        &self,
        statement: Stmt,
        most: usize,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        self.readers.read(move |connection| connection.fetch(&statement, most)).await
    }

    pub(crate) async fn write<T, E, F>(&self, work: F, durability: Durability) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Work<T, E>,
    {
        let (job, answer) = WriteJob::new(work, durability);
        if self.queue.send(Message::Write(Box::new(job))).await.is_err() {
            return Err(StoreError::Closed.into());
        }
        // No answer: the writer is gone, and with it the transaction.
        answer.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        let (closed, wait) = oneshot::channel();
        if self.queue.send(Message::Close(closed)).await.is_ok() {
            let _ = wait.await;
        }
    }
}

async fn open(path: &Path, access: Access) -> Result<Connection, StoreError> {
    let mut tries = tokio::time::interval(TRY_AGAIN);
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        tries.tick().await;
        let error = match Connection::open(path, access) {
            Ok(connection) => return Ok(connection),
            // Two that open a new database at once stand in each other's way, and SQLite waits for neither.
            Err(error) if is_busy(&error) && tokio::time::Instant::now() < deadline => continue,
            Err(error) => error,
        };
        return Err(match from_sqlite(error) {
            StoreError::Unavailable { detail } => {
                StoreError::unavailable(format!("{}: {detail}", path.display()))
            }
            other => other,
        });
    }
}

/// On a connection of its own with foreign keys off, the only way in which SQLite can rebuild a table; they are
/// checked before the commit instead.
async fn migrate(path: &Path, migrations: &[Migration]) -> Result<(), StoreError> {
    let connection = open(path, Access::Write { foreign_keys: false }).await?;
    let mut tx = Tx::new(Conn::Sqlite(connection));
    tx.control(crate::dialect::Dialect::Sqlite.begin())?;
    let done = match migrate::apply(&mut tx, migrations).await {
        Ok(()) => migrate::check_references(&mut tx).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => tx.control("COMMIT")?,
        Err(_) => tx.control("ROLLBACK")?,
    }
    if let Conn::Sqlite(connection) = tx.into_conn() {
        connection.close()?;
    }
    done
}
