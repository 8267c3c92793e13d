use std::ffi::OsString;
use std::time::Duration;

use rustix::process::Signal;
use tokio_util::sync::CancellationToken;

use crate::ended::Exit;
use crate::hurry::is_unhurried;
use crate::invocation::{Invocation, SpawnError};
use crate::leader::Leader;
use crate::outlet::Outlet;
use crate::running::feed;

const CHUNK: usize = 32 * 1024;
const TERM_GRACE: Duration = Duration::from_secs(2);

/// How much a short command may print and how long it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureLimits {
    /// More standard output than this is an error: half an answer is no answer.
    pub stdout: usize,
    /// Standard error beyond this is dropped.
    pub stderr: usize,
    /// After this time the command is ended.
    pub deadline: Duration,
}

/// A short command's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// How it left.
    pub exit: Exit,
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// The start of its standard error.
    pub stderr: Vec<u8>,
}

/// A short command that gave no result.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It did not start.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// It printed more than the limit and was ended.
    #[error(
        "{program:?} printed more than {limit} bytes and was ended; ask for less or raise the limit"
    )]
    TooMuchOutput {
        /// The program.
        program: OsString,
        /// The limit it passed.
        limit: usize,
    },
    /// It took too long and was ended.
    #[error(
        "{program:?} did not finish within {after:?} and was ended; try again when the machine is less busy"
    )]
    TimedOut {
        /// The program.
        program: OsString,
        /// The time it had.
        after: Duration,
    },
    /// The system failed us while it ran.
    #[error("{program:?} was lost: {source}")]
    System {
        /// The program.
        program: OsString,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Runs a short command in its own process group and collects what it prints. Dropping the future kills the group.
pub async fn capture(
    invocation: Invocation,
    limits: CaptureLimits,
) -> Result<Captured, CaptureError> {
    let program = invocation.program().to_owned();
    let system = |source| CaptureError::System { program: program.clone(), source };
    let refused = |source| SpawnError::System { program: program.clone(), source };
    let low_priority = invocation.is_low_priority();
    let (mut command, bytes) = invocation.into_command()?;
    let (mut stdout, stdout_writer) = Outlet::open().map_err(refused)?;
    let (mut stderr, stderr_writer) = Outlet::open().map_err(refused)?;
    command.stdout(stdout_writer).stderr(stderr_writer);
    let mut leader = Leader::start_group(command).map_err(refused)?;
    if low_priority {
        leader.lower_priority();
    } else if is_unhurried() {
        leader.stand_back();
    }
    let input = leader.take_stdin().zip(bytes);

    let ended = CancellationToken::new();
    let work = async {
        let exit = async {
            leader.ended().await;
            // Whoever is left of the group would write to files that the next command reads.
            leader.signal_group(Signal::KILL);
            ended.cancel();
            Ok(())
        };
        let input = async {
            if let Some((stdin, bytes)) = input {
                tokio::select! {
                    () = feed(stdin, bytes) => {}
                    () = ended.cancelled() => {}
                }
            }
            Ok(())
        };
        let output = async {
            let limit = limits.stdout;
            collect(&mut stdout, limit, Overflow::Refuse, &ended)
                .await
                .ok_or_else(|| CaptureError::TooMuchOutput { program: program.clone(), limit })
        };
        let errors = async {
            let kept = collect(&mut stderr, limits.stderr, Overflow::Drop, &ended).await;
            Ok(kept.unwrap_or_default())
        };
        tokio::try_join!(exit, input, output, errors)
    };
    match tokio::time::timeout(limits.deadline, work).await {
        Ok(Ok(((), (), stdout, stderr))) => {
            let status = leader.reap().await.map_err(system)?;
            Ok(Captured { exit: status.into(), stdout, stderr })
        }
        Ok(Err(error)) => Err(error),
        Err(_) => {
            // A program that is asked first removes its lock files.
            leader.signal_group(Signal::TERM);
            tokio::time::timeout(TERM_GRACE, leader.ended()).await.ok();
            leader.signal_group(Signal::KILL);
            leader.reap().await.map_err(system)?;
            Err(CaptureError::TimedOut { program, after: limits.deadline })
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overflow {
    Refuse,
    Drop,
}

/// `None` when the limit was passed and that is to be refused.
async fn collect(
    outlet: &mut Outlet,
    limit: usize,
    overflow: Overflow,
    ended: &CancellationToken,
) -> Option<Vec<u8>> {
    let mut collected = Vec::new();
    let mut buffer = vec![0; CHUNK];
    loop {
        let count = outlet.read(&mut buffer, ended).await;
        let chunk = match buffer.get(..count) {
            None | Some([]) => return Some(collected),
            Some(chunk) => chunk,
        };
        let room = limit - collected.len();
        if chunk.len() > room && overflow == Overflow::Refuse {
            return None;
        }
        collected.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
    }
}
