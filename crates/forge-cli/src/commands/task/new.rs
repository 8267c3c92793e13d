//! The command `forge task new`.

use clap::Args;
use forge_api::{NewTask, ReviewConfig, SubtaskMode, SubtaskTarget, TaskPhase};

use crate::cli_error::CliError;
use crate::commands::agent::fetch_or_add_agent;
use crate::commands::task::claim::{ClaimOptions, start_new_task};
use crate::commands::task::editing::task_text::{EditorUse, TaskText};
use crate::commands::task::inside_execution::InsideExecution;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_table::one_line;

/// Create a task
///
/// On a terminal without -d and --start, your editor ($VISUAL or $EDITOR) opens for the description; -d '' leaves it
/// empty.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: forge task new \"Add rate limiting\" --agent claude --start\n\nA title that begins with `-` goes after `--`: forge task new -- \"-x is ignored\""
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
    /// Task that this one is a part of; inside an execution, its own task by default
    #[arg(long, env = "FORGE_TASK_ID", value_name = "TASK", hide_env = true)]
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
    /// Agent that works on it: a name, or an installed program such as claude, which is added
    #[arg(long, short, value_name = "AGENT", requires = "start")]
    agent: Option<String>,
    /// Start the agent at once
    #[arg(long, requires = "agent", conflicts_with = "turn")]
    start: bool,
    /// Leave it in the initial state, also in a project with dispatch on
    #[arg(long, conflicts_with = "start")]
    no_queue: bool,
    #[command(flatten)]
    options: ClaimOptions,
    #[command(flatten)]
    project: ProjectOption,
    #[command(flatten)]
    inside: InsideExecution,
}

impl TaskNewArgs {
    pub(crate) async fn run(mut self, context: &CliContext) -> Result<(), CliError> {
        let editor = match (self.edit, self.start) {
            (true, _) => EditorUse::Always,
            (false, true) => EditorUse::WithoutTitle,
            (false, false) => EditorUse::WithoutDescription,
        };
        let text =
            TaskText::read(context, self.title.take(), self.description.take(), editor).await?;
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
        let overrides = self.options.into_overrides();
        if overrides.is_some() && !self.start {
            let message =
                "--model, --effort, --policy and --deadline apply to an agent that starts";
            return Err(CliError::usage(message).hint("add --agent NAME --start"));
        }
        let project = self.inside.fetch_project_id(&client, &self.project).await?;
        // Before the task, so that a missing agent leaves nothing behind.
        let agent = match &self.agent {
            Some(name) => Some(fetch_or_add_agent(context, &client, name, project).await?),
            None => None,
        };
        let mut dependencies = Vec::new();
        for task in self.depends_on {
            dependencies.push(self.inside.fetch_task_id(&client, &self.project, task).await?);
        }
        let parent = match self.parent {
            Some(task) => Some(self.inside.fetch_task_id(&client, &self.project, task).await?),
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
            // Otherwise dispatch could give the task to another agent first.
            queue: (self.start || self.no_queue).then_some(false),
            ..NewTask::default()
        };
        let task = client.tasks().create(project, &request).await?;
        let key = &task.key;
        if let Some(agent) = agent {
            let started = start_new_task(&client, &task, &agent, overrides).await?;
            context.output.print_result(&started, || {
                let (status, name) = (one_line(&started.task.status), one_line(&agent.name));
                format!("{key}  {status}  {name} works on {}", one_line(&task.title))
            })?;
            context.output.print_note(&format!("Next: `forge task log {key} -f` follows it."));
            return Ok(());
        }
        context
            .output
            .print_result(&task, || format!("{key}  {}  {}", task.status, one_line(&task.title)))?;
        let next = match (self.turn, task.phase) {
            (true, _) => {
                "Next: it starts automatically after its parent's own execution.".to_owned()
            }
            (false, TaskPhase::Ready) => format!(
                "It is in the queue: dispatch gives it to a free agent. `forge why {key}` says what it waits for."
            ),
            (false, _) => format!("Next: `forge task claim {key} --agent NAME`."),
        };
        context.output.print_note(&next);
        Ok(())
    }
}
