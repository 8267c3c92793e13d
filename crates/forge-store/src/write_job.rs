use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::oneshot;

use crate::store_error::StoreError;
use crate::tx::Tx;

/// The closure of a write; a trait alias, so that its bounds are written once.
pub(crate) trait WriteClosure<T, E>:
    for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static
{
}

impl<T, E, F> WriteClosure<T, E> for F where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static
{
}

tokio::task_local! {
    static INSIDE_A_WRITE: ();
}

/// Refuses a write inside another write, which would deadlock on SQLite.
pub(crate) fn refuse_nested_write() -> Result<(), StoreError> {
    match INSIDE_A_WRITE.try_with(|()| ()) {
        Ok(()) => Err(StoreError::statement(
            "a write was begun inside another write; use the transaction at hand",
        )),
        Err(_) => Ok(()),
    }
}

/// Runs the closure once. A panic and an ignored statement error are returned as errors; the caller rolls back on any
/// error.
pub(crate) async fn run_closure<T, E: From<StoreError>>(
    work: &impl WriteClosure<T, E>,
    tx: &mut Tx,
) -> Result<T, E> {
    let run =
        INSIDE_A_WRITE.scope((), AssertUnwindSafe(async { work(&mut *tx).await }).catch_unwind());
    match run.await {
        Err(_) => Err(StoreError::Panicked.into()),
        Ok(Ok(_)) if tx.failure().is_some() => Err(StoreError::Aborted.into()),
        Ok(outcome) => outcome,
    }
}

/// What a COMMIT of SQLite waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommitDurability {
    /// Does not wait for the disk: the data survives a crash of this process, but not a power failure.
    ProcessCrash,
    /// Waits for the disk.
    PowerFailure,
}

/// A write in the queue of the SQLite writer, with its types erased so that jobs of different types can share a
/// transaction.
pub(crate) trait QueuedWrite: Send {
    /// Durability that its answer promises.
    fn durability(&self) -> CommitDurability;

    /// Runs the closure; returns false if it must be rolled back.
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool>;

    /// Answers the caller after the shared transaction has ended.
    fn answer(self: Box<Self>, ended: Result<(), StoreError>);
}

pub(crate) struct WriteJob<T, E, F> {
    work: F,
    durability: CommitDurability,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> WriteJob<T, E, F> {
    pub(crate) fn new(
        work: F,
        durability: CommitDurability,
    ) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        let job = Self { work, durability, outcome: None, reply };
        (job, answer)
    }
}

impl<T, E, F> QueuedWrite for WriteJob<T, E, F>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
    F: WriteClosure<T, E>,
{
    fn durability(&self) -> CommitDurability {
        self.durability
    }

    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool> {
        Box::pin(async move {
            let outcome = run_closure(&self.work, tx).await;
            let keep = outcome.is_ok();
            self.outcome = Some(outcome);
            keep
        })
    }

    fn answer(self: Box<Self>, ended: Result<(), StoreError>) {
        let outcome = match (ended, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::Closed.into()),
            // Also for a job that refused by itself: the work of other jobs that it read was rolled back.
            (Err(error), _) => Err(error.into()),
        };
        // The caller may be gone; the write stays committed.
        let _ = self.reply.send(outcome);
    }
}
