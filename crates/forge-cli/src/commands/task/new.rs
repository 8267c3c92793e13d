//! The command `forge task new`.

use clap::Args;
use forge_api::{NewTask, ReviewConfig, SubtaskMode, SubtaskTarget};

use crate::cli_error::CliError;
use crate::commands::task::editing::task_text::TaskText;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_table::one_line;

/// Create a task
///
/// On a terminal without -d, your editor ($VISUAL or $EDITOR) opens for the description; -d '' leaves it empty.
#[derive(Debug, Args)]
#[command(
    after_help = "A title that begins with `-` goes after `--`: forge task new -- \"-x is ignored\""
)]
pub(crate) struct TaskNewArgs {
    /// Short title of the task; without it, your editor opens
    title: Option<String>,
    /// Full prompt for the agent: text, @FILE, or - for standard input
    #[arg(long, short, value_name = "TEXT")]
    description: Option<String>,
    /// Write title and description in your editor, also without a terminal
    #[arg(long, short, conflicts_with = "description")]
    edit: bool,
    /// Shell command that checks the work; may be repeated; default: the project's checks
    #[arg(long = "ci", value_name = "COMMAND")]
    checks: Vec<String>,
    /// Let work without changes pass the review, instead of asking a person
    #[arg(long)]
    allow_no_changes: bool,
    /// A label; may be repeated
    #[arg(long = "label", short = 'l', value_name = "LABEL")]
    labels: Vec<String>,
    /// Priority; higher goes first
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    priority: Option<i32>,
    /// Task that must be finished first; may be repeated
    #[arg(long = "depends-on", value_name = "TASK")]
    depends_on: Vec<TaskRef>,
    /// Task that this one is a part of
    #[arg(long, value_name = "TASK")]
    parent: Option<TaskRef>,
    /// Run it as an ordered turn in the parent's workspace, after the earlier turns
    #[arg(long, requires = "parent")]
    turn: bool,
    /// Position among the parent's ordered turns; default: last
    #[arg(long, requires = "turn", allow_negative_numbers = true, value_name = "N")]
    order: Option<i64>,
    /// Land it on the parent's branch
    #[arg(long, requires = "parent", conflicts_with = "turn")]
    onto_parent: bool,
    #[command(flatten)]
    project: ProjectOption,
}

impl TaskNewArgs {
    pub(crate) async fn run(mut self, context: &CliContext) -> Result<(), CliError> {
        let text =
            TaskText::read(context, self.title.take(), self.description.take(), self.edit).await?;
        let document = match text.document() {
            Ok(document) => document,
            Err(error) => return Err(text.keep(error)),
        };
        self.title = Some(document.title);
        self.description = Some(document.description).filter(|words| !words.is_empty());
        self.create(context).await.map_err(|error| text.keep(error))
    }

    async fn create(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let project = self.project.fetch_id(&client).await?;
        let inside = ProjectOption { project: Some(project.to_string()) };
        let mut dependencies = Vec::new();
        for task in self.depends_on {
            dependencies.push(inside.fetch_task_id(&client, task).await?);
        }
        let parent = match self.parent {
            Some(task) => Some(inside.fetch_task_id(&client, task).await?),
            None => None,
        };
        let mut review_config = (!self.checks.is_empty())
            .then(|| ReviewConfig { ci_steps: self.checks, ..ReviewConfig::default() });
        if self.allow_no_changes {
            // A task with its own review_config does not get the project's.
            let known = match review_config {
                Some(config) => config,
                None => client.projects().fetch(project).await?.settings.default_review_config,
            };
            review_config = Some(ReviewConfig { allow_no_changes: true, ..known });
        }
        let request = NewTask {
            title: self.title.unwrap_or_default(),
            description: self.description,
            labels: self.labels,
            priority: self.priority,
            review_config,
            dependencies,
            parent,
            subtask_mode: self.turn.then_some(SubtaskMode::OrderedTurn),
            subtask_order: self.order,
            subtask_target: self.onto_parent.then_some(SubtaskTarget::Parent),
            ..NewTask::default()
        };
        let task = client.tasks().create(project, &request).await?;
        context.output.print_result(&task, || {
            format!("{}  {}  {}", task.key, task.status, one_line(&task.title))
        })?;
        let next = match self.turn {
            true => "Next: it starts automatically after its parent's own execution.".to_owned(),
            false => format!("Next: `forge task claim {} --agent NAME`.", task.key),
        };
        context.output.print_note(&next);
        Ok(())
    }
}
