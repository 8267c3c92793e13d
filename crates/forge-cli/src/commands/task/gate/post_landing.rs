//! The commands `forge task rebase`, `accept-landed`, `revert` and `regressed`.

use clap::Args;
use forge_api::{NewRegression, RebaseOutcome, RebaseTask, SuccessorTask};

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_source;
use crate::terminal::text_table::one_line;

/// Merge the target into a task's branch and send it back to work
///
/// Conflicts stay in the files with git's markers, for the agent or user that works on the task.
#[derive(Debug, Args)]
pub(crate) struct TaskRebaseArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Additional message for the agent: text, @FILE, or - for standard input
    #[arg(long, short)]
    message: Option<String>,
}

/// Accept work that landed outside Forge
///
/// The work reached its target without a landing by Forge (`landed_outside`). The task ends as landed. To undo the work through the gate instead, use `forge task revert`.
#[derive(Debug, Args)]
pub(crate) struct TaskAcceptLandedArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Why it may stay: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: Option<String>,
}

/// Revert what a task landed, by a new task
///
/// The new task passes the same gate.
#[derive(Debug, Args)]
pub(crate) struct TaskRevertArgs {
    #[command(flatten)]
    target: TaskTarget,
}

/// Report that landed work broke something; creates a fix task
#[derive(Debug, Args)]
pub(crate) struct TaskRegressedArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// What broke: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: String,
}

impl TaskRebaseArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let message = self.message.as_deref().map(text_source::read_text).transpose()?;
        let id = self.target.fetch_id(&client).await?;
        let done = client.tasks().rebase(id, &RebaseTask { message }).await?;
        context.output.print_result(&done, || {
            let head = format!("{}  {}", done.task.key, one_line(&done.task.status));
            let how = match &done.rebase {
                None => return head,
                Some(rebase) => match rebase.outcome {
                    RebaseOutcome::Merged => format!("{} is merged in", rebase.target),
                    RebaseOutcome::UpToDate => format!("it already contains {}", rebase.target),
                    RebaseOutcome::Conflict => format!(
                        "conflicts with {} are in its workspace, in: {}",
                        rebase.target,
                        rebase.files.join(", ")
                    ),
                },
            };
            format!("{head}\n  {}", one_line(&how))
        })
    }
}

impl TaskAcceptLandedArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let reason = self.reason.as_deref().map(text_source::read_text).transpose()?;
        let id = self.target.fetch_id(&client).await?;
        let asked = forge_api::AcceptLanded { reason };
        let task = client.tasks().accept_landed(id, &asked).await?;
        context.output.print_result(&task, || format!("{}  {}", task.key, one_line(&task.status)))
    }
}

impl TaskRevertArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        let found = client.tasks().revert(id).await?;
        print_successor(context, &found, "already reverts it")
    }
}

impl TaskRegressedArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let asked = NewRegression { reason: text_source::read_text(&self.reason)? };
        let id = self.target.fetch_id(&client).await?;
        let found = client.tasks().report_regression(id, &asked).await?;
        print_successor(context, &found, "already fixes it")
    }
}

fn print_successor(
    context: &CliContext,
    found: &SuccessorTask,
    already: &str,
) -> Result<(), CliError> {
    let SuccessorTask { task, made, conflicts } = found;
    context.output.print_result(found, || {
        let mut text =
            format!("{}  {}  {}", task.key, one_line(&task.status), one_line(&task.title));
        if !made {
            text.push_str(&format!("\n  {already}"));
        }
        if !conflicts.is_empty() {
            let files = one_line(&conflicts.join(", "));
            text.push_str(&format!("\n  later changes conflict with it, in: {files}"));
        }
        text
    })?;
    if !conflicts.is_empty() {
        let key = &task.key;
        context.output.print_note(&format!(
            "Next: `forge task move {key} STATE` sends it to its coder; `forge workspace show {key}` shows where it is."
        ));
    }
    Ok(())
}
