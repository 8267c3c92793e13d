//! `forge workspace show`

use clap::Args;
use forge_api::Workspace;

use super::list::{changes, distance, ink};
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::paint::Ink;
use crate::table::{one_line, plain_text};
use crate::task_ref::TaskRef;
use crate::words::{short, time, word};

/// Show a task's workspace: where it is, how it stands, who works in it
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
}

impl Show {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        let workspace = client.fetch_workspace(task).await?;
        context.output.result(&workspace, || described(context, &workspace))
    }
}

fn described(context: &Context, workspace: &Workspace) -> String {
    let title = format!("{}  {}", workspace.key, one_line(&workspace.title));
    let status = context.output.ink(ink(workspace.status), &word(&workspace.status));
    let mut text = format!("{}\n  status      {status}", context.output.ink(Ink::Strong, &title));
    let mut fact = |name: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            text.push_str(&format!("\n  {name:<12}{}", one_line(value)));
        }
    };
    fact("path", Some(&workspace.path));
    fact("branch", workspace.branch.as_deref());
    fact("began at", workspace.base.as_deref().map(short));
    fact("is at", workspace.head.as_deref().map(short));
    fact("target", Some(&distance(workspace)));
    let dirty = workspace.dirty.map(changes).map(|changes| {
        if changes.is_empty() { "everything is committed".to_owned() } else { changes }
    });
    fact("changes", dirty.as_deref());
    let used = workspace.lock.as_ref().map(|lock| {
        format!("by {} (process {}) since {}", lock.holder, lock.pid, time(&lock.since))
    });
    fact("in use", used.as_deref());
    if let Some(error) = &workspace.last_error {
        text.push_str(&format!("\n\n{}", context.output.ink(Ink::Bad, &plain_text(error))));
    }
    text
}
