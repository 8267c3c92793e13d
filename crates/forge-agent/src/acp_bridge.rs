//! Runs an agent that speaks the protocol and prints our events. The bridge is itself a supervised program, so such a
//! turn survives a server's death like any other.

use crate::acp::{AcpError, Control, Conversation, Stopped, converse};
use crate::stream::Body;
use std::io;
use std::process::Stdio;
use tokio::sync::mpsc;

/// How many events may wait to be printed before the agent is made to wait.
const WAITING: usize = 256;

/// A turn that the bridge could not bring to its end.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// There is nothing to start.
    #[error("the bridge needs the agent's command after --")]
    NoCommand,
    /// The agent did not start.
    #[error("{program:?} could not be started: {source}")]
    Spawn {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// The events cannot be printed.
    #[error("the events cannot be printed: {0}")]
    Print(#[from] io::Error),
    /// The conversation broke off.
    #[error(transparent)]
    Acp(#[from] AcpError),
}

/// Starts the agent in this process's directory and environment, speaks with it and prints each event as it comes.
pub async fn run_acp_bridge(
    command: &[String],
    conversation: Conversation,
    controls: mpsc::Receiver<Control>,
    mut print: impl FnMut(&Body) -> io::Result<()>,
) -> Result<Stopped, BridgeError> {
    let (program, arguments) = command.split_first().ok_or(BridgeError::NoCommand)?;
    let spawn = |source| BridgeError::Spawn { program: program.clone(), source };
    #[expect(
        clippy::disallowed_methods,
        reason = "forge-proc supervises the bridge; the agent inherits its mark and is found with it"
    )]
    let mut starting = tokio::process::Command::new(program);
    starting
        .args(arguments)
        .current_dir(&conversation.directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    let mut agent = starting.spawn().map_err(spawn)?;
    let missing = || spawn(io::Error::other("its standard streams are not ours"));
    let outgoing = agent.stdin.take().ok_or_else(missing)?;
    let incoming = agent.stdout.take().ok_or_else(missing)?;
    let (events, mut heard) = mpsc::channel(WAITING);
    let talk = converse(outgoing, incoming, conversation, controls, events);
    // Even when nobody reads any more the events are taken, or the agent would wait for us forever.
    let printing = async {
        let mut printed = Ok(());
        while let Some(body) = heard.recv().await {
            if printed.is_ok() {
                printed = print(&body);
            }
        }
        printed
    };
    let (stopped, printed) = tokio::join!(talk, printing);
    if let Err(error) = &stopped {
        print(&Body::error(error.to_string()))?;
    }
    printed?;
    Ok(stopped?)
}
