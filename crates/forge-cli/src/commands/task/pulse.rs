//! `forge task pulse`

use clap::Args;
use forge_api::Pulse as Found;

use super::last_run::LastRun;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::{one_line, plain_text};
use crate::words::{time, word};

/// Show how a task's run is doing: its last sign of life, what it said, what it changes
#[derive(Debug, Args)]
pub(crate) struct Pulse {
    #[command(flatten)]
    run: LastRun,
}

impl Pulse {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let pulse = client.fetch_pulse(id).await?;
        context.output.result(&pulse, || described(context, &pulse))
    }
}

fn described(context: &Context, pulse: &Found) -> String {
    let status = context.output.ink(Ink::Strong, &word(&pulse.execution.status));
    let mut text = format!("{status}  run {}\n", pulse.execution.id);
    let mut line = |name: &str, value: String| text.push_str(&format!("  {name:<14}{value}\n"));
    match (&pulse.last_activity_at, pulse.silent_seconds) {
        (Some(at), Some(seconds)) => {
            line("sign of life", format!("{}, {seconds} s ago", time(at)));
        }
        _ => line("sign of life", "none yet".to_owned()),
    }
    if let Some(since) = &pulse.stalled_since {
        line("stalled", format!("since {}", time(since)));
    }
    if let Some(tool) = &pulse.current_tool {
        line("tool", one_line(tool));
    }
    if let Some(tokens) = &pulse.tokens {
        line("tokens", format!("{} read, {} written", tokens.input, tokens.output));
    }
    for file in &pulse.files {
        line("changing", one_line(file));
    }
    if pulse.more_files {
        line("changing", "…".to_owned());
    }
    for said in plain_text(&pulse.last_output).lines() {
        text.push_str(&format!("  | {said}\n"));
    }
    text
}
