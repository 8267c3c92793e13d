use std::time::Duration;

use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::ended::{Ended, Ending, Exit};
use crate::identity::ProcessIdentity;
use crate::invocation::SpawnError;
use crate::leader::Leader;
use crate::log::{Log, LogSummary};
use crate::outlet::Outlet;
use crate::spec::Spec;
use crate::sweep::Sweep;
use crate::table::Row;
use crate::tag::Tag;
use crate::tree::Tree;
use crate::usage;

const SAMPLE_EVERY: Duration = Duration::from_millis(500);

/// A run under way. Dropping it without [`Running::wait`] kills its process group at once.
#[derive(Debug)]
pub struct Running {
    leader: Leader,
    identity: ProcessIdentity,
    tree: Tree,
    started: Instant,
    deadline: Option<Duration>,
    grace: Duration,
    output: JoinHandle<LogSummary>,
    output_ended: DropGuard,
    input: Option<JoinHandle<()>>,
}

/// Starts a run in its own session. When this returns, the program runs.
pub async fn spawn(spec: Spec) -> Result<Running, SpawnError> {
    let program = spec.invocation.program().to_owned();
    let system = |source| SpawnError::System { program: program.clone(), source };
    let (mut command, bytes) = spec.invocation.marked(&spec.mark).into_command()?;
    let log = Log::open(&spec.log, spec.log_cap, spec.tail)
        .await
        .map_err(|source| SpawnError::Log { path: spec.log.clone(), source })?;
    let (outlet, writer) = Outlet::open().map_err(system)?;
    // One pipe for both streams keeps the order in which they were written.
    command.stdout(writer.try_clone().map_err(system)?);
    command.stderr(writer);
    let mut leader = Leader::start_session(command, Tag::of(&spec.mark)).map_err(system)?;
    let identity = ProcessIdentity::of(leader.pid()).ok_or_else(|| {
        system(std::io::Error::other("/proc does not show the process; is it mounted?"))
    })?;
    let ended = CancellationToken::new();
    let output = tokio::spawn(log.drain(outlet, ended.clone()));
    let input =
        bytes.zip(leader.take_stdin()).map(|(bytes, stdin)| tokio::spawn(feed(stdin, bytes)));
    tracing::debug!(pid = identity.pid, mark = %spec.mark, ?program, "started");
    Ok(Running {
        tree: Tree::of_leader(spec.mark, identity.pid),
        leader,
        identity,
        started: Instant::now(),
        deadline: spec.deadline,
        grace: spec.grace,
        output,
        output_ended: ended.drop_guard(),
        input,
    })
}

/// Writes a child's input. One that ends without reading it all is not at fault.
pub(crate) async fn feed(mut stdin: ChildStdin, bytes: Vec<u8>) {
    if let Err(error) = stdin.write_all(&bytes).await {
        tracing::debug!(%error, "a child did not read all of its input");
    }
}

enum Cause {
    Left,
    Deadline,
    Stop,
}

impl Running {
    /// Which process it is; store it to recognise the run after a restart.
    pub fn identity(&self) -> &ProcessIdentity {
        &self.identity
    }

    /// Waits for the program itself, its deadline or the stop, then ends whatever is left of its tree.
    pub async fn wait(mut self, stop: &CancellationToken) -> Ended {
        let (cause, peak_memory_kib) = self.watch(stop).await;
        // A program that left is a zombie now, so its session number is still only its own.
        let sweep = Sweep::of(&self.tree, self.grace).await;
        let own_ticks = Row::load(self.identity.pid).map_or(0, |row| row.cpu_ticks);
        let exit = self.collect_exit(&sweep).await;
        if let Some(input) = &self.input {
            input.abort();
        }
        drop(self.output_ended);
        let log = self.output.await.unwrap_or_else(|error| LogSummary {
            failure: Some(error.to_string()),
            ..LogSummary::default()
        });
        Ended {
            ending: match cause {
                Cause::Left => exit.into(),
                Cause::Deadline => Ending::TimedOut,
                Cause::Stop => Ending::Stopped,
            },
            tail: log.tail,
            log_bytes: log.bytes,
            truncated: log.truncated,
            log_failure: log.failure,
            duration: self.started.elapsed(),
            cpu_time: usage::ticks(own_ticks + sweep.cpu_ticks),
            peak_memory_kib,
            stragglers: sweep.ended,
            left_alive: sweep.left,
        }
    }

    async fn watch(&mut self, stop: &CancellationToken) -> (Cause, Option<u64>) {
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
                () = self.leader.ended() => return (Cause::Left, peak),
                () = stop.cancelled() => return (Cause::Stop, peak),
                () = &mut deadline => return (Cause::Deadline, peak),
                _ = samples.tick() => peak = peak.max(usage::memory_kib(&self.tree.glance().await)),
            }
        }
    }

    async fn collect_exit(&mut self, sweep: &Sweep) -> Exit {
        if sweep.left.contains(&self.identity.pid) {
            // Reaping would hang with it; the kernel reaps it for us when it lets go.
            return Exit::Signal(Signal::KILL.as_raw());
        }
        match self.leader.reap().await {
            Ok(status) => status.into(),
            Err(error) => {
                tracing::error!(pid = self.identity.pid, %error, "an exit status was lost");
                Exit::Code(255)
            }
        }
    }
}
