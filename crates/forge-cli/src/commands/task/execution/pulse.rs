//! The command `forge task pulse`.

use clap::Args;
use forge_api::ExecutionPulse as Found;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::{readable_age, wire_name};

/// Show the last activity of a task's execution
///
/// Last sign of life, current tool, tokens, last output and changed files.
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
    let elapsed = pulse.execution.started_at.as_deref().map(|at| context.now.elapsed(at));
    let elapsed = elapsed.map(|elapsed| format!(" for {elapsed}")).unwrap_or_default();
    let mut text = format!("{status}{elapsed}\n");
    let mut line = |name: &str, value: String| text.push_str(&format!("  {name:<14}{value}\n"));
    match pulse.silent_seconds {
        Some(seconds) => {
            line("last sign", format!("{} ago", readable_age(seconds)));
        }
        None => line("last sign", "none yet".to_owned()),
    }
    if let Some(since) = &pulse.stalled_since {
        line("stalled", format!("for {}", context.now.elapsed(since)));
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
