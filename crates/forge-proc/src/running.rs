use std::io::PipeWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::chief::Chief;
use crate::ended::{Ended, Ending};
use crate::identity::ProcessIdentity;
use crate::invocation::{Invocation, SpawnError};
use crate::keeper;
use crate::leader::Leader;
use crate::log::Log;
use crate::outlet::Outlet;
use crate::output::Output;
use crate::relay::{self, Layout, Relay, spool_of};
use crate::site::{Astray, Site};
use crate::spec::Spec;
use crate::spool::Spool;
use crate::sweep::Sweep;
use crate::tag::Tag;
use crate::tree::Tree;
use crate::usage;

const SAMPLE_EVERY: Duration = Duration::from_millis(500);

/// The shell's code for "nobody knows".
const UNKNOWN_CODE: i32 = 255;

/// A run under way. Dropping it without [`Running::wait`] kills its process group at once.
#[derive(Debug)]
pub struct Running {
    pub(crate) chief: Chief,
    pub(crate) identity: ProcessIdentity,
    pub(crate) tree: Tree,
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) output: Output,
    pub(crate) relay: Option<(Relay, PathBuf)>,
    pub(crate) input: Option<JoinHandle<()>>,
}

/// Where the output of a run comes from.
enum Source {
    Pipe(Outlet),
    Spool(Spool),
}

/// Starts a run in its own session. When this returns, the program runs.
pub async fn spawn(spec: Spec) -> Result<Running, SpawnError> {
    let program = spec.invocation.program().to_owned();
    let search_path = spec.invocation.search_path();
    let system = |source| SpawnError::System { program: program.clone(), source };
    let invocation = spec.invocation.marked(&spec.mark);
    let log = Log::open(&spec.log, spec.log_cap, spec.tail)
        .map_err(|source| SpawnError::Log { path: spec.log.clone(), source })?;
    let spool = spool_of(&spec.log);
    let (invocation, kept) = match spec.adoptable {
        true => invocation.kept(&keeper::note_in(&spool))?,
        false => (invocation, false),
    };
    let (source, writer, relay) = if spec.adoptable {
        let (reader, writer) = std::io::pipe().map_err(system)?;
        let layout = Layout::new(log.size(), spec.log_cap, spec.tail);
        let relay = Relay::start(reader.into(), &spool, layout, &search_path)?;
        let source = Source::Spool(Spool::open(&spool, layout, 0));
        (source, writer, Some((relay, spool)))
    } else {
        let (outlet, writer) = Outlet::open().map_err(system)?;
        (Source::Pipe(outlet), writer, None)
    };
    let input = relay.as_ref().map(|(_, spool)| spool.join("input"));
    let begun = begin(invocation, input.as_deref(), writer, Tag::of(&spec.mark));
    let (mut leader, bytes) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            if let Some((relay, spool)) = relay {
                relay.finish().await;
                relay::clear(&spool).ok();
            }
            return Err(error);
        }
    };
    let identity = ProcessIdentity::of(leader.pid()).ok_or_else(|| {
        system(std::io::Error::other("/proc does not show the process; is it mounted?"))
    })?;
    leader.give_way();
    let output = match source {
        Source::Pipe(outlet) => Output::of_pipe(log, outlet),
        Source::Spool(spool) => Output::of_spool(log, spool),
    };
    let input =
        bytes.zip(leader.take_stdin()).map(|(bytes, stdin)| tokio::spawn(feed(stdin, bytes)));
    tracing::debug!(pid = identity.pid, mark = %spec.mark, ?program, "started");
    Ok(Running {
        tree: Tree::of_leader(spec.mark, &identity).kept(kept),
        chief: Chief::Own(leader),
        identity,
        started: Instant::now(),
        deadline: spec.deadline,
        grace: spec.grace,
        output,
        relay,
        input,
    })
}

