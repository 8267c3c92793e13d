//! The command `forge task watch`.

use clap::Args;
use forge_api::{EventView, OutcomeView};

use crate::cli_error::CliError;
use crate::commands::task::progress::event_line::event_line;
use crate::commands::task::progress::task_follower::{FollowedState, TaskFollower};
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::terminal::next_steps;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// Follow a task until it ends or needs a person
///
/// Prints a line for each event as it happens; with --json a document for each, on its own line. The exit code is 0
/// when the task ended with success, 7 when it waits for a person, 8 when it failed or was cancelled.
#[derive(Debug, Args)]
pub(crate) struct TaskWatchArgs {
    #[command(flatten)]
    target: TaskTarget,
}

impl TaskWatchArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let mut follower = TaskFollower::start(&client, &task).await?;
        print_headline(context, &follower)?;
        loop {
            match follower.fetch_state().await? {
                FollowedState::Moving => print_event(context, &follower.next().await?)?,
                FollowedState::Ended(OutcomeView::Success) => {
                    return print_headline(context, &follower);
                }
                FollowedState::Ended(OutcomeView::Failure | OutcomeView::Cancelled) => {
                    print_headline(context, &follower)?;
                    return Err(CliError::already_printed(CliExit::Unsuccessful));
                }
                FollowedState::NeedsPerson => {
                    print_need(context, &follower).await?;
                    return Err(CliError::already_printed(CliExit::NeedsPerson));
                }
            }
        }
    }
}

fn print_event(context: &CliContext, event: &EventView) -> Result<(), CliError> {
    if context.output.is_json() {
        let document =
            serde_json::to_string(event).map_err(|error| CliError::local(error.to_string()))?;
        return context.output.print_text(&document);
    }
    context.output.print_text(&event_line(event))
}

/// Key, state and title; events alone are printed with --json.
fn print_headline(context: &CliContext, follower: &TaskFollower<'_>) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(());
    }
    let task = &follower.task;
    let key = context.output.styled(TextStyle::Bold, &task.key);
    context.output.print_text(&format!(
        "{key}  {}  {}",
        one_line(&task.status),
        one_line(&task.title)
    ))
}

/// Why the task waits for a person, and the next commands.
async fn print_need(context: &CliContext, follower: &TaskFollower<'_>) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(());
    }
    let why = follower.fetch_wait().await?;
    let mut text = format!(
        "{}  {}  waits for a person\n",
        context.output.styled(TextStyle::Bold, &one_line(&why.key)),
        one_line(&why.status)
    );
    text.push_str(&next_steps::wrap_lines(&one_line(&why.message), |line| format!("  {line}\n")));
    text.push_str(&next_steps::list_files(&why.files));
    text.push_str(&next_steps::list_steps(context, &why.next));
    context.output.print_text(&text)
}
