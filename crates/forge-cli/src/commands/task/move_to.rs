//! The command `forge task move`.

use clap::Args;
use forge_api::{ReviewStatus, Task, TransitionRequest, TransitionResponse};
use forge_client::TransitionWait;

use crate::cli_error::CliError;
use crate::commands::task::gate::review_attempts::describe_attempt as described_attempt;
use crate::commands::task::task_outcome;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::terminal::next_steps;
use crate::terminal::text_table::one_line;

/// Move a task to another state
///
/// Entering a gate runs its checks, entering a merge state lands the branch; the command waits for both. If the gate
/// rejects the task, the exit code is 1.
#[derive(Debug, Args)]
pub(crate) struct TaskMoveArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// State to move it to
    state: String,
    /// Reason, for the history
    #[arg(long, short)]
    reason: Option<String>,
    /// Do not wait for checks or landing
    #[arg(long)]
    no_wait: bool,
}

impl TaskMoveArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let request = TransitionRequest {
            status: self.state,
            version: Some(task.version),
            reason: self.reason,
        };
        let waiting =
            if self.no_wait { TransitionWait::UntilRecorded } else { TransitionWait::UntilDone };
        let answer = client.tasks().move_to(task.id, &request, waiting).await?;
        print_moved(context, &answer)
    }
}

/// Prints the result of a move; an error if it led to a failure.
pub(crate) fn print_moved(
    context: &CliContext,
    answer: &TransitionResponse,
) -> Result<(), CliError> {
    context.output.print_result(answer, || describe_answer(context, answer))?;
    if has_failed(answer) { Err(CliError::already_printed(CliExit::Refused)) } else { Ok(()) }
}

/// Whether the move led to a failure: the checks failed, or the task is parked with a reason.
fn has_failed(answer: &TransitionResponse) -> bool {
    match answer {
        TransitionResponse::Gate { review, .. } => review.status == ReviewStatus::Failed,
        TransitionResponse::Task(task) => task.error_annotation.is_some(),
        TransitionResponse::Pending { .. } => false,
    }
}

fn describe_answer(context: &CliContext, answer: &TransitionResponse) -> String {
    match answer {
        TransitionResponse::Task(task) => headline(task),
        TransitionResponse::Pending { task, step } => {
            format!("{}\n  {} is still pending", headline(task), one_line(&step.kind))
        }
        TransitionResponse::Gate { task, review } => {
            format!("{}\n{}", headline(task), described_attempt(context, review, None))
        }
    }
}

fn headline(task: &Task) -> String {
    let why = task.error_annotation.as_ref().map(|annotation| {
        let files = task_outcome::trouble_files(annotation);
        let message =
            next_steps::wrap_lines(&one_line(&annotation.message), |line| format!("\n  {line}"));
        format!("{message}{files}")
    });
    let outcome = task_outcome::outcome_lines(task);
    format!("{}  {}{}{outcome}", task.key, one_line(&task.status), why.unwrap_or_default())
}
