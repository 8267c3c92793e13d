//! `forge conflicts`

use clap::Args;
use forge_api::{Conflict, LiveBranch};

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::paint::Ink;
use crate::table::{Table, one_line};
use crate::task_ref::TaskRef;
use crate::words::time;

/// List the branches that clash with each other before any of them lands
#[derive(Debug, Args)]
pub(crate) struct Conflicts {
    /// Only those of one task: T-12, or its identifier
    task: Option<TaskRef>,
    #[command(flatten)]
    project: ProjectOption,
}

impl Conflicts {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let found = match self.task {
            Some(task) => {
                let task = self.project.fetch_task(&client, task).await?;
                let mut found = client.fetch_conflicts(task.project_id).await?;
                found.conflicts.retain(|conflict| {
                    conflict.branches.iter().any(|branch| branch.task_id == task.id)
                });
                found
            }
            None => {
                let project = self.project.fetch_id(&client).await?;
                client.fetch_conflicts(project).await?
            }
        };
        if context.output.is_json() {
            return context.output.result(&found, String::new);
        }
        if found.conflicts.is_empty() {
            let count = found.branches.len();
            let s = if count == 1 { "" } else { "es" };
            return context.output.text(&format!("no conflict among {count} live branch{s}\n"));
        }
        let mut table = Table::new(&["TASK", "CLASHES WITH", "SINCE", "FILES"]).flexible(3);
        for conflict in &found.conflicts {
            let (one, other) = names(conflict);
            table.row([
                (Ink::Strong, &one),
                (Ink::Strong, &other),
                (Ink::Plain, &time(&conflict.since)),
                (Ink::Doubtful, &one_line(&conflict.files.join(", "))),
            ]);
        }
        context.output.table(&found, &table)
    }
}

/// What the two are called; a star says that uncommitted work is meant.
fn names(conflict: &Conflict) -> (String, String) {
    let name = |branch: &LiveBranch| {
        format!("{}{}", one_line(&branch.key), if branch.uncommitted { "*" } else { "" })
    };
    let mut names = conflict.branches.iter().map(name);
    (names.next().unwrap_or_default(), names.next().unwrap_or_default())
}
