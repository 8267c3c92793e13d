//! `forge agent acp-bridge`: started by the server, not by people.

use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;

use clap::Args;
use forge_agent::{Body, Control, Conversation, Policy, Stopped, Word, run_acp_bridge};
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::context::Context;
use crate::failure::Failure;
use crate::signals::Signals;

/// Runs one turn of an agent that speaks the Agent Client Protocol, and prints its events as JSON lines.
///
/// Standard input takes JSON lines while the turn runs: {"steer": "words"} or {"cancel": true}.
#[derive(Debug, Args)]
pub(crate) struct AcpBridge {
    /// The file with the prompt
    #[arg(long, value_name = "FILE")]
    prompt_file: PathBuf,
    /// The session to continue
    #[arg(long, value_name = "SESSION", value_parser = |text: &str| Word::new(text))]
    resume: Option<Word>,
    /// What the agent is allowed when it asks: plan, edit or full
    #[arg(long, value_parser = policy)]
    policy: Policy,
    /// The agent's program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

fn policy(text: &str) -> Result<Policy, String> {
    let all = [Policy::Plan, Policy::Edit, Policy::Full];
    let found = all.into_iter().find(|policy| policy.as_str() == text);
    found.ok_or_else(|| "the policies are plan, edit and full".to_owned())
}

/// A line of standard input.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Steer(String),
    Cancel(bool),
}

impl AcpBridge {
    pub(crate) async fn run(self, _context: &Context) -> Result<(), Failure> {
        let conversation = Conversation {
            directory: std::env::current_dir()?,
            resume: self.resume,
            prompt: tokio::fs::read_to_string(&self.prompt_file).await?,
            policy: self.policy,
        };
        let (sender, controls) = mpsc::channel(16);
        listen(sender.clone());
        let mut signals = Signals::listen()?;
        tokio::spawn(async move {
            signals.next().await;
            let _ = sender.send(Control::Cancel).await;
        });
        let talk = run_acp_bridge(&self.command, conversation, controls, print);
        match Box::pin(talk).await {
            Ok(Stopped::Done) => Ok(()),
            Ok(Stopped::Short) => Err(Failure::local("the agent stopped before it was done")),
            Ok(Stopped::Cancelled) => Err(Failure::interrupted()),
            Err(error) => Err(Failure::local(error.to_string())),
        }
    }
}

// A thread of its own, because a runtime waits for its own readers when it ends and this one may never return.
fn listen(sender: mpsc::Sender<Control>) {
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let control = match serde_json::from_str(&line) {
                Ok(Line::Steer(words)) => Control::Steer(words),
                Ok(Line::Cancel(true)) => Control::Cancel,
                Ok(Line::Cancel(false)) | Err(_) => continue,
            };
            if sender.blocking_send(control).is_err() {
                return;
            }
        }
    });
}

fn print(body: &Body) -> io::Result<()> {
    let mut line = serde_json::to_vec(body)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
