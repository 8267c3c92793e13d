//! The command `forge why`.

use clap::Args;
use forge_api::{TaskWaiting, WaitCode, WaitsFor};

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::next_steps;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// Show what a task waits for, and what to do next
///
/// It works in every state: queued, in progress, in its checks, in review, landing, parked, ended.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    #[command(flatten)]
    target: TaskTarget,
}

impl WhyArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let why = client.tasks().fetch_wait(task).await?;
        context.output.print_result(&why, || describe_waiting(context, &why))
    }
}

/// What a task waits for, its reasons, and the next commands.
pub(crate) fn describe_waiting(context: &CliContext, why: &TaskWaiting) -> String {
    let key = context.output.styled(TextStyle::Bold, &one_line(&why.key));
    let status = one_line(&why.status);
    let mut text = format!("{key}  {status}  {}\n", headline(why.waits_for));
    let ink = match why.waits_for {
        WaitsFor::Person => TextStyle::Error,
        WaitsFor::Queueing | WaitsFor::Agent | WaitsFor::Time => TextStyle::Warning,
        _ => TextStyle::Success,
    };
    text.push_str(&next_steps::wrap_lines(&one_line(&why.message), |line| {
        format!("  {}\n", context.output.styled(ink, line))
    }));
    text.push_str(&next_steps::list_files(&why.files));
    for reason in why.reasons.iter().filter(|reason| reason.message != why.message) {
        let ink = if reason.code == WaitCode::NextInLine {
            TextStyle::Success
        } else {
            TextStyle::Warning
        };
        text.push_str(&next_steps::wrap_lines(&one_line(&reason.message), |line| {
            format!("  {}\n", context.output.styled(ink, line))
        }));
    }
    text.push_str(&next_steps::list_steps(context, &why.next));
    text
}

fn headline(waits_for: WaitsFor) -> &'static str {
    match waits_for {
        WaitsFor::Person => "waits for a person",
        WaitsFor::Queueing => "is not queued",
        WaitsFor::Agent => "waits for an agent",
        WaitsFor::Execution => "is being worked on",
        WaitsFor::Checks => "is being checked",
        WaitsFor::Landing => "is landing",
        WaitsFor::Server => "waits for the server",
        WaitsFor::Time => "continues automatically",
        WaitsFor::Turns => "waits for its turns",
        WaitsFor::Nothing => "waits for nothing",
    }
}
