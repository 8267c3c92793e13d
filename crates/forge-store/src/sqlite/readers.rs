use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{block_in_place, spawn_blocking};

use crate::sqlite::connection::{ConnectionAccess, SqliteConnection};
use crate::sqlite::sqlite_error::from_sqlite;
use crate::store_error::StoreError;

/// Readers do not wait for each other or for the writer; more connections than cores would only use memory.
const READERS: u32 = 4;

/// The pool of read-only connections, which are opened on demand.
#[derive(Clone, Debug)]
pub(crate) struct ReaderPool(Arc<ReaderPoolInner>);

#[derive(Debug)]
struct ReaderPoolInner {
    path: PathBuf,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<SqliteConnection>>,
}

impl ReaderPool {
    pub(crate) fn new(path: PathBuf) -> Self {
        let places = Arc::new(Semaphore::new(READERS as usize));
        Self(Arc::new(ReaderPoolInner { path, places, idle: Mutex::default() }))
    }

    /// Reads on a thread that may block on the disk. On a multi-threaded runtime that is the current thread, and the
    /// runtime moves its other work away: most reads take less time than a thread switch.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&SqliteConnection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let closed = |_| StoreError::Closed;
        let place = Arc::clone(&self.0.places).acquire_owned().await.map_err(closed)?;
        if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
            return block_in_place(|| self.0.read(work, place));
        }
        let inner = Arc::clone(&self.0);
        let reading = spawn_blocking(move || inner.read(work, place));
        // No answer only if the runtime ends.
        reading.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Refuses new reads and waits for the current ones.
    pub(crate) async fn close(&self) {
        let all = self.0.places.acquire_many(READERS).await;
        self.0.places.close();
        drop(all);
        self.0.idle().clear();
    }
}

impl ReaderPoolInner {
    fn read<T>(
        &self,
        work: impl FnOnce(&SqliteConnection) -> Result<T, StoreError>,
        _place: OwnedSemaphorePermit,
    ) -> Result<T, StoreError> {
        let waiting = self.idle().pop();
        let connection = match waiting {
            Some(connection) => connection,
            None => {
                SqliteConnection::open(&self.path, ConnectionAccess::Read).map_err(from_sqlite)?
            }
        };
        let done = work(&connection);
        // Discards a connection after an I/O error, because a new one may work.
        if !matches!(done, Err(StoreError::Unavailable { .. })) {
            self.idle().push(connection);
        }
        done
    }

    fn idle(&self) -> MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
