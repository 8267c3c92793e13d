use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use crate::dialect::SqlDialect;
use crate::sqlite::connection::SqliteConnection;
use crate::sqlite::store::WriterOptions;
use crate::store_error::StoreError;
use crate::tx::{Tx, TxConnection};
use crate::wake::WakeBroadcaster;
use crate::write_job::{CommitDurability, QueuedWrite};
use crate::write_stats::WriteCounters;

/// Maximum number of writes in one transaction: enough to share a disk sync, few enough that the first one does not
/// wait long.
const MAX_GROUP: usize = 256;
/// Maximum number of queued writes before callers wait.
const QUEUE: usize = 1024;

pub(crate) enum WriterMessage {
    Write(Box<dyn QueuedWrite>),
    Close(oneshot::Sender<()>),
}

/// Owner of SQLite's one writing connection, on its own thread: a write is some dozens of statements, each too short to
/// be worth a thread switch. Queued writes share a transaction (group commit), because a COMMIT costs a disk sync and a
/// write does not.
pub(crate) struct SqliteWriter {
    options: WriterOptions,
    /// `None` after a failed COMMIT or ROLLBACK: the state of such a connection is unknown, so the next group opens a
    /// new one.
    tx: Option<Tx>,
    queue: mpsc::Receiver<WriterMessage>,
    wakes: WakeBroadcaster,
    counters: WriteCounters,
    closers: Vec<oneshot::Sender<()>>,
    /// A job that needs more durability than the last group had.
    deferred_job: Option<Box<dyn QueuedWrite>>,
}

/// Protection of the kept jobs from the next one.
enum SavepointState {
    /// No transaction is open. Nothing is kept, so a plain ROLLBACK is enough, and a single write needs no savepoint.
    Closed,
    /// Jobs are kept, without a savepoint after them.
    Kept { savepoint: bool },
    /// A savepoint follows the kept jobs: the last job was rolled back to it.
    Savepoint,
}

impl SqliteWriter {
    pub(crate) fn start(
        options: WriterOptions,
        connection: SqliteConnection,
        wakes: WakeBroadcaster,
        counters: WriteCounters,
    ) -> Result<mpsc::Sender<WriterMessage>, StoreError> {
        let (sender, queue) = mpsc::channel(QUEUE);
        let writer = Self {
            options,
            tx: Some(Tx::new(TxConnection::Sqlite(connection))),
            queue,
            wakes,
            counters,
            closers: Vec::new(),
            deferred_job: None,
        };
        let runtime = Handle::current();
        let thread = std::thread::Builder::new().name("forge-writer".to_owned());
        thread.spawn(move || writer.run(&runtime)).map_err(StoreError::unavailable)?;
        Ok(sender)
    }

    fn run(mut self, runtime: &Handle) {
        while let Some(message) = self.next() {
            if let Some(job) = self.take_job(message) {
                runtime.block_on(self.run_group(job));
            }
        }
        if let Some(TxConnection::Sqlite(connection)) = self.tx.take().map(Tx::into_conn)
            && let Err(error) = connection.close()
        {
            tracing::warn!(%error, "database file was not closed cleanly; SQLite recovers it on the next open");
        }
        for closer in self.closers {
            let _ = closer.send(());
        }
    }

    fn next(&mut self) -> Option<WriterMessage> {
        self.deferred_job.take().map(WriterMessage::Write).or_else(|| self.queue.blocking_recv())
    }

    /// Takes the job out of a message. A close message refuses new jobs and finishes the queued ones.
    fn take_job(&mut self, message: WriterMessage) -> Option<Box<dyn QueuedWrite>> {
        match message {
            WriterMessage::Write(job) => Some(job),
            WriterMessage::Close(closer) => {
                self.queue.close();
                self.closers.push(closer);
                None
            }
        }
    }

    /// The next queued job that needs no more durability than this group has.
    fn next_queued(&mut self, promised: CommitDurability) -> Option<Box<dyn QueuedWrite>> {
        while let Ok(message) = self.queue.try_recv() {
            match self.take_job(message) {
                Some(job) if job.durability() <= promised => return Some(job),
                Some(job) => {
                    self.deferred_job = Some(job);
                    return None;
                }
                None => {}
            }
        }
        None
    }

    /// Runs the job and all queued ones in one transaction, then answers them.
    async fn run_group(&mut self, first: Box<dyn QueuedWrite>) {
        let mut jobs = Vec::new();
        let ended = self.transaction(first, &mut jobs).await;
        match (&ended, &mut self.tx) {
            (Ok(()), Some(tx)) => {
                tx.take_wakes().into_iter().for_each(|wake| self.wakes.deliver(wake))
            }
            _ => self.tx = None,
        }
        for job in jobs {
            job.answer(ended.clone());
        }
    }

    async fn transaction(
        &mut self,
        first: Box<dyn QueuedWrite>,
        jobs: &mut Vec<Box<dyn QueuedWrite>>,
    ) -> Result<(), StoreError> {
        let mut guard = SavepointState::Closed;
        let mut kept = 0;
        let promised = first.durability();
        let mut next = Some(first);
        let tx = match self.tx.take() {
            Some(tx) => Ok(tx),
            None => self.options.connect().await.map(|conn| Tx::new(TxConnection::Sqlite(conn))),
        };
        let mut tx = tx.and_then(|tx| tx.set_durability(promised).map(|()| tx));
        while let Some(mut job) = next {
            let ran = match &mut tx {
                Ok(tx) => run_guarded(tx, &mut *job, &mut guard).await,
                Err(error) => Err(error.clone()),
            };
            jobs.push(job);
            kept += u64::from(ran?);
            next = if jobs.len() < MAX_GROUP { self.next_queued(promised) } else { None };
        }
        let mut tx = tx?;
        if !matches!(guard, SavepointState::Closed) {
            tx.control("COMMIT")?;
            self.counters.add_commit(kept);
        }
        self.tx = Some(tx);
        Ok(())
    }
}

/// Runs one job so that its failure undoes only its own work. An `Err` means that the whole transaction is lost.
async fn run_guarded(
    tx: &mut Tx,
    job: &mut dyn QueuedWrite,
    guard: &mut SavepointState,
) -> Result<bool, StoreError> {
    match guard {
        SavepointState::Closed => tx.control(SqlDialect::Sqlite.begin())?,
        SavepointState::Kept { savepoint: false } => tx.control("SAVEPOINT job")?,
        SavepointState::Kept { savepoint: true } => tx.control("RELEASE job; SAVEPOINT job")?,
        SavepointState::Savepoint => {}
    }
    let alone = matches!(guard, SavepointState::Closed);
    tx.start_job();
    let keep = job.run(tx).await;
    *guard = match (keep, alone) {
        (true, alone) => SavepointState::Kept { savepoint: !alone },
        (false, true) => {
            roll_back(tx, "ROLLBACK")?;
            SavepointState::Closed
        }
        (false, false) => {
            roll_back(tx, "ROLLBACK TO job")?;
            SavepointState::Savepoint
        }
    };
    Ok(keep)
}

/// Rolls back. On a full or failing disk SQLite has already rolled back everything; then the error of the statement
/// says more than the one of the rollback.
fn roll_back(tx: &mut Tx, text: &'static str) -> Result<(), StoreError> {
    tx.forget_job();
    let done = tx.control(text);
    done.map_err(|error| tx.failure().cloned().unwrap_or(error))
}
