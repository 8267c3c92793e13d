//! `forge task move`

use clap::Args;
use forge_api::{ReviewStatus, Task, TransitionAnswer, TransitionRequest};
use forge_client::Waiting;

use super::outcome;
use super::review::described as described_attempt;
use super::target::Target;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::one_line;

/// Move a task to another state
///
/// Entering a gate runs its checks, entering a merge state lands the branch; the command waits for either. When the
/// gate turns the task down the exit code is 1.
#[derive(Debug, Args)]
pub(crate) struct Move {
    #[command(flatten)]
    target: Target,
    /// The state to move it to
    state: String,
    /// Why, for the history
    #[arg(long, short)]
    reason: Option<String>,
    /// Do not wait for checks or landing
    #[arg(long)]
    no_wait: bool,
}

impl Move {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let request =
            TransitionRequest { status: self.state, version: task.version, reason: self.reason };
        let waiting = if self.no_wait { Waiting::ForRecord } else { Waiting::ForWork };
        let answer = client.move_task(task.id, &request, waiting).await?;
        context.output.result(&answer, || described(context, &answer))?;
        if has_failed(&answer) { Err(Failure::already_told(Exit::Refused)) } else { Ok(()) }
    }
}

/// Whether what the move set off went wrong: the checks failed, or the task is parked with a reason.
fn has_failed(answer: &TransitionAnswer) -> bool {
    match answer {
        TransitionAnswer::Gate { review, .. } => review.status == ReviewStatus::Failed,
        TransitionAnswer::Task(task) => task.error_annotation.is_some(),
        TransitionAnswer::Pending { .. } => false,
    }
}

fn described(context: &Context, answer: &TransitionAnswer) -> String {
    match answer {
        TransitionAnswer::Task(task) => headline(task),
        TransitionAnswer::Pending { task, step } => {
            format!("{}\n  {} is still to be done", headline(task), one_line(&step.kind))
        }
        TransitionAnswer::Gate { task, review } => {
            format!("{}\n{}", headline(task), described_attempt(context, review, None))
        }
    }
}

fn headline(task: &Task) -> String {
    let why = task
        .error_annotation
        .as_ref()
        .map(|annotation| format!("\n  {}", one_line(&annotation.message)));
    let outcome = outcome::lines(task);
    format!("{}  {}{}{outcome}", task.key, one_line(&task.status), why.unwrap_or_default())
}
