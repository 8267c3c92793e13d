use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::chief::Chief;
use crate::ended::{Ended, Ending, Exit};
use crate::foreign::Foreign;
use crate::identity::ProcessIdentity;
use crate::keeper;
use crate::log::Log;
use crate::mark::Mark;
use crate::orphans;
use crate::output::Output;
use crate::relay::{Relay, spool_of};
use crate::running::Running;
use crate::site::{Astray, Site};
use crate::spool::Spool;
use crate::tree::Tree;

/// A run that an earlier server started with [`crate::Spec::adoptable`], as that server wrote it down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its program.
    pub identity: ProcessIdentity,
    /// Its mark.
    pub mark: Mark,
    /// Its log file. The limits of the log are known beside it.
    pub log: PathBuf,
    /// Where it must stand.
    pub site: Site,
    /// Its deadline, counted from its own start.
    pub deadline: Option<Duration>,
    /// How long a process has between TERM and KILL.
    pub grace: Duration,
}

/// A run that cannot be adopted. Its processes are untouched: end them with [`crate::end_marked`].
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// Its program is gone. What it printed to its end may still be unread, so ask [`crate::read_rest`] for it.
    #[error("process {pid} is gone; end what is left of its run and close it as lost")]
    Gone {
        /// The program's pid.
        pid: u32,
    },
    /// The process of that number and start is not of the run.
    #[error(
        "process {pid} does not carry the mark of its run; end what is left of the run and close it as lost"
    )]
    Unmarked {
        /// The program's pid.
        pid: u32,
    },
    /// It stands somewhere else than its run should.
    #[error(transparent)]
    Astray(#[from] Astray),
    /// What it printed is not to be found, so it was not started to be adopted.
    #[error("the output of {} cannot be continued: {source}; end the run instead", log.display())]
    Output {
        /// The log file.
        log: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A run of an earlier server, under supervision again. As with [`Running`], dropping it kills its process group.
#[derive(Debug)]
pub struct Adopted {
    running: Running,
}

/// Takes over a run that outlived its server: its log goes on where it stopped, with nothing lost and nothing twice.
pub async fn adopt(claim: Claim) -> Result<Adopted, AdoptError> {
    orphans::take_in();
    let pid = claim.identity.pid;
    let chief = Foreign::find(claim.identity.clone()).ok_or(AdoptError::Gone { pid })?;
    let tree = Tree::of_mark(claim.mark.clone());
    if !claim.identity.row().is_some_and(|row| tree.recognises(&row)) {
        return Err(AdoptError::Unmarked { pid });
    }
    claim.site.verify(&claim.identity)?;
    let (output, relay) = resume(&claim.log)
        .map_err(|source| AdoptError::Output { log: claim.log.clone(), source })?;
    let now = Instant::now();
    let started = claim.identity.age().and_then(|age| now.checked_sub(age)).unwrap_or(now);
    tracing::debug!(pid, mark = %claim.mark, "adopted");
    let running = Running {
        tree: Tree::of_foreign(claim.mark, &claim.identity).kept(true),
        chief: Chief::Foreign(chief.keep()),
        identity: claim.identity,
        started,
        deadline: claim.deadline,
        grace: claim.grace,
        output,
        relay: Some((relay, spool_of(&claim.log))),
        input: None,
    };
    Ok(Adopted { running })
}

fn resume(log: &std::path::Path) -> std::io::Result<(Output, Relay)> {
    let spool = spool_of(log);
    let (relay, layout) = Relay::find(&spool)?;
    let (log, position) = Log::resume(log, layout)?;
    Ok((Output::of_spool(log, Spool::open(&spool, layout, position)), relay))
}

/// How the program of a run left while no server was there, if it was written down. Ask before the run is ended by us:
/// what a program does about a signal says nothing of its work.
pub fn load_exit(log: &std::path::Path) -> Option<Exit> {
    keeper::load_note(&spool_of(log))
}

/// Brings the log of a run that ended while no server was there to its end, and gives its last output. Call it when
/// nothing of the run is alive any more. What was written down of its exit is gone afterwards.
pub async fn read_rest(log: &std::path::Path) -> Result<String, AdoptError> {
    let failed = |source| AdoptError::Output { log: log.to_owned(), source };
    let (output, relay) = resume(log).map_err(failed)?;
    relay.finish().await;
    let summary = output.finish().await;
    crate::relay::clear(&spool_of(log)).map_err(failed)?;
    Ok(summary.tail)
}

impl Adopted {
    /// Which process it is.
    pub fn identity(&self) -> &ProcessIdentity {
        self.running.identity()
    }

    /// As [`Running::log_grows`].
    pub fn log_grows(&self) -> watch::Receiver<u64> {
        self.running.log_grows()
    }

    /// As [`Running::wait_or_let_go`].
    pub async fn wait_or_let_go(
        self,
        stop: &CancellationToken,
        leave: &CancellationToken,
    ) -> Option<Ended<Option<Ending>>> {
        self.running.wait_or_let_go(stop, leave).await
    }

    /// From now on it is a run like any other.
    pub fn into_running(self) -> Running {
        self.running
    }

    /// Leaves it to the next server.
    pub async fn let_go(self) {
        self.running.let_go().await;
    }
}
