use std::io::PipeWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::adoption::ending_record;
use crate::adoption::exit_record;
use crate::call::invocation::{ProgramInvocation, SpawnError};
use crate::output::log_writer::LogWriter;
use crate::output::output_log::OutputLog;
use crate::output::output_pipe::OutputPipe;
use crate::output::output_relay;
use crate::output::output_relay::{OutputRelay, SpoolLayout, spool_dir};
use crate::output::spool_reader::SpoolReader;
use crate::supervise::expected_workdir::{ExpectedWorkdir, WorkdirError};
use crate::supervise::owned_child::OwnedChild;
use crate::supervise::process_outcome::{ProcessEnding, ProcessOutcome};
use crate::supervise::root_process::RootProcess;
use crate::supervise::supervision_spec::SupervisionSpec;
use crate::supervise::usage;
use crate::tree::limit_tag::LimitTag;
use crate::tree::process_identity::ProcessIdentity;
use crate::tree::process_tree::ProcessTree;
use crate::tree::tree_sweep::TreeSweep;

const SAMPLE_EVERY: Duration = Duration::from_millis(500);

/// The shell's code for an unknown exit.
const UNKNOWN_CODE: i32 = 255;

/// A program under supervision. Dropping it without [`SupervisedProcess::wait`] kills its process group at once.
#[derive(Debug)]
pub struct SupervisedProcess {
    pub(crate) root: RootProcess,
    pub(crate) identity: ProcessIdentity,
    pub(crate) tree: ProcessTree,
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) output: LogWriter,
    pub(crate) relay: Option<(OutputRelay, PathBuf)>,
    pub(crate) input: Option<JoinHandle<()>>,
}

/// Where the output of a program comes from.
enum OutputSource {
    Pipe(OutputPipe),
    Spool(SpoolReader),
}

/// Starts a program in its own session. When this returns, the program runs.
pub async fn spawn(spec: SupervisionSpec) -> Result<SupervisedProcess, SpawnError> {
    let program = spec.invocation.program().to_owned();
    let search_path = spec.invocation.search_path();
    let system = |source| SpawnError::System { program: program.clone(), source };
    let invocation = spec.invocation.with_mark(&spec.mark);
    let log = OutputLog::open(&spec.log, spec.log_cap, spec.tail)
        .map_err(|source| SpawnError::Log { path: spec.log.clone(), source })?;
    let spool = spool_dir(&spec.log);
    let (invocation, kept) = match spec.adoptable {
        true => invocation.with_exit_recorder(&exit_record::record_path(&spool))?,
        false => (invocation, false),
    };
    let (source, writer, relay) = if spec.adoptable {
        let (reader, writer) = std::io::pipe().map_err(system)?;
        let layout = SpoolLayout::new(log.size(), spec.log_cap, spec.tail);
        let relay = OutputRelay::start(reader.into(), &spool, layout, &search_path)?;
        let source = OutputSource::Spool(SpoolReader::open(&spool, layout, 0));
        (source, writer, Some((relay, spool)))
    } else {
        let (outlet, writer) = OutputPipe::open().map_err(system)?;
        (OutputSource::Pipe(outlet), writer, None)
    };
    let input = relay.as_ref().map(|(_, spool)| spool.join("input"));
    let begun = start_program(invocation, input.as_deref(), writer, LimitTag::of(&spec.mark));
    let (mut leader, bytes) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            if let Some((relay, spool)) = relay {
                relay.finish().await;
                output_relay::remove_spool(&spool).ok();
            }
            return Err(error);
        }
    };
    let identity = ProcessIdentity::of(leader.pid()).ok_or_else(|| {
        system(std::io::Error::other("/proc does not show the process; is it mounted?"))
    })?;
    if let Some((_, spool)) = &relay {
        output_relay::write_program(spool, &identity).map_err(system)?;
    }
    leader.share_background_priority();
    let output = match source {
        OutputSource::Pipe(outlet) => LogWriter::of_pipe(log, outlet),
        OutputSource::Spool(spool) => LogWriter::of_spool(log, spool),
    };
    let input = bytes
        .zip(leader.take_stdin())
        .map(|(bytes, stdin)| tokio::spawn(write_stdin(stdin, bytes)));
    tracing::debug!(pid = identity.pid, mark = %spec.mark, ?program, "started process");
    Ok(SupervisedProcess {
        tree: ProcessTree::of_owned(spec.mark, &identity).with_exit_recorder(kept),
        root: RootProcess::Owned(leader),
        identity,
        started: Instant::now(),
        deadline: spec.deadline,
        grace: spec.grace,
        output,
        relay,
        input,
    })
}

/// Starts the program, and returns the bytes to write to its standard input.
fn start_program(
    invocation: ProgramInvocation,
    input: Option<&Path>,
    writer: PipeWriter,
    tag: LimitTag,
) -> Result<(OwnedChild, Option<Vec<u8>>), SpawnError> {
    let program = invocation.program().to_owned();
    let system = |source| SpawnError::System { program: program.clone(), source };
    let invocation = match input {
        // A pipe from this process would break when the server dies, in the middle of a prompt.
        Some(path) => invocation.with_input_file(path).map_err(system)?,
        None => invocation,
    };
    let (mut command, bytes) = invocation.into_command()?;
    // One pipe for both streams keeps the order in which they were written.
    command.stdout(writer.try_clone().map_err(system)?);
    command.stderr(writer);
    Ok((OwnedChild::start_session(command, tag).map_err(system)?, bytes))
}

