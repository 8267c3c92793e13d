use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{block_in_place, spawn_blocking};

use super::connection::{Access, Connection};
use super::failure::from_sqlite;
use crate::errors::StoreError;

/// Readers do not wait for each other or for the writer; more of them than cores would only take memory.
const READERS: u32 = 4;

/// The connections that only read. They are opened when they are needed.
#[derive(Clone, Debug)]
pub(super) struct Readers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        let places = Arc::new(Semaphore::new(READERS as usize));
        Self(Arc::new(Inner { path, places, idle: Mutex::default() }))
    }

    /// Reads on a thread that may wait for the disk: this one, where the runtime lets another go on with everybody else's
    /// work. Most reads take less time than it takes to wake a thread and be woken by it.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let closed = |_| StoreError::Closed;
        let place = Arc::clone(&self.0.places).acquire_owned().await.map_err(closed)?;
        if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
            return block_in_place(|| self.0.read(work, place));
        }
        let inner = Arc::clone(&self.0);
        let reading = spawn_blocking(move || inner.read(work, place));
        // It gives no answer only if the runtime ends.
        reading.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Lets no more in, and waits for those who read.
    pub(super) async fn close(&self) {
        let all = self.0.places.acquire_many(READERS).await;
        self.0.places.close();
        drop(all);
        self.0.idle().clear();
    }
}

impl Inner {
    fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
        _place: OwnedSemaphorePermit,
    ) -> Result<T, StoreError> {
        let waiting = self.idle().pop();
        let connection = match waiting {
            Some(connection) => connection,
            None => Connection::open(&self.path, Access::Read).map_err(from_sqlite)?,
        };
        let done = work(&connection);
        // What could not be read may be readable again through another one.
        if !matches!(done, Err(StoreError::Unavailable { .. })) {
            self.idle().push(connection);
        }
        done
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
