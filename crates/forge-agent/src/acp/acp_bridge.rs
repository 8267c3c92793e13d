//! Runs an agent that speaks ACP and prints log events. The bridge is itself a supervised program, so such an
//! execution survives the death of the server like any other.

use crate::acp::acp_conversation::{
    AcpConversation, AcpError, AcpStopReason, TurnControl, run_acp_conversation,
};
use crate::stream::TranscriptEventBody;
use std::io;
use std::process::Stdio;
use tokio::sync::mpsc;

/// How many events may wait to be printed before the agent is blocked.
const QUEUED_EVENTS: usize = 256;

/// Why the bridge could not complete an execution.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// No agent command was given.
    #[error("the bridge needs the agent's command after `--`")]
    NoCommand,
    /// The agent did not start.
    #[error("{program:?} could not be started: {source}")]
    Spawn { program: String, source: io::Error },
    /// The events cannot be printed.
    #[error("the events cannot be printed: {0}")]
    Print(#[from] io::Error),
    /// The conversation broke off.
    #[error(transparent)]
    Acp(#[from] AcpError),
}

/// Starts the agent in the directory and environment of this process, talks with it and prints each event as it
/// arrives.
pub async fn run_acp_bridge(
    command: &[String],
    conversation: AcpConversation,
    controls: mpsc::Receiver<TurnControl>,
    mut print: impl FnMut(&TranscriptEventBody) -> io::Result<()>,
) -> Result<AcpStopReason, BridgeError> {
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
    let missing = || spawn(io::Error::other("its standard streams are not piped"));
    let outgoing = agent.stdin.take().ok_or_else(missing)?;
    let incoming = agent.stdout.take().ok_or_else(missing)?;
    let (events, mut heard) = mpsc::channel(QUEUED_EVENTS);
    let talk = run_acp_conversation(outgoing, incoming, conversation, controls, events);
    // Events are received even when printing fails; otherwise the agent would block forever.
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
        print(&TranscriptEventBody::error(error.to_string()))?;
    }
    printed?;
    Ok(stopped?)
}
