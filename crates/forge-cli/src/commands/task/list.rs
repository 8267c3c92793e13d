//! The command `forge task list`.

use clap::{Args, ValueEnum};
use forge_api::{Page, PageQuery, SortOrder, Task, TaskPhase, TaskQuery, TaskSort};
use forge_client::collect_pages;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::holder_names::HolderNames;
use crate::lookup::{ProjectOption, fetch_agent};
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;
use crate::terminal::wire_words::{truncation_note, wire_name};

/// Sort order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TaskListOrder {
    Created,
    Updated,
    Priority,
}

/// List the tasks of a project
#[derive(Debug, Args)]
pub(crate) struct TaskListArgs {
    /// Only in this workflow state
    #[arg(long, short, value_name = "STATE")]
    status: Option<String>,
    /// Only in this part of the board
    #[arg(long, value_parser = parse_wire_name::<TaskPhase>)]
    phase: Option<TaskPhase>,
    /// Only with this label
    #[arg(long, short)]
    label: Option<String>,
    /// Only tasks in which this agent has a role
    #[arg(long, short)]
    agent: Option<String>,
    /// Only with these words in title or description
    #[arg(long, short, value_name = "WORDS")]
    text: Option<String>,
    /// Include archived tasks
    #[arg(long)]
    archived: bool,
    /// Sort order of the list
    #[arg(long, default_value = "created")]
    sort: TaskListOrder,
    /// Oldest or lowest first
    #[arg(long)]
    reverse: bool,
    /// Maximum number of tasks
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    limit: usize,
    #[command(flatten)]
    project: ProjectOption,
}

/// Parses an enum value by its API name.
fn parse_wire_name<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, WordError> {
    T::deserialize(text.into_deserializer())
}

impl TaskListArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let project = self.project.fetch_id(&client).await?;
        let agent = match &self.agent {
            Some(name) => Some(fetch_agent(&client, name).await?.id),
            None => None,
        };
        let query = TaskQuery {
            status: self.status,
            phase: self.phase,
            label: self.label,
            agent,
            text: self.text,
            include_archived: self.archived,
            sort: Some(match self.sort {
                TaskListOrder::Created => TaskSort::Created,
                TaskListOrder::Updated => TaskSort::Updated,
                TaskListOrder::Priority => TaskSort::Priority,
            }),
            order: self.reverse.then_some(SortOrder::Asc),
            ..TaskQuery::default()
        };
        let page = collect_pages(self.limit, async |page: PageQuery| {
            let query = TaskQuery { limit: page.limit, cursor: page.cursor, ..query.clone() };
            client.tasks().fetch_page(project, &query).await
        })
        .await?;
        let names = if context.output.is_json() {
            HolderNames::default()
        } else {
            HolderNames::fetch(&client, &page.items).await?
        };
        print(context, &page, &names)
    }
}

fn print(context: &CliContext, page: &Page<Task>, names: &HolderNames) -> Result<(), CliError> {
    let mut table =
        TextTable::new(&["key", "status", "title", "agent", "changed", "labels"]).flexible(2);
    for task in &page.items {
        table.row([
            (TextStyle::Bold, &task.key),
            (task_style(task), &describe_status(task)),
            (TextStyle::Plain, &task.title),
            (TextStyle::Plain, names.holder_of(task)),
            (TextStyle::Dim, &context.now.age(&task.updated_at)),
            (TextStyle::Dim, &task.labels.join(", ")),
        ]);
    }
    context.output.print_table(page, &table)?;
    if let Some(text) = truncation_note(page) {
        context.output.print_note(text);
    }
    if page.items.is_empty() {
        context.output.print_note("No tasks here. `forge task new TITLE` creates one.");
    }
    Ok(())
}

/// The state, with the trouble or the activity of the task, or its pull request.
fn describe_status(task: &Task) -> String {
    let condition = task_condition(task).replace('_', " ");
    let pull = task.pull_request.as_ref().map(|pull| format!("PR #{}", pull.number));
    match (condition.as_str(), pull) {
        ("", None) => task.status.clone(),
        ("", Some(pull)) => format!("{} ({pull})", task.status),
        (condition, _) => format!("{} ({condition})", task.status),
    }
}

/// The style of a task's state, by its part of the board and not by its name.
pub(crate) fn task_style(task: &Task) -> TextStyle {
    match (&task.error_annotation, task.phase) {
        (Some(_), _) => TextStyle::Error,
        (None, TaskPhase::Done) => TextStyle::Success,
        (None, TaskPhase::Working | TaskPhase::Review) => TextStyle::Warning,
        (None, TaskPhase::Backlog | TaskPhase::Ready) => TextStyle::Plain,
    }
}

/// The trouble or the current activity of a task.
pub(crate) fn task_condition(task: &Task) -> String {
    let annotation = task.error_annotation.as_ref().map(|annotation| annotation.kind.clone());
    let busy = task.busy.as_ref().map(wire_name);
    annotation.or(busy).unwrap_or_default()
}
