//! The command `forge conflicts`.

use clap::Args;
use forge_api::{ConflictView, LiveBranch};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};

/// List branches that conflict before they land
///
/// A branch can conflict with its target, or with the branch of another task.
#[derive(Debug, Args)]
pub(crate) struct ConflictsArgs {
    /// Only conflicts of one task: T-12, or its identifier
    task: Option<TaskRef>,
    #[command(flatten)]
    project: ProjectOption,
}

impl ConflictsArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let found = match self.task {
            Some(task) => {
                let task = self.project.fetch_task(&client, task).await?;
                let mut found = client.conflicts().fetch(task.project_id).await?;
                found.conflicts.retain(|conflict| {
                    conflict.branches.iter().any(|branch| branch.task_id == task.id)
                });
                found.branches.retain(|branch| branch.task_id == task.id);
                found
            }
            None => {
                let project = self.project.fetch_id(&client).await?;
                client.conflicts().fetch(project).await?
            }
        };
        if context.output.is_json() {
            return context.output.print_result(&found, String::new);
        }
        let with_target: Vec<_> = found
            .branches
            .iter()
            .filter_map(|branch| Some((branch, branch.target_conflict.as_ref()?)))
            .collect();
        if found.conflicts.is_empty() && with_target.is_empty() {
            let count = found.branches.len();
            let s = if count == 1 { "" } else { "es" };
            return context
                .output
                .print_text(&format!("no conflict among {count} live branch{s}\n"));
        }
        let mut table =
            TextTable::new(&["TASK", "TARGET", "CONFLICTS WITH", "FOUND", "FILES"]).flexible(4);
        for (branch, conflict) in with_target {
            let target = branch.target.as_deref().unwrap_or_default();
            table.row([
                (TextStyle::Bold, &name(branch)),
                (TextStyle::Bold, &one_line(target)),
                (TextStyle::Plain, ""),
                (TextStyle::Plain, &context.now.ago(&conflict.since)),
                (TextStyle::Warning, &one_line(&conflict.files.join(", "))),
            ]);
        }
        for conflict in &found.conflicts {
            let (one, other) = names(conflict);
            table.row([
                (TextStyle::Bold, &one),
                (TextStyle::Plain, ""),
                (TextStyle::Bold, &other),
                (TextStyle::Plain, &context.now.ago(&conflict.since)),
                (TextStyle::Warning, &one_line(&conflict.files.join(", "))),
            ]);
        }
        context.output.print_table(&found, &table)
    }
}

/// The key of a branch's task; a star marks uncommitted work.
fn name(branch: &LiveBranch) -> String {
    format!("{}{}", one_line(&branch.key), if branch.uncommitted { "*" } else { "" })
}

/// The keys of both branches.
fn names(conflict: &ConflictView) -> (String, String) {
    let mut names = conflict.branches.iter().map(name);
    (names.next().unwrap_or_default(), names.next().unwrap_or_default())
}
