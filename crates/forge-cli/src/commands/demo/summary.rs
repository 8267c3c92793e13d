//! What became of the tasks.

use forge_api::{Execution, PageQuery, Phase, Task};
use forge_client::{Client, ClientError, DemoStarted};
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;
use crate::words::short;

/// One task's end.
#[derive(Debug, Serialize)]
struct Outcome {
    task: Task,
    attempts: u32,
    commit: Option<String>,
}

/// All of them.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    demo: DemoStarted,
    outcomes: Vec<Outcome>,
}

impl Summary {
    pub(super) async fn fetch(
        client: &Client,
        demo: &DemoStarted,
        tasks: Vec<Task>,
    ) -> Result<Self, ClientError> {
        let mut outcomes = Vec::new();
        for task in tasks {
            let page = PageQuery::default();
            let reviews = client.fetch_reviews(task.id, &page).await?.items;
            let executions = client.fetch_executions(task.id, &page).await?.items;
            outcomes.push(Outcome {
                attempts: reviews.iter().map(|review| review.attempt_number).max().unwrap_or(0),
                commit: last_commit(executions),
                task,
            });
        }
        outcomes.sort_by_key(|outcome| outcome.task.number);
        Ok(Self { demo: demo.clone(), outcomes })
    }

    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        let mut table = Table::new(&["task", "outcome", "attempts", "commit", "title"]).flexible(4);
        for outcome in &self.outcomes {
            let ink = match outcome.task.phase {
                Phase::Done => Ink::Good,
                Phase::Backlog | Phase::Ready | Phase::Working | Phase::Review => Ink::Doubtful,
            };
            table.row([
                (Ink::Strong, &outcome.task.key),
                (ink, &outcome.task.status),
                (Ink::Plain, &outcome.attempts.to_string()),
                (Ink::Faint, outcome.commit.as_deref().map(short).unwrap_or_default()),
                (Ink::Plain, &outcome.task.title),
            ]);
        }
        context.output.table(self, &table)
    }
}

fn last_commit(executions: Vec<Execution>) -> Option<String> {
    let last = executions
        .into_iter()
        .filter(|execution| execution.commit.is_some())
        .max_by_key(|execution| (execution.finished_at.clone(), execution.id))?;
    last.commit
}
