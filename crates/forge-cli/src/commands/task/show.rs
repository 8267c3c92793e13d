//! `forge task show`

use clap::Args;
use forge_api::{Action, PageQuery, Review, Task};

use super::list::{condition, ink};
use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::{one_line, plain_text};
use crate::words::{assignee, time, word};

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
        context.output.text(&described(context, &task, &reviews, &actions))
    }
}

fn described(context: &Context, task: &Task, reviews: &[Review], actions: &[Action]) -> String {
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
    for (role, holder) in &task.roles {
        fact(role, &assignee(*holder));
    }
    for step in &task.review_config.ci_steps {
        fact("check", step);
    }
    for other in &task.dependencies {
        fact("waits for", &other.to_string());
    }
    for review in reviews {
        let ended = review.finished_at.as_deref().map(time).unwrap_or_default();
        let line = format!("{} {} {ended}", review.attempt_number, word(&review.status));
        fact("attempt", line.trim_end());
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
