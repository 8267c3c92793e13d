//! `forge task show`

use clap::Args;
use forge_api::{Action, PageQuery, Review, Subtask, SubtaskMode, Task};

use super::list::{condition, ink};
use super::outcome;
use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::name_of;
use crate::paint::Ink;
use crate::table::{one_line, plain_text};
use crate::words::{time, word};

/// Show a task, and what can be done with it now
#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    target: Target,
}

impl Show {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        if context.output.is_json() {
            return context.output.result(&task, String::new);
        }
        let actions = client.fetch_actions(task.id).await?.items;
        let reviews = client.fetch_reviews(task.id, &PageQuery::default()).await?.items;
        let parent = match task.parent {
            // An execution's token opens its own task only.
            Some(id) => {
                Some(client.fetch_task(id).await.map_or_else(|_| id.to_string(), |it| it.key))
            }
            None => None,
        };
        let parts = client.fetch_subtasks(task.id, &PageQuery::default()).await?.items;
        let mut relations = Vec::new();
        for (role, holder) in &task.roles {
            relations.push((role.clone(), name_of(&client, *holder).await));
        }
        for other in &task.dependencies {
            let name = client.fetch_task(*other).await.map_or(other.to_string(), |task| task.key);
            relations.push(("waits for".to_owned(), name));
        }
        let family = family(&task, parent.as_deref(), &parts).into_iter();
        relations.extend(family.map(|(name, value)| (name.to_owned(), value)));
        context.output.text(&described(context, &task, &relations, &reviews, &actions))
    }
}

/// What it is part of, and what is part of it.
fn family(task: &Task, parent: Option<&str>, parts: &[Task]) -> Vec<(&'static str, String)> {
    let place = |part: &Subtask| match (part.mode, part.order) {
        (SubtaskMode::OrderedTurn, Some(order)) => format!(", turn {order}"),
        _ => String::new(),
    };
    let outcome = |part: &Subtask| match &part.commit {
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

fn described(
    context: &Context,
    task: &Task,
    relations: &[(String, String)],
    reviews: &[Review],
    actions: &[Action],
) -> String {
    let title = format!("{}  {}", task.key, one_line(&task.title));
    let status = context.output.ink(ink(task), &one_line(&task.status));
    let mut text = format!("{}\n  status      {status}", context.output.ink(Ink::Strong, &title));
    let condition = condition(task);
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
    for (name, value) in outcome::facts(task) {
        fact(name, &value);
    }
    for review in reviews {
        let ended = review.finished_at.as_deref().map(time).unwrap_or_default();
        let line = format!("{} {} {ended}", review.attempt_number, word(&review.status));
        fact("attempt", line.trim_end());
    }
    if let Some(pull) = &task.pull_request {
        let waits = pull.waits_for.map(|wait| format!(", waits for {}", word(&wait)));
        let state = word(&pull.state);
        fact(
            "pull",
            &format!("#{} {state}{} {}", pull.number, waits.unwrap_or_default(), pull.url),
        );
    }
    fact("changed", &time(&task.updated_at));
    if let Some(annotation) = &task.error_annotation {
        let message = context.output.ink(Ink::Bad, &plain_text(&annotation.message));
        text.push_str(&format!("\n\n{message}"));
    }
    if !task.description.is_empty() {
        text.push_str(&format!("\n\n{}", plain_text(&task.description)));
    }
    if !actions.is_empty() {
        let labels: Vec<_> = actions.iter().map(|action| one_line(&action.label)).collect();
        text.push_str(&format!("\n\nNow possible: {}", labels.join(" · ")));
    }
    text
}
