//! `forge task new`

use clap::Args;
use forge_api::{NewTask, ReviewConfig, SubtaskMode, SubtaskTarget};

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::table::one_line;
use crate::task_ref::TaskRef;
use crate::text_source;

/// Create a task
#[derive(Debug, Args)]
#[command(
    after_help = "A title that begins with `-` goes after `--`: forge task new -- \"-x is ignored\""
)]
pub(crate) struct New {
    /// A short label
    title: String,
    /// The full prompt for the agent: text, @FILE, or - for standard input
    #[arg(long, short, value_name = "TEXT")]
    description: Option<String>,
    /// A shell command that checks the work; may be repeated; the project's own checks if left out
    #[arg(long = "ci", value_name = "COMMAND")]
    checks: Vec<String>,
    /// A label; may be repeated
    #[arg(long = "label", short = 'l', value_name = "LABEL")]
    labels: Vec<String>,
    /// Higher goes first
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    priority: Option<i32>,
    /// A task that must be finished first; may be repeated
    #[arg(long = "depends-on", value_name = "TASK")]
    depends_on: Vec<TaskRef>,
    /// The task it is a part of
    #[arg(long, value_name = "TASK")]
    parent: Option<TaskRef>,
    /// Take it as a turn in the parent's workspace, after the turns before it
    #[arg(long, requires = "parent")]
    turn: bool,
    /// A turn's place among those of its parent; the last if left out
    #[arg(long, requires = "turn", allow_negative_numbers = true, value_name = "N")]
    order: Option<i64>,
    /// Land it on the parent's branch
    #[arg(long, requires = "parent", conflicts_with = "turn")]
    onto_parent: bool,
    #[command(flatten)]
    project: ProjectOption,
}

impl New {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let description = self.description.as_deref().map(text_source::read).transpose()?;
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
        let review_config = (!self.checks.is_empty())
            .then(|| ReviewConfig { ci_steps: self.checks, ..ReviewConfig::default() });
        let request = NewTask {
            title: self.title,
            description,
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
        let task = client.create_task(project, &request).await?;
        context.output.result(&task, || {
            format!("{}  {}  {}", task.key, task.status, one_line(&task.title))
        })?;
        let next = match self.turn {
            true => "Next: it is taken by itself once its parent's own run is over.".to_owned(),
            false => format!("Next: `forge task claim {} --agent NAME`.", task.key),
        };
        context.output.note(&next);
        Ok(())
    }
}
