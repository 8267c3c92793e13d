use std::future::Future;
use std::io;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::output::log_workers::run_on_log_worker;
use crate::output::output_log::{LogSummary, OutputLog, SpoolRead};
use crate::output::output_pipe::OutputPipe;
use crate::output::spool_reader::SpoolReader;

const CHUNK: usize = 64 * 1024;

/// The task that writes a program's output to its log.
#[derive(Debug)]
pub(crate) struct LogWriter {
    task: JoinHandle<io::Result<LogSummary>>,
    exited: DropGuard,
    released: CancellationToken,
    size: watch::Receiver<u64>,
}

/// Signals from the supervisor to the task that writes the log.
#[derive(Debug, Clone)]
struct WriterSignals {
    /// The program has ended; remaining output is still read.
    exited: CancellationToken,
    /// The next server continues the log.
    released: CancellationToken,
}

impl LogWriter {
    /// Logs output that arrives through a pipe of this process.
    pub(crate) fn of_pipe(log: OutputLog, outlet: OutputPipe) -> Self {
        Self::spawn(log.watch_size(), |signs| drain_pipe(log, outlet, signs))
    }

    /// Logs output that a relay stores.
    pub(crate) fn of_spool(log: OutputLog, spool: SpoolReader) -> Self {
        Self::spawn(log.watch_size(), |signs| drain_spool(log, spool, signs))
    }

    fn spawn<F>(size: watch::Receiver<u64>, drain: impl FnOnce(WriterSignals) -> F) -> Self
    where
        F: Future<Output = io::Result<LogSummary>> + Send + 'static,
    {
        let signs =
            WriterSignals { exited: CancellationToken::new(), released: CancellationToken::new() };
        let (exited, released) = (signs.exited.clone().drop_guard(), signs.released.clone());
        Self { task: tokio::spawn(drain(signs)), exited, released, size }
    }

    /// Sends the log size whenever it has grown, and closes when nothing more is written.
    pub(crate) fn watch_size(&self) -> watch::Receiver<u64> {
        self.size.clone()
    }

    /// Reads the remaining output of an ended program and completes the log.
    pub(crate) async fn finish(self) -> LogSummary {
        drop(self.exited);
        let written = self.task.await.map_err(io::Error::other).flatten();
        written.unwrap_or_else(|error| LogSummary {
            failure: Some(error.to_string()),
            ..LogSummary::default()
        })
    }

    /// Stops writing. After this call returns, the next server is the only writer of the log.
    pub(crate) async fn release(self) {
        self.released.cancel();
        self.task.await.ok();
    }
}

async fn drain_pipe(
    mut log: OutputLog,
    mut outlet: OutputPipe,
    signs: WriterSignals,
) -> io::Result<LogSummary> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = signs.released.run_until_cancelled(outlet.read(&mut buffer, &signs.exited));
        match read.await {
            None => return Ok(LogSummary::default()),
            Some(0) => return run_on_log_worker(move || log.finish()).await,
            Some(count) => {
                let push = move || {
                    log.push(buffer.get(..count).unwrap_or_default());
                    (log, buffer)
                };
                (log, buffer) = run_on_log_worker(push).await?;
            }
        }
    }
}

async fn drain_spool(
    mut log: OutputLog,
    mut spool: SpoolReader,
    signs: WriterSignals,
) -> io::Result<LogSummary> {
    while !signs.released.is_cancelled() {
        // Checked before the read, so that the read sees everything written before the end.
        let is_last_look = signs.exited.is_cancelled();
        let look = move || {
            let found = log.copy_from_spool(&mut spool, is_last_look);
            (log, spool, found)
        };
        let (written, read, found) = run_on_log_worker(look).await?;
        (log, spool) = (written, read);
        match found {
            SpoolRead::More => {}
            SpoolRead::Empty if !is_last_look => {
                let pause = tokio::time::timeout(spool.next_poll_delay(), signs.exited.cancelled());
                signs.released.run_until_cancelled(pause).await;
            }
            SpoolRead::Empty | SpoolRead::Failed => {
                return run_on_log_worker(move || log.finish()).await;
            }
        }
    }
    Ok(LogSummary::default())
}
