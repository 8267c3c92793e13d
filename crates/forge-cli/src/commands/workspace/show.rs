//! The command `forge workspace show`.

use clap::Args;
use forge_api::WorkspaceView;

use crate::cli_error::CliError;
use crate::commands::workspace::list::{describe_changes, describe_distance, workspace_style};
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::{short_commit, wire_name};

/// Show a task's workspace: its path, its state and who works in it
#[derive(Debug, Args)]
pub(crate) struct WorkspaceShowArgs {
    /// Task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
}

impl WorkspaceShowArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        let workspace = client.workspaces().fetch(task).await?;
        context.output.print_result(&workspace, || describe_workspace(context, &workspace))
    }
}

fn describe_workspace(context: &CliContext, workspace: &WorkspaceView) -> String {
    let title = format!("{}  {}", workspace.key, one_line(&workspace.title));
    let status =
        context.output.styled(workspace_style(workspace.status), &wire_name(&workspace.status));
    let mut text =
        format!("{}\n  status      {status}", context.output.styled(TextStyle::Bold, &title));
    let mut fact = |name: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            text.push_str(&format!("\n  {name:<12}{}", one_line(value)));
        }
    };
    fact("path", Some(&workspace.path));
    fact("branch", workspace.branch.as_deref());
    fact("began at", workspace.base.as_deref().map(short_commit));
    fact("is at", workspace.head.as_deref().map(short_commit));
    fact("target", Some(&describe_distance(workspace)));
    let dirty = workspace.dirty.map(describe_changes).map(|changes| {
        if changes.is_empty() { "everything is committed".to_owned() } else { changes }
    });
    fact("changes", dirty.as_deref());
    let used = workspace.lock.as_ref().map(|lock| {
        let since = context.now.ago(&lock.since);
        format!("by {} (process {}), locked {since}", lock.holder, lock.pid)
    });
    fact("in use", used.as_deref());
    if let Some(error) = &workspace.last_error {
        text.push_str(&format!(
            "\n\n{}",
            context.output.styled(TextStyle::Error, &plain_text(error))
        ));
    }
    text
}
