//! The command `forge task edit`.

use clap::Args;
use forge_api::{MergeConfig, ReviewConfig, Task, TaskPatch};
use forge_client::ApiClient;

use crate::cli_error::CliError;
use crate::commands::task::editing::task_document::TaskDocument;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_editor::edit_text;
use crate::terminal::text_source;
use crate::terminal::text_table::one_line;

/// Change a task: its title, description, priority, labels, checks or target
///
/// What you leave out stays. Without any option, title and description open in your editor ($VISUAL or $EDITOR). If the
/// server refuses the change, your text is kept in a file. The state changes by `forge task move`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge task edit T-12\n  forge task edit T-12 --priority 5 --label ui --ci 'make test'"
)]
pub(crate) struct TaskEditArgs {
    #[command(flatten)]
    target: TaskTarget,
    #[command(flatten)]
    fields: EditedFields,
}

/// The new values of fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Args)]
struct EditedFields {
    /// New title of the task
    #[arg(long, short)]
    title: Option<String>,
    /// New description: text, @FILE, or - for standard input
    #[arg(long, short, value_name = "TEXT")]
    description: Option<String>,
    /// New priority; higher goes first
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    priority: Option<i32>,
    /// New labels, in place of the current ones; may be repeated
    #[arg(long = "label", short = 'l', value_name = "LABEL", conflicts_with = "no_labels")]
    labels: Vec<String>,
    /// Remove all labels
    #[arg(long)]
    no_labels: bool,
    /// New checks, in place of the current ones; may be repeated
    #[arg(long = "ci", value_name = "COMMAND", conflicts_with_all = ["no_ci", "default_ci"])]
    checks: Vec<String>,
    /// Remove all checks
    #[arg(long, conflicts_with = "default_ci")]
    no_ci: bool,
    /// Use the project's checks and review settings
    #[arg(long)]
    default_ci: bool,
    /// Branch that the work lands on
    #[arg(long = "target", value_name = "BRANCH", conflicts_with = "default_target")]
    target_branch: Option<String>,
    /// Land on the repository's default branch
    #[arg(long)]
    default_target: bool,
}

impl TaskEditArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        if self.fields == EditedFields::default() {
            return edit_in_editor(context, &self.target).await;
        }
        let description = self.fields.description.as_deref();
        let description = description.map(text_source::read_text).transpose()?;
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let patch = self.fields.into_patch(&task, description);
        print_changed(context, &client.tasks().update(task.id, &patch).await?)
    }
}

impl EditedFields {
    fn into_patch(self, task: &Task, description: Option<String>) -> TaskPatch {
        let changes_checks = self.no_ci || !self.checks.is_empty();
        let review_config = match (self.default_ci, changes_checks) {
            (true, _) => Some(None),
            (false, true) => {
                let known = task.review_config.clone();
                Some(Some(ReviewConfig { ci_steps: self.checks, ..known }))
            }
            (false, false) => None,
        };
        let changes_target = self.default_target || self.target_branch.is_some();
        let merge_config = changes_target.then(|| {
            let known = task.merge_config.clone();
            Some(MergeConfig { target_branch: self.target_branch, ..known })
        });
        TaskPatch {
            version: task.version,
            title: self.title,
            description: description.map(Some),
            priority: self.priority,
            labels: (self.no_labels || !self.labels.is_empty()).then_some(self.labels),
            review_config,
            merge_config,
            ..TaskPatch::default()
        }
    }
}

async fn edit_in_editor(context: &CliContext, target: &TaskTarget) -> Result<(), CliError> {
    let client = context.client()?;
    let task = target.fetch(&client).await?;
    let before = TaskDocument {
        title: task.title.clone(),
        description: task.description.trim_end().to_owned(),
    };
    let note = "Save and close the editor to change the task.";
    let edited = edit_text(context, &task.key, &before.to_text(note)).await?;
    match save_document(&client, &task, &before, &edited.text).await {
        Ok(Some(changed)) => print_changed(context, &changed),
        Ok(None) => {
            context.output.print_result(&task, || format!("{}  unchanged", task.key))?;
            Ok(())
        }
        Err(error) => Err(edited.keep(error)),
    }
}

/// Saves the changed fields; `None` if the text is the same.
async fn save_document(
    client: &ApiClient,
    task: &Task,
    before: &TaskDocument,
    text: &str,
) -> Result<Option<Task>, CliError> {
    let after = TaskDocument::parse(text)?;
    if after == *before {
        return Ok(None);
    }
    let patch = TaskPatch {
        version: task.version,
        title: (after.title != before.title).then_some(after.title),
        description: (after.description != before.description).then_some(Some(after.description)),
        ..TaskPatch::default()
    };
    Ok(Some(client.tasks().update(task.id, &patch).await?))
}

fn print_changed(context: &CliContext, task: &Task) -> Result<(), CliError> {
    context
        .output
        .print_result(task, || format!("{}  changed  {}", task.key, one_line(&task.title)))
}
