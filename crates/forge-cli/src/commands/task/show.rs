//! The command `forge task show`.

use clap::Args;
use forge_api::{ActionView, PageQuery, Review, SubtaskInfo, SubtaskMode, Task, TaskWaiting};

use crate::cli_error::CliError;
use crate::commands::task::list::{task_condition, task_style};
use crate::commands::task::task_outcome;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::lookup::fetch_assignee_name;
use crate::terminal::next_steps;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::{readable_time, wire_name};

/// Show a task, and the possible next actions
#[derive(Debug, Args)]
pub(crate) struct TaskShowArgs {
    #[command(flatten)]
    target: TaskTarget,
}

impl TaskShowArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        if context.output.is_json() {
            return context.output.print_result(&task, String::new);
        }
        let actions = client.tasks().fetch_actions(task.id).await?.items;
        // The token of an execution may not read it.
        let why = client.tasks().fetch_wait(task.id).await.ok();
        let reviews = client.tasks().fetch_reviews(task.id, &PageQuery::default()).await?.items;
        let parent = match task.parent {
            // The token of an execution may read its own task only.
            Some(id) => {
                Some(client.tasks().fetch(id).await.map_or_else(|_| id.to_string(), |it| it.key))
            }
            None => None,
        };
        let parts = client.tasks().fetch_subtasks(task.id, &PageQuery::default()).await?.items;
        let mut relations = Vec::new();
        for (role, holder) in &task.roles {
            relations.push((role.clone(), fetch_assignee_name(&client, *holder).await));
        }
        for other in &task.dependencies {
            let name =
                client.tasks().fetch(*other).await.map_or(other.to_string(), |task| task.key);
            relations.push(("waits for".to_owned(), name));
        }
        let family = related_tasks(&task, parent.as_deref(), &parts).into_iter();
        relations.extend(family.map(|(name, value)| (name.to_owned(), value)));
        let why = why.as_ref();
        context
            .output
            .print_text(&describe_task(context, &task, &relations, &reviews, why, &actions))
    }
}

/// The parent and the subtasks of a task.
fn related_tasks(task: &Task, parent: Option<&str>, parts: &[Task]) -> Vec<(&'static str, String)> {
    let place = |part: &SubtaskInfo| match (part.mode, part.order) {
        (SubtaskMode::OrderedTurn, Some(order)) => format!(", turn {order}"),
        _ => String::new(),
    };
    let outcome = |part: &SubtaskInfo| match &part.commit {
        Some(commit) => format!(", commit {}", commit.get(..10).unwrap_or(commit)),
        None if part.no_changes => ", no changes".to_owned(),
        None => String::new(),
    };
    let mut facts = Vec::new();
    if let (Some(parent), Some(part)) = (parent, &task.subtask) {
        facts.push(("part of", format!("{parent}{}{}", place(part), outcome(part))));
    }
    facts.extend(parts.iter().map(|part| {
        let how = part.subtask.as_ref();
        let place = how.map(place).unwrap_or_default();
        let outcome = how.map(outcome).unwrap_or_default();
        let line = format!("{} {}{place}{outcome}: {}", part.key, part.status, part.title);
        ("subtask", line)
    }));
    facts
}

fn describe_task(
    context: &CliContext,
    task: &Task,
    relations: &[(String, String)],
    reviews: &[Review],
    why: Option<&TaskWaiting>,
    actions: &[ActionView],
) -> String {
    let title = format!("{}  {}", task.key, one_line(&task.title));
    let status = context.output.styled(task_style(task), &one_line(&task.status));
    let mut text =
        format!("{}\n  status      {status}", context.output.styled(TextStyle::Bold, &title));
    let condition = task_condition(task);
    if !condition.is_empty() {
        text.push_str(&format!(" ({})", one_line(&condition)));
    }
    let mut fact =
        |name: &str, value: &str| text.push_str(&format!("\n  {name:<12}{}", one_line(value)));
    fact("identifier", &task.id.to_string());
    fact("version", &task.version.to_string());
    if task.priority != 0 {
        fact("priority", &task.priority.to_string());
    }
    if !task.labels.is_empty() {
        fact("labels", &task.labels.join(", "));
    }
    for (name, value) in relations {
        fact(name, value);
    }
    for step in &task.review_config.ci_steps {
        fact("check", step);
    }
    for (name, value) in task_outcome::outcome_facts(task) {
        fact(name, &value);
    }
    for review in reviews {
        let ended = review.finished_at.as_deref().map(readable_time).unwrap_or_default();
        let line = format!("{} {} {ended}", review.attempt_number, wire_name(&review.status));
        fact("attempt", line.trim_end());
    }
    if let Some(pull) = &task.pull_request {
        let waits = pull.waits_for.map(|wait| format!(", waits for {}", wire_name(&wait)));
        let state = wire_name(&pull.state);
        fact(
            "pull",
            &format!("#{} {state}{} {}", pull.number, waits.unwrap_or_default(), pull.url),
        );
    }
    fact("changed", &readable_time(&task.updated_at));
    if let Some(annotation) = &task.error_annotation {
        let message = context.output.styled(TextStyle::Error, &plain_text(&annotation.message));
        text.push_str(&format!("\n\n{message}{}", task_outcome::trouble_files(annotation)));
    }
    if !task.description.is_empty() {
        text.push_str(&format!("\n\n{}", plain_text(&task.description)));
    }
    if let Some(why) = why {
        text.push_str("\n\n");
        if task.error_annotation.is_none() {
            let message =
                next_steps::wrap_lines(&one_line(&why.message), |line| format!("{line}\n"));
            text.push_str(&message);
        }
        text.push_str(&next_steps::list_steps(context, &why.next));
        text.truncate(text.trim_end().len());
    }
    if !actions.is_empty() {
        let labels: Vec<_> = actions.iter().map(|action| one_line(&action.label)).collect();
        let labels =
            next_steps::wrap_lines(&format!("Now possible: {}", labels.join(" · ")), |line| {
                format!("\n{line}")
            });
        text.push_str(&format!("\n{labels}"));
    }
    text
}
