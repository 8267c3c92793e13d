//! The command `forge task checkout`.

use clap::Args;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::shell_word::shell_word;

/// Print the command that changes to a task's worktree
///
/// A command cannot change the directory of your shell, so run what it prints: eval "$(forge task checkout T-12)"
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  cd \"$(forge task checkout T-12 --path)\"")]
pub(crate) struct TaskCheckoutArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Print only the path
    #[arg(long)]
    path: bool,
}

impl TaskCheckoutArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let workspace = client.workspaces().fetch(task).await?;
        let path = &workspace.path;
        if !context.output.is_json() && !std::path::Path::new(path).is_dir() {
            return Err(CliError::not_found(format!(
                "the worktree of {} is not on this machine: {path}",
                workspace.key
            ))
            .hint("it is on the disk of the server; its branch can be fetched from there"));
        }
        context.output.print_result(&workspace, || {
            if self.path { path.clone() } else { format!("cd {}", shell_word(path)) }
        })
    }
}
