use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::connection::Connection;
use super::store::WriterOptions;
use crate::dialect::Dialect;
use crate::errors::StoreError;
use crate::job::{Durability, Job};
use crate::stats::Counters;
use crate::tx::{Conn, Tx};
use crate::wake::Wakes;

/// How many writes may share one transaction: enough that the disk sync is paid rarely, few enough that the first of
/// them does not wait long for its answer.
const MAX_GROUP: usize = 256;
/// How many writes may wait before callers do.
const QUEUE: usize = 1024;

pub(super) enum Message {
    Write(Box<dyn Job>),
    Close(oneshot::Sender<()>),
}

/// The owner of SQLite's one writing connection, on a thread of its own: a write is some dozens of statements, each too
/// short to be worth waking anybody for. Writes that wait at the same time share a transaction (group commit), because a
/// COMMIT costs a disk sync and a write does not.
pub(super) struct Writer {
    options: WriterOptions,
    /// `None` after a COMMIT or ROLLBACK failed: such a connection is in no known state, so the next group gets a new one.
    tx: Option<Tx>,
    queue: mpsc::Receiver<Message>,
    wakes: Wakes,
    counters: Counters,
    closers: Vec<oneshot::Sender<()>>,
    /// A job that the group before it could not promise enough.
    held: Option<Box<dyn Job>>,
}

/// What protects the jobs already kept from the one about to run.
enum Guard {
    /// No transaction is open, so nothing is kept and a plain ROLLBACK will do: a lone write pays for no savepoint.
    Closed,
    /// Jobs are kept and no savepoint was made after them.
    Kept { savepoint: bool },
    /// A savepoint stands exactly here: the last job was rolled back to it.
    Savepoint,
}

impl Writer {
    pub(super) fn start(
        options: WriterOptions,
        connection: Connection,
        wakes: Wakes,
        counters: Counters,
    ) -> Result<mpsc::Sender<Message>, StoreError> {
        let (sender, queue) = mpsc::channel(QUEUE);
        let writer = Self {
            options,
            tx: Some(Tx::new(Conn::Sqlite(connection))),
            queue,
            wakes,
            counters,
            closers: Vec::new(),
            held: None,
        };
        let runtime = Handle::current();
        let thread = std::thread::Builder::new().name("forge-writer".to_owned());
        thread.spawn(move || writer.run(&runtime)).map_err(StoreError::unavailable)?;
        Ok(sender)
    }

    fn run(mut self, runtime: &Handle) {
        while let Some(message) = self.next() {
            if let Some(job) = self.job(message) {
                runtime.block_on(self.group(job));
            }
        }
        if let Some(Conn::Sqlite(connection)) = self.tx.take().map(Tx::into_conn)
            && let Err(error) = connection.close()
        {
            tracing::warn!(%error, "the database file was not closed cleanly; SQLite repairs it when next opened");
        }
        for closer in self.closers {
            let _ = closer.send(());
        }
    }

    fn next(&mut self) -> Option<Message> {
        self.held.take().map(Message::Write).or_else(|| self.queue.blocking_recv())
    }

    /// Closing lets in no more, and finishes what is already waiting.
    fn job(&mut self, message: Message) -> Option<Box<dyn Job>> {
        match message {
            Message::Write(job) => Some(job),
            Message::Close(closer) => {
                self.queue.close();
                self.closers.push(closer);
                None
            }
        }
    }

    /// The next one that waits and is content with what this group promises.
    fn waiting(&mut self, promised: Durability) -> Option<Box<dyn Job>> {
        while let Ok(message) = self.queue.try_recv() {
            match self.job(message) {
                Some(job) if job.durability() <= promised => return Some(job),
                Some(job) => {
                    self.held = Some(job);
                    return None;
                }
                None => {}
            }
        }
        None
    }

    /// Runs the job, and all that wait or come meanwhile, in one transaction; only then are they answered.
    async fn group(&mut self, first: Box<dyn Job>) {
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
        first: Box<dyn Job>,
        jobs: &mut Vec<Box<dyn Job>>,
    ) -> Result<(), StoreError> {
        let mut guard = Guard::Closed;
        let mut kept = 0;
        let promised = first.durability();
        let mut next = Some(first);
        let tx = match self.tx.take() {
            Some(tx) => Ok(tx),
            None => self.options.connect().await.map(|conn| Tx::new(Conn::Sqlite(conn))),
        };
        let mut tx = tx.and_then(|tx| tx.set_durability(promised).map(|()| tx));
        while let Some(mut job) = next {
            let ran = match &mut tx {
                Ok(tx) => run_guarded(tx, &mut *job, &mut guard).await,
                Err(error) => Err(error.clone()),
            };
            jobs.push(job);
            kept += u64::from(ran?);
            next = if jobs.len() < MAX_GROUP { self.waiting(promised) } else { None };
        }
        let mut tx = tx?;
        if !matches!(guard, Guard::Closed) {
            tx.control("COMMIT")?;
            self.counters.committed(kept);
        }
        self.tx = Some(tx);
        Ok(())
    }
}

/// Runs one job so that its failure undoes its own work only. An `Err` means the whole transaction is lost.
async fn run_guarded(
    tx: &mut Tx,
    job: &mut dyn Job,
    guard: &mut Guard,
) -> Result<bool, StoreError> {
    match guard {
        Guard::Closed => tx.control(Dialect::Sqlite.begin())?,
        Guard::Kept { savepoint: false } => tx.control("SAVEPOINT job")?,
        Guard::Kept { savepoint: true } => tx.control("RELEASE job; SAVEPOINT job")?,
        Guard::Savepoint => {}
    }
    let alone = matches!(guard, Guard::Closed);
    tx.start_job();
    let keep = job.run(tx).await;
    *guard = match (keep, alone) {
        (true, alone) => Guard::Kept { savepoint: !alone },
        (false, true) => {
            roll_back(tx, "ROLLBACK")?;
            Guard::Closed
        }
        (false, false) => {
            roll_back(tx, "ROLLBACK TO job")?;
            Guard::Savepoint
        }
    };
    Ok(keep)
}

/// SQLite has already rolled everything back by itself if the disk is full or failing; then the statement's error says
/// more than that there is nothing to roll back.
fn roll_back(tx: &mut Tx, text: &'static str) -> Result<(), StoreError> {
    tx.forget_job();
    let done = tx.control(text);
    done.map_err(|error| tx.failure().cloned().unwrap_or(error))
}
