//! The command `forge task pulse`.

use clap::Args;
use forge_api::ExecutionPulse as Found;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::{readable_time, wire_name};

/// Show how a task's execution is doing: last activity, output and changed files
#[derive(Debug, Args)]
pub(crate) struct TaskPulseArgs {
    #[command(flatten)]
    run: ExecutionTarget,
}

impl TaskPulseArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let pulse = client.executions().fetch_pulse(id).await?;
        context.output.print_result(&pulse, || describe_pulse(context, &pulse))
    }
}

fn describe_pulse(context: &CliContext, pulse: &Found) -> String {
    let status = context.output.styled(TextStyle::Bold, &wire_name(&pulse.execution.status));
    let mut text = format!("{status}  run {}\n", pulse.execution.id);
    let mut line = |name: &str, value: String| text.push_str(&format!("  {name:<14}{value}\n"));
    match (&pulse.last_activity_at, pulse.silent_seconds) {
        (Some(at), Some(seconds)) => {
            line("sign of life", format!("{}, {seconds} s ago", readable_time(at)));
        }
        _ => line("sign of life", "none yet".to_owned()),
    }
    if let Some(since) = &pulse.stalled_since {
        line("stalled", format!("since {}", readable_time(since)));
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