/// Writes a child's standard input. A child that ends without reading all of it is not at fault.
pub(crate) async fn write_stdin(mut stdin: ChildStdin, bytes: Vec<u8>) {
    if let Err(error) = stdin.write_all(&bytes).await {
        tracing::debug!(%error, "child did not read all of its input");
    }
}

enum EndCause {
    Exited,
    Deadline,
    Stop,
}

/// Why the wait ended, and the largest sampled memory of the tree.
type WatchResult = (EndCause, Option<u64>);

impl SupervisedProcess {
    /// Identity of the root process; store it to recognise the program after a restart.
    pub fn identity(&self) -> &ProcessIdentity {
        &self.identity
    }

    /// Sends the size of the log file whenever it has grown, and closes when nothing more is written to it.
    pub fn watch_log_size(&self) -> watch::Receiver<u64> {
        self.output.watch_size()
    }

    /// Checks that the program works in the expected directory. Call it right after the start, before the execution
    /// counts as started; on an error, dropping this value ends the program.
    pub fn verify(&self, site: &ExpectedWorkdir) -> Result<(), WorkdirError> {
        site.verify(&self.identity)
    }

    /// Waits for the program itself, its deadline or the stop request, then ends the rest of its tree.
    pub async fn wait(mut self, stop: &CancellationToken) -> ProcessOutcome {
        let watched = self.watch(stop).await;
        let ended = self.finish(watched).await;
        ended.map(|ending| ending.unwrap_or(ProcessEnding::Exited(UNKNOWN_CODE)))
    }

    /// The same, unless `leave` is cancelled first: then the program is released as by [`SupervisedProcess::release`]
    /// and there is no outcome. The ending is `None` when the program exited by itself and its exit is unknown.
    pub async fn wait_or_release(
        mut self,
        stop: &CancellationToken,
        leave: &CancellationToken,
    ) -> Option<ProcessOutcome<Option<ProcessEnding>>> {
        match leave.run_until_cancelled(self.watch(stop)).await {
            Some(watched) => Some(self.finish(watched).await),
            None => {
                self.release().await;
                None
            }
        }
    }

    /// Leaves the program to the next server, which may [`crate::adopt`] it. Only an adoptable program continues
    /// unharmed.
    pub async fn release(self) {
        self.root.release();
        if let Some((relay, _)) = self.relay {
            relay.release();
        }
        self.output.release().await;
    }

    async fn finish(
        mut self,
        (cause, peak_memory_kib): WatchResult,
    ) -> ProcessOutcome<Option<ProcessEnding>> {
        let own = match cause {
            EndCause::Exited => None,
            EndCause::Deadline => Some(ProcessEnding::TimedOut),
            EndCause::Stop => Some(ProcessEnding::Stopped),
        };
        // Recorded before any process is ended: a server that dies from here on leaves the reason behind.
        self.record_ending(own);
        // An exited program is a zombie now, so its session number cannot have been reused.
        let sweep = TreeSweep::run(&self.tree, self.grace).await;
        let own_ticks = self.identity.row().map_or(0, |row| row.cpu_ticks);
        // Reaping a process that hangs in the kernel would block; it is reaped as an orphan when the kernel releases
        // it.
        let hangs = sweep.survivors.contains(&self.identity.pid);
        let exit = if hangs { None } else { self.root.collect_exit().await };
        let noted = self.relay.as_ref().and_then(|(_, spool)| exit_record::load_exit(spool));
        let ending = own.or(noted.or(exit).map(ProcessEnding::from));
        if noted.is_none() && own.is_none() {
            self.record_ending(ending);
        }
        if let Some(input) = &self.input {
            input.abort();
        }
        let spool = match self.relay {
            Some((relay, spool)) => {
                relay.finish().await;
                Some(spool)
            }
            None => None,
        };
        let log = self.output.finish().await;
        if let Some(Err(error)) = spool.as_deref().map(output_relay::mark_fully_read) {
            tracing::warn!(?spool, %error, "could not record that all output was read");
        }
        ProcessOutcome {
            ending,
            tail: log.tail,
            log_bytes: log.bytes,
            truncated: log.truncated,
            log_failure: log.failure,
            duration: self.started.elapsed(),
            cpu_time: usage::ticks_to_duration(own_ticks + sweep.cpu_ticks),
            peak_memory_kib,
            stragglers: sweep.ended,
            surviving_pids: sweep.survivors,
        }
    }

    fn record_ending(&self, ending: Option<ProcessEnding>) {
        if let (Some((_, spool)), Some(ending)) = (&self.relay, ending)
            && let Err(error) = ending_record::write(spool, ending)
        {
            tracing::warn!(pid = self.identity.pid, %error, "could not record how the process ended");
        }
    }

    async fn watch(&mut self, stop: &CancellationToken) -> WatchResult {
        let mut peak = None;
        let mut samples = interval(SAMPLE_EVERY);
        samples.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let until = self.deadline.map(|after| self.started + after);
        let deadline = async {
            match until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(deadline);
        loop {
            tokio::select! {
                biased;
                () = self.root.wait_for_exit() => return (EndCause::Exited, peak),
                () = stop.cancelled() => return (EndCause::Stop, peak),
                () = &mut deadline => return (EndCause::Deadline, peak),
                _ = samples.tick() => peak = peak.max(self.tree.sample_memory().await),
            }
        }
    }
}