/// Starts the program, and says what is to be written to its input.
fn begin(
    invocation: Invocation,
    input: Option<&Path>,
    writer: PipeWriter,
    tag: Tag,
) -> Result<(Leader, Option<Vec<u8>>), SpawnError> {
    let program = invocation.program().to_owned();
    let system = |source| SpawnError::System { program: program.clone(), source };
    let invocation = match input {
        // Our end of a pipe would break with us, in the middle of a prompt.
        Some(path) => invocation.input_in(path).map_err(system)?,
        None => invocation,
    };
    let (mut command, bytes) = invocation.into_command()?;
    // One pipe for both streams keeps the order in which they were written.
    command.stdout(writer.try_clone().map_err(system)?);
    command.stderr(writer);
    Ok((Leader::start_session(command, tag).map_err(system)?, bytes))
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

/// Why a run is over for us, and the most memory it was seen to have.
type Watched = (Cause, Option<u64>);

impl Running {
    /// Which process it is; store it to recognise the run after a restart.
    pub fn identity(&self) -> &ProcessIdentity {
        &self.identity
    }

    /// Tells the size of the log file whenever it has grown, and closes when nothing more is written to it.
    pub fn log_grows(&self) -> watch::Receiver<u64> {
        self.output.grows()
    }

    /// Whether the program stands where it should. Ask right after the start, before the run counts as begun; when it
    /// does not, dropping this ends it.
    pub fn verify(&self, site: &Site) -> Result<(), Astray> {
        site.verify(&self.identity)
    }

    /// Waits for the program itself, its deadline or the stop, then ends whatever is left of its tree.
    pub async fn wait(mut self, stop: &CancellationToken) -> Ended {
        let watched = self.watch(stop).await;
        let ended = self.conclude(watched).await;
        ended.map(|ending| ending.unwrap_or(Ending::Exited(UNKNOWN_CODE)))
    }

    /// The same, unless it is to be left to the next server first, as by [`Running::let_go`]: then there is no end to
    /// tell. The ending is `None` when the program left by itself and nobody is there to say how.
    pub async fn wait_or_let_go(
        mut self,
        stop: &CancellationToken,
        leave: &CancellationToken,
    ) -> Option<Ended<Option<Ending>>> {
        match leave.run_until_cancelled(self.watch(stop)).await {
            Some(watched) => Some(self.conclude(watched).await),
            None => {
                self.let_go().await;
                None
            }
        }
    }

    /// Leaves it to the next server, which may [`crate::adopt`] it. Only a run that was started to be adoptable goes
    /// on unharmed.
    pub async fn let_go(self) {
        self.chief.let_go();
        if let Some((relay, _)) = self.relay {
            relay.let_go();
        }
        self.output.let_go().await;
    }

    async fn conclude(mut self, (cause, peak_memory_kib): Watched) -> Ended<Option<Ending>> {
        // A program that left is a zombie now, so its session number is still only its own.
        let sweep = Sweep::of(&self.tree, self.grace).await;
        let own_ticks = self.identity.row().map_or(0, |row| row.cpu_ticks);
        // Reaping one that hangs in the kernel would hang with it; it is reaped for us when the kernel lets go.
        let hangs = sweep.left.contains(&self.identity.pid);
        let exit = if hangs { None } else { self.chief.collect().await };
        let noted = self.relay.as_ref().and_then(|(_, spool)| keeper::load_note(spool));
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
        if let Some(Err(error)) = spool.as_deref().map(relay::clear) {
            tracing::warn!(?spool, %error, "what is read already could not be removed");
        }
        Ended {
            ending: match cause {
                Cause::Left => noted.or(exit).map(Ending::from),
                Cause::Deadline => Some(Ending::TimedOut),
                Cause::Stop => Some(Ending::Stopped),
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

    async fn watch(&mut self, stop: &CancellationToken) -> Watched {
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
                () = self.chief.ended() => return (Cause::Left, peak),
                () = stop.cancelled() => return (Cause::Stop, peak),
                () = &mut deadline => return (Cause::Deadline, peak),
                _ = samples.tick() => peak = peak.max(self.tree.glance().await),
            }
        }
    }
}
