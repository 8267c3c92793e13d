//! `forge agent acp-bridge`: the server starts it, not users.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use forge_agent::{
    AcpConversation, AcpStopReason, SafeArgument, TranscriptEventBody, TurnControl, run_acp_bridge,
};
use forge_domain::PermissionPolicy;
use rustix::fs::inotify;
use serde::Deserialize;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::stop_signals::StopSignals;

/// Run one execution of an agent that speaks the Agent Client Protocol, and print its events as JSON lines.
///
/// Messages for the running agent are read from a file beside the prompt file, with the suffix .controls: JSON lines
/// {"id": "…", "steer": "text"}, appended at any time.
#[derive(Debug, Args)]
#[command(override_usage = "forge agent acp-bridge [OPTIONS] -- <COMMAND>...")]
pub(crate) struct AcpBridgeArgs {
    /// File that contains the prompt
    #[arg(long, value_name = "FILE")]
    prompt_file: PathBuf,
    /// Session to continue
    #[arg(long, value_name = "SESSION", value_parser = |text: &str| SafeArgument::new(text))]
    resume: Option<SafeArgument>,
    /// What the agent may do without asking: plan, edit or full
    #[arg(long, value_parser = parse_policy)]
    policy: PermissionPolicy,
    /// The agent's program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

fn parse_policy(text: &str) -> Result<PermissionPolicy, String> {
    let all = [PermissionPolicy::Plan, PermissionPolicy::Edit, PermissionPolicy::Full];
    let found = all.into_iter().find(|policy| policy.as_str() == text);
    found.ok_or_else(|| "the policies are plan, edit and full".to_owned())
}

/// One line of the controls file.
#[derive(Deserialize)]
struct ControlLine {
    id: Uuid,
    steer: String,
}

impl AcpBridgeArgs {
    pub(crate) async fn run(self, _context: &CliContext) -> Result<(), CliError> {
        let conversation = AcpConversation {
            directory: std::env::current_dir()?,
            resume: self.resume,
            prompt: tokio::fs::read_to_string(&self.prompt_file).await?,
            policy: self.policy,
        };
        let (sender, controls) = mpsc::channel(16);
        spawn_control_reader(self.prompt_file.with_extension("controls"), sender.clone());
        let mut signals = StopSignals::listen()?;
        tokio::spawn(async move {
            signals.next().await;
            let _ = sender.send(TurnControl::Cancel).await;
        });
        let talk = run_acp_bridge(&self.command, conversation, controls, print_event);
        match Box::pin(talk).await {
            Ok(AcpStopReason::Done) => Ok(()),
            Ok(AcpStopReason::StoppedEarly) => {
                Err(CliError::local("the agent stopped before it finished"))
            }
            Ok(AcpStopReason::Cancelled) => Err(CliError::interrupted()),
            Err(error) => Err(CliError::local(error.to_string())),
        }
    }
}

/// Follows the file as lines are appended. Runs on its own thread, because a runtime waits for its own readers when
/// it ends and this one may never return.
fn spawn_control_reader(controls: PathBuf, sender: mpsc::Sender<TurnControl>) {
    std::thread::spawn(move || {
        if let Err(error) = follow_controls(&controls, &sender) {
            let _ = writeln!(io::stderr(), "messages cannot reach the running agent: {error}");
        }
    });
}

fn follow_controls(controls: &Path, sender: &mpsc::Sender<TurnControl>) -> io::Result<()> {
    let mut file = match File::open(controls) {
        // Without a controls file (started by hand) there are no messages.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => BufReader::new(file?),
    };
    let kernel = inotify::init(inotify::CreateFlags::CLOEXEC)?;
    inotify::add_watch(&kernel, controls, inotify::WatchFlags::MODIFY)?;
    let mut buffer = [const { std::mem::MaybeUninit::uninit() }; 1024];
    let mut events = inotify::Reader::new(&kernel, &mut buffer);
    let (mut line, mut seen) = (String::new(), HashSet::new());
    loop {
        while file.read_line(&mut line)? > 0 && line.ends_with('\n') {
            let said = serde_json::from_str::<ControlLine>(&line);
            line.clear();
            let Ok(ControlLine { id, steer }) = said else { continue };
            let news = seen.insert(id);
            if news && sender.blocking_send(TurnControl::Steer { id, words: steer }).is_err() {
                return Ok(());
            }
        }
        events.next()?;
    }
}

fn print_event(body: &TranscriptEventBody) -> io::Result<()> {
    let mut line = serde_json::to_vec(body)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
