//! `forge agent acp-bridge`: started by the server, not by people.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use forge_agent::{Body, Control, Conversation, Policy, Stopped, Word, run_acp_bridge};
use rustix::fs::inotify;
use serde::Deserialize;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::context::Context;
use crate::failure::Failure;
use crate::signals::Signals;

/// Runs one turn of an agent that speaks the Agent Client Protocol, and prints its events as JSON lines.
///
/// Beside the file with the prompt, with the ending .controls, it finds what is said while the turn runs: JSON lines
/// {"id": "…", "steer": "words"}, added at any time.
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

/// A line of the file with what is said while the turn runs.
#[derive(Deserialize)]
struct Line {
    id: Uuid,
    steer: String,
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
        listen(self.prompt_file.with_extension("controls"), sender.clone());
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

/// Follows the file as lines are added to it. A thread of its own, because a runtime waits for its own readers when it
/// ends and this one may never return.
fn listen(controls: PathBuf, sender: mpsc::Sender<Control>) {
    std::thread::spawn(move || {
        if let Err(error) = follow(&controls, &sender) {
            let _ = writeln!(io::stderr(), "messages are not heard before the next turn: {error}");
        }
    });
}

fn follow(controls: &Path, sender: &mpsc::Sender<Control>) -> io::Result<()> {
    let mut file = match File::open(controls) {
        // Started by hand: nobody has anything to say.
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
            let said = serde_json::from_str::<Line>(&line);
            line.clear();
            let Ok(Line { id, steer }) = said else { continue };
            let news = seen.insert(id);
            if news && sender.blocking_send(Control::Steer { id, words: steer }).is_err() {
                return Ok(());
            }
        }
        events.next()?;
    }
}

fn print(body: &Body) -> io::Result<()> {
    let mut line = serde_json::to_vec(body)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
