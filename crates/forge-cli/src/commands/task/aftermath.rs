//! `forge task rebase`, `forge task revert` and `forge task regressed`

use clap::Args;
use forge_api::{NewRegression, RebaseOutcome, RebaseTask, SuccessorTask};

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::one_line;
use crate::text_source;

/// Merge the target into a task's branch and send it back to work
///
/// What conflicts is left in the files with git's marks, for whoever works on the task.
#[derive(Debug, Args)]
pub(crate) struct Rebase {
    #[command(flatten)]
    target: Target,
    /// What the agent is told besides: text, @FILE, or - for standard input
    #[arg(long, short)]
    message: Option<String>,
}

/// Take back what a task landed, by a task that goes through the same gate
#[derive(Debug, Args)]
pub(crate) struct Revert {
    #[command(flatten)]
    target: Target,
}

/// Say that what a task landed broke something; a task is made that mends it
#[derive(Debug, Args)]
pub(crate) struct Regressed {
    #[command(flatten)]
    target: Target,
    /// What broke: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: String,
}

impl Rebase {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let message = self.message.as_deref().map(text_source::read).transpose()?;
        let id = self.target.fetch_id(&client).await?;
        let done = client.rebase_task(id, &RebaseTask { message }).await?;
        context.output.result(&done, || {
            let head = format!("{}  {}", done.task.key, one_line(&done.task.status));
            let how = match &done.rebase {
                None => return head,
                Some(rebase) => match rebase.outcome {
                    RebaseOutcome::Merged => format!("{} is merged in", rebase.target),
                    RebaseOutcome::UpToDate => format!("it has all of {}", rebase.target),
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

impl Revert {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        let found = client.revert_task(id).await?;
        show(context, &found, "takes it back already")
    }
}

impl Regressed {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let asked = NewRegression { reason: text_source::read(&self.reason)? };
        let id = self.target.fetch_id(&client).await?;
        let found = client.report_regression(id, &asked).await?;
        show(context, &found, "mends it already")
    }
}

fn show(context: &Context, found: &SuccessorTask, already: &str) -> Result<(), Failure> {
    let SuccessorTask { task, made, conflicts } = found;
    context.output.result(found, || {
        let mut text =
            format!("{}  {}  {}", task.key, one_line(&task.status), one_line(&task.title));
        if !made {
            text.push_str(&format!("\n  {already}"));
        }
        if !conflicts.is_empty() {
            let files = one_line(&conflicts.join(", "));
            text.push_str(&format!("\n  later work stands in the way, in: {files}"));
        }
        text
    })?;
    if !conflicts.is_empty() {
        let key = &task.key;
        context.output.note(&format!(
            "Next: `forge task move {key} STATE` gives it to its coder; `forge workspace show {key}` says where it is."
        ));
    }
    Ok(())
}
