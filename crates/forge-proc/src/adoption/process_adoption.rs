use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::adoption::adopted_process::AdoptedProcess;
use crate::adoption::ending_record;
use crate::adoption::exit_record;
use crate::adoption::unsupervised_ending::wake_stopped_program;
use crate::output::log_writer::LogWriter;
use crate::output::output_log::OutputLog;
use crate::output::output_relay;
use crate::output::output_relay::{OutputRelay, spool_dir};
use crate::output::spool_reader::SpoolReader;
use crate::supervise::expected_workdir::{ExpectedWorkdir, WorkdirError};
use crate::supervise::process_outcome::{ProcessEnding, ProcessOutcome};
use crate::supervise::root_process::RootProcess;
use crate::supervise::supervised_process::SupervisedProcess;
use crate::tree::orphans;
use crate::tree::process_identity::ProcessIdentity;
use crate::tree::process_mark::ProcessMark;
use crate::tree::process_tree::ProcessTree;

/// An adoptable program that an earlier server started with [`crate::SupervisionSpec::adoptable`], as that server
/// recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdoptionRequest {
    pub identity: ProcessIdentity,
    pub mark: ProcessMark,
    /// The log file. The spool directory beside it holds the limits of the log.
    pub log: PathBuf,
    /// The directory that the program must work in.
    pub workdir: ExpectedWorkdir,
    /// The deadline, counted from the program's own start.
    pub deadline: Option<Duration>,
    /// Time between TERM and KILL.
    pub grace: Duration,
}

/// Why a program cannot be adopted. Its processes are untouched: end them with [`crate::end_marked_processes`].
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// The program has ended. Its last output may still be unread: call [`crate::read_remaining_output`].
    #[error("process {pid} has ended; end the rest of its process tree and record it as lost")]
    Exited { pid: u32 },
    /// The process with that pid and start time does not carry the mark.
    #[error(
        "process {pid} does not carry the expected mark; end the rest of the process tree and record it as lost"
    )]
    Unmarked { pid: u32 },
    /// The program works in another directory than expected.
    #[error(transparent)]
    WrongWorkdir(#[from] WorkdirError),
    /// The spooled output is missing, so the program was not started as adoptable.
    #[error("the output of {} cannot be continued: {source}; end the process instead", log.display())]
    Output { log: PathBuf, source: std::io::Error },
}

/// A program of an earlier server, under supervision again. As with [`SupervisedProcess`], dropping it kills its
/// process group.
#[derive(Debug)]
pub struct ProcessAdoption {
    running: SupervisedProcess,
}

/// Takes over a program that outlived its server. Its log continues where it stopped: no output is lost and none is
/// written twice.
pub async fn adopt(claim: AdoptionRequest) -> Result<ProcessAdoption, AdoptError> {
    orphans::become_subreaper();
    let pid = claim.identity.pid;
    let chief = AdoptedProcess::open(claim.identity.clone()).ok_or(AdoptError::Exited { pid })?;
    let tree = ProcessTree::of_mark(claim.mark.clone());
    if !claim.identity.row().is_some_and(|row| tree.recognises(&row)) {
        return Err(AdoptError::Unmarked { pid });
    }
    claim.workdir.verify(&claim.identity)?;
    // An earlier server may have died after it sent SIGSTOP to the program in order to end it.
    wake_stopped_program(pid).await;
    let (output, relay) = resume_output(&claim.log)
        .map_err(|source| AdoptError::Output { log: claim.log.clone(), source })?;
    // An earlier server may have died while it was ending the program.
    ending_record::remove(&spool_dir(&claim.log));
    let now = Instant::now();
    let started = claim.identity.age().and_then(|age| now.checked_sub(age)).unwrap_or(now);
    tracing::debug!(pid, mark = %claim.mark, "adopted process");
    let running = SupervisedProcess {
        tree: ProcessTree::of_adopted(claim.mark, &claim.identity).with_exit_recorder(true),
        root: RootProcess::Adopted(chief.kill_on_drop()),
        identity: claim.identity,
        started,
        deadline: claim.deadline,
        grace: claim.grace,
        output,
        relay: Some((relay, spool_dir(&claim.log))),
        input: None,
    };
    Ok(ProcessAdoption { running })
}

fn resume_output(log: &std::path::Path) -> std::io::Result<(LogWriter, OutputRelay)> {
    let spool = spool_dir(log);
    let (relay, layout) = OutputRelay::find(&spool)?;
    let (log, position) = OutputLog::resume(log, layout)?;
    Ok((LogWriter::of_spool(log, SpoolReader::open(&spool, layout, position)), relay))
}

/// How a program ended while no server supervised it, if an earlier server or the exit recorder wrote it down. Call
/// this before this server ends the program: how a program reacts to a signal says nothing about its work. The record
/// stays until [`remove_process_records`].
pub fn load_ending(log: &std::path::Path) -> Option<ProcessEnding> {
    let spool = spool_dir(log);
    ending_record::load(&spool).or_else(|| exit_record::load_exit(&spool).map(ProcessEnding::from))
}

/// The identity of an adoptable program, as recorded at its start.
pub fn load_program_identity(log: &std::path::Path) -> Option<ProcessIdentity> {
    output_relay::load_program(&spool_dir(log))
}

/// Completes the log of a program that ended while no server ran, and returns its last output; empty if that was done
/// before. Call it when no process of the tree is alive.
pub async fn read_remaining_output(log: &std::path::Path) -> Result<String, AdoptError> {
    let failed = |source| AdoptError::Output { log: log.to_owned(), source };
    if output_relay::is_fully_read(&spool_dir(log)) {
        return Ok(String::new());
    }
    let (output, relay) = resume_output(log).map_err(failed)?;
    relay.finish().await;
    let summary = output.finish().await;
    output_relay::mark_fully_read(&spool_dir(log)).map_err(failed)?;
    Ok(summary.tail)
}

/// Removes what is kept of an adoptable program beside its log: unread output and the ending. Call it after the
/// result is stored, not before: a server that dies in between would treat the program as lost.
pub fn remove_process_records(log: &std::path::Path) -> std::io::Result<()> {
    output_relay::remove_spool(&spool_dir(log))
}

impl ProcessAdoption {
    /// Identity of the root process.
    pub fn identity(&self) -> &ProcessIdentity {
        self.running.identity()
    }

    /// The same as [`SupervisedProcess::watch_log_size`].
    pub fn watch_log_size(&self) -> watch::Receiver<u64> {
        self.running.watch_log_size()
    }

    /// The same as [`SupervisedProcess::wait_or_release`].
    pub async fn wait_or_release(
        self,
        stop: &CancellationToken,
        leave: &CancellationToken,
    ) -> Option<ProcessOutcome<Option<ProcessEnding>>> {
        self.running.wait_or_release(stop, leave).await
    }

    /// Continues as a normal supervised process.
    pub fn into_supervised(self) -> SupervisedProcess {
        self.running
    }

    /// Leaves the program running for the next server.
    pub async fn release(self) {
        self.running.release().await;
    }
}
