use std::ffi::OsString;
use std::time::Duration;

use rustix::process::Signal;
use tokio_util::sync::CancellationToken;

use crate::call::background::is_background;
use crate::call::invocation::{ProgramInvocation, SpawnError};
use crate::output::output_pipe::OutputPipe;
use crate::supervise::owned_child::OwnedChild;
use crate::supervise::process_outcome::ProcessExit;
use crate::supervise::supervised_process::write_stdin;

const CHUNK: usize = 32 * 1024;
const TERM_GRACE: Duration = Duration::from_secs(2);

/// Limits on the output and the time of a short command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureLimits {
    /// More standard output than this is an error: a truncated answer is useless.
    pub stdout: usize,
    /// Standard error beyond this is dropped.
    pub stderr: usize,
    /// After this time the command is ended.
    pub deadline: Duration,
}

/// Result of a short command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedOutput {
    pub exit: ProcessExit,
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// The start of its standard error.
    pub stderr: Vec<u8>,
}

/// Why a short command gave no result.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The command did not start.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// It printed more than the limit and was ended.
    #[error(
        "{program:?} printed more than {limit} bytes and was ended; ask for less or raise the limit"
    )]
    TooMuchOutput { program: OsString, limit: usize },
    /// It took too long and was ended.
    #[error(
        "{program:?} did not finish within {after:?} and was ended; try again when the machine is less busy"
    )]
    TimedOut { program: OsString, after: Duration },
    /// A system call failed while the command ran.
    #[error("{program:?} could not be waited for: {source}")]
    System { program: OsString, source: std::io::Error },
}

/// Runs a short command in its own process group and collects its output. Dropping the future kills the group.
pub async fn capture(
    invocation: ProgramInvocation,
    limits: CaptureLimits,
) -> Result<CapturedOutput, CaptureError> {
    let program = invocation.program().to_owned();
    let system = |source| CaptureError::System { program: program.clone(), source };
    let refused = |source| SpawnError::System { program: program.clone(), source };
    let low_priority = invocation.is_low_priority();
    let (mut command, bytes) = invocation.into_command()?;
    let (mut stdout, stdout_writer) = OutputPipe::open().map_err(refused)?;
    let (mut stderr, stderr_writer) = OutputPipe::open().map_err(refused)?;
    command.stdout(stdout_writer).stderr(stderr_writer);
    let mut leader = OwnedChild::start_group(command).map_err(refused)?;
    if low_priority {
        leader.set_lowest_priority();
    } else if is_background() {
        leader.set_background_priority();
    }
    let input = leader.take_stdin().zip(bytes);

    let ended = CancellationToken::new();
    let work = async {
        let exit = async {
            leader.wait_for_exit().await;
            // Survivors of the group would write to files that the next command reads.
            leader.signal_group(Signal::KILL);
            ended.cancel();
            Ok(())
        };
        let input = async {
            if let Some((stdin, bytes)) = input {
                tokio::select! {
                    () = write_stdin(stdin, bytes) => {}
                    () = ended.cancelled() => {}
                }
            }
            Ok(())
        };
        let output = async {
            let limit = limits.stdout;
            collect(&mut stdout, limit, OverflowPolicy::Refuse, &ended)
                .await
                .ok_or_else(|| CaptureError::TooMuchOutput { program: program.clone(), limit })
        };
        let errors = async {
            let kept = collect(&mut stderr, limits.stderr, OverflowPolicy::Drop, &ended).await;
            Ok(kept.unwrap_or_default())
        };
        tokio::try_join!(exit, input, output, errors)
    };
    match tokio::time::timeout(limits.deadline, work).await {
        Ok(Ok(((), (), stdout, stderr))) => {
            let status = leader.reap().await.map_err(system)?;
            Ok(CapturedOutput { exit: status.into(), stdout, stderr })
        }
        Ok(Err(error)) => Err(error),
        Err(_) => {
            // TERM comes first so that the program can remove its lock files.
            leader.signal_group(Signal::TERM);
            tokio::time::timeout(TERM_GRACE, leader.wait_for_exit()).await.ok();
            leader.signal_group(Signal::KILL);
            leader.reap().await.map_err(system)?;
            Err(CaptureError::TimedOut { program, after: limits.deadline })
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OverflowPolicy {
    Refuse,
    Drop,
}

/// `None` when the limit was exceeded and the policy is to refuse.
async fn collect(
    outlet: &mut OutputPipe,
    limit: usize,
    overflow: OverflowPolicy,
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
        if chunk.len() > room && overflow == OverflowPolicy::Refuse {
            return None;
        }
        collected.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
    }
}
