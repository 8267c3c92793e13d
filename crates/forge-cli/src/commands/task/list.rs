//! `forge task list`

use clap::{Args, ValueEnum};
use forge_api::{Page, PageQuery, Phase, SortOrder, Task, TaskQuery, TaskSort};
use forge_client::collect;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{ProjectOption, fetch_agent};
use crate::paint::Ink;
use crate::table::Table;
use crate::words::{more, word};

/// What the list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    Created,
    Updated,
    Priority,
}

/// List tasks
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only in this workflow state
    #[arg(long, short, value_name = "STATE")]
    status: Option<String>,
    /// Only in this part of the board
    #[arg(long, value_parser = read_word::<Phase>)]
    phase: Option<Phase>,
    /// Only with this label
    #[arg(long, short)]
    label: Option<String>,
    /// Only those in which this agent holds a role
    #[arg(long, short)]
    agent: Option<String>,
    /// Only with these words in title or description
    #[arg(long, short, value_name = "WORDS")]
    text: Option<String>,
    /// Archived ones too
    #[arg(long)]
    archived: bool,
    /// What the list is ordered by
    #[arg(long, default_value = "created")]
    sort: Order,
    /// Oldest or lowest first
    #[arg(long)]
    reverse: bool,
    /// How many at most
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    limit: usize,
    #[command(flatten)]
    project: ProjectOption,
}

/// Reads one of the wire's words.
fn read_word<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, WordError> {
    T::deserialize(text.into_deserializer())
}

impl List {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
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
                Order::Created => TaskSort::Created,
                Order::Updated => TaskSort::Updated,
                Order::Priority => TaskSort::Priority,
            }),
            order: self.reverse.then_some(SortOrder::Asc),
            ..TaskQuery::default()
        };
        let page = collect(self.limit, async |page: PageQuery| {
            let query = TaskQuery { limit: page.limit, cursor: page.cursor, ..query.clone() };
            client.fetch_tasks(project, &query).await
        })
        .await?;
        print(context, &page)
    }
}

fn print(context: &Context, page: &Page<Task>) -> Result<(), Failure> {
    let mut table = Table::new(&["key", "status", "", "title", "labels"]).flexible(3);
    for task in &page.items {
        table.row([
            (Ink::Strong, &task.key),
            (ink(task), &task.status),
            (Ink::Faint, &condition(task)),
            (Ink::Plain, &task.title),
            (Ink::Faint, &task.labels.join(", ")),
        ]);
    }
    context.output.table(page, &table)?;
    if let Some(text) = more(page) {
        context.output.note(text);
    }
    if page.items.is_empty() {
        context.output.note("No such task. `forge task new TITLE` makes one.");
    }
    Ok(())
}

/// The colour of a task's state: by its part of the board, whatever it is called.
pub(super) fn ink(task: &Task) -> Ink {
    match (&task.error_annotation, task.phase) {
        (Some(_), _) => Ink::Bad,
        (None, Phase::Done) => Ink::Good,
        (None, Phase::Working | Phase::Review) => Ink::Doubtful,
        (None, Phase::Backlog | Phase::Ready) => Ink::Plain,
    }
}

/// What needs attention, or what is being done.
pub(super) fn condition(task: &Task) -> String {
    let annotation = task.error_annotation.as_ref().map(|annotation| annotation.kind.clone());
    let busy = task.busy.as_ref().map(word);
    annotation.or(busy).unwrap_or_default()
}
