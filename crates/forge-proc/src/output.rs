use std::future::Future;
use std::io;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::desk::at_a_desk;
use crate::log::{Found, Log, LogSummary};
use crate::outlet::Outlet;
use crate::spool::Spool;

const CHUNK: usize = 64 * 1024;

/// The log being written.
#[derive(Debug)]
pub(crate) struct Output {
    task: JoinHandle<io::Result<LogSummary>>,
    ended: DropGuard,
    left: CancellationToken,
    grows: watch::Receiver<u64>,
}

/// What whoever writes the log has to know of its run.
#[derive(Debug, Clone)]
struct Signs {
    /// The program is over; what is there is still to be read.
    ended: CancellationToken,
    /// The next server goes on with it.
    left: CancellationToken,
}

impl Output {
    /// What comes through our own pipe.
    pub(crate) fn of_pipe(log: Log, outlet: Outlet) -> Self {
        Self::start(log.grows(), |signs| drain_pipe(log, outlet, signs))
    }

    /// What a relay keeps.
    pub(crate) fn of_spool(log: Log, spool: Spool) -> Self {
        Self::start(log.grows(), |signs| drain_spool(log, spool, signs))
    }

    fn start<F>(grows: watch::Receiver<u64>, drain: impl FnOnce(Signs) -> F) -> Self
    where
        F: Future<Output = io::Result<LogSummary>> + Send + 'static,
    {
        let signs = Signs { ended: CancellationToken::new(), left: CancellationToken::new() };
        let (ended, left) = (signs.ended.clone().drop_guard(), signs.left.clone());
        Self { task: tokio::spawn(drain(signs)), ended, left, grows }
    }

    /// Tells the size whenever it has grown, and closes when nothing more is written.
    pub(crate) fn grows(&self) -> watch::Receiver<u64> {
        self.grows.clone()
    }

    /// Nothing more is written by the run; what is there is still read.
    pub(crate) async fn finish(self) -> LogSummary {
        drop(self.ended);
        let written = self.task.await.map_err(io::Error::other).flatten();
        written.unwrap_or_else(|error| LogSummary {
            failure: Some(error.to_string()),
            ..LogSummary::default()
        })
    }

    /// Writes no more. Whoever goes on with the log finds a file that nobody else adds to.
    pub(crate) async fn let_go(self) {
        self.left.cancel();
        self.task.await.ok();
    }
}

async fn drain_pipe(mut log: Log, mut outlet: Outlet, signs: Signs) -> io::Result<LogSummary> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = signs.left.run_until_cancelled(outlet.read(&mut buffer, &signs.ended));
        match read.await {
            None => return Ok(LogSummary::default()),
            Some(0) => return at_a_desk(move || log.finish()).await,
            Some(count) => {
                let push = move || {
                    log.push(buffer.get(..count).unwrap_or_default());
                    (log, buffer)
                };
                (log, buffer) = at_a_desk(push).await?;
            }
        }
    }
}

async fn drain_spool(mut log: Log, mut spool: Spool, signs: Signs) -> io::Result<LogSummary> {
    while !signs.left.is_cancelled() {
        // Asked before the look: what was written before the end is then seen by it.
        let is_last_look = signs.ended.is_cancelled();
        let look = move || {
            let found = log.take_from(&mut spool, is_last_look);
            (log, spool, found)
        };
        let (written, read, found) = at_a_desk(look).await?;
        (log, spool) = (written, read);
        match found {
            Found::Some => {}
            Found::Nothing if !is_last_look => {
                let pause = tokio::time::timeout(spool.next_pause(), signs.ended.cancelled());
                signs.left.run_until_cancelled(pause).await;
            }
            Found::Nothing | Found::Broken => return at_a_desk(move || log.finish()).await,
        }
    }
    Ok(LogSummary::default())
}
