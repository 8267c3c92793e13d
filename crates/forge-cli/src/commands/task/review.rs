//! `forge task review`

use clap::Args;
use forge_api::{PageQuery, Review as Attempt, ReviewStatus, StepOutcome, StepResult};
use forge_client::Client;
use uuid::Uuid;

use super::printed_log;
use super::target::Target;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::lookup::name_of;
use crate::paint::Ink;
use crate::table::{one_line, plain_text};
use crate::words::{short, time, word};

/// Show a task's attempts at the gate: its checks, who judged it, and what was said
#[derive(Debug, Args)]
pub(crate) struct Review {
    #[command(flatten)]
    target: Target,
    /// Only this attempt
    #[arg(long, short, value_name = "N")]
    attempt: Option<u32>,
    /// The whole output of the checks instead: of the last attempt, if none is named
    #[arg(long)]
    log: bool,
    /// With --log: go on as it is written, until the checks end
    #[arg(long, short, requires = "log")]
    follow: bool,
}

impl Review {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let mut attempts = fetch_all(&client, task.id).await?;
        if let Some(number) = self.attempt {
            attempts.retain(|attempt| attempt.attempt_number == number);
        }
        if self.log {
            let attempt = attempts.pop().ok_or_else(|| missing(&task.key))?;
            return printed_log::print(context, self.follow, async |query| {
                client.fetch_review_log(attempt.id, query).await
            })
            .await;
        }
        let mut deciders = Vec::new();
        for attempt in &attempts {
            deciders.push(decider_of(&client, attempt).await);
        }
        context.output.result(&attempts, || {
            if attempts.is_empty() {
                return format!("{} has not been at a gate", task.key);
            }
            let all = attempts.iter().zip(&deciders);
            let all: Vec<_> =
                all.map(|(one, decider)| described(context, one, decider.as_deref())).collect();
            all.join("\n")
        })?;
        let failed = |attempt: &Attempt| attempt.status == ReviewStatus::Failed;
        match (self.attempt, attempts.last()) {
            (Some(_), None) => Err(missing(&task.key)),
            (_, Some(last)) if failed(last) => Err(Failure::already_told(Exit::Refused)),
            _ => Ok(()),
        }
    }
}

fn missing(key: &str) -> Failure {
    Failure::usage(format!("{key} has no such attempt"))
        .hint(format!("`forge task review {key}` lists those there are"))
}

/// All attempts of a task, the first one first.
pub(super) async fn fetch_all(client: &Client, task: Uuid) -> Result<Vec<Attempt>, Failure> {
    let mut all = Vec::new();
    let mut query = PageQuery::default();
    loop {
        let page = client.fetch_reviews(task, &query).await?;
        all.extend(page.items);
        match page.next_cursor {
            Some(next) => query.cursor = Some(next),
            None => return Ok(all),
        }
    }
}

/// The name of who decided about an attempt, if somebody did.
pub(super) async fn decider_of(client: &Client, review: &Attempt) -> Option<String> {
    Some(name_of(client, review.decided.as_ref()?.by).await)
}

/// An attempt as people read it.
pub(super) fn described(context: &Context, review: &Attempt, decider: Option<&str>) -> String {
    let status = context.output.ink(ink(review.status), &word(&review.status));
    let mut text = format!("attempt {}: {status}", review.attempt_number);
    if let Some(commit) = review.commit.as_deref().filter(|commit| !commit.is_empty()) {
        text.push_str(&format!("  {}", short(commit)));
    }
    text.push_str(&format!("  {}\n", time(&review.started_at)));
    if let Some(origin) = &review.taken_from {
        let at = time(&origin.at);
        text.push_str(&format!("  the same tree passed the same checks at {at}: not run again\n"));
    }
    for step in &review.step_results {
        text.push_str(&check(context, step));
    }
    if let Some(decided) = &review.decided {
        let how = if decided.overrides { "approved against the gate by" } else { "decided by" };
        text.push_str(&format!("  {how} {}", one_line(decider.unwrap_or("somebody"))));
        if let Some(reason) = &decided.reason {
            text.push_str(&format!(": {}", one_line(reason)));
        }
        text.push('\n');
    }
    // A failing check's own words stand above.
    let told = review.step_results.iter().any(|step| step.outcome != StepOutcome::Passed);
    if let (Some(feedback), false) = (&review.feedback, told) {
        for line in plain_text(feedback).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

fn check(context: &Context, step: &StepResult) -> String {
    let ink = match step.outcome {
        StepOutcome::Passed => Ink::Good,
        StepOutcome::Failed | StepOutcome::TimedOut => Ink::Bad,
        StepOutcome::Stopped | StepOutcome::Quarantined => Ink::Doubtful,
    };
    let outcome = context.output.ink(ink, &word(&step.outcome));
    let code = step.exit_code.filter(|code| *code != 0);
    let code = code.map(|code| format!(", exit code {code}")).unwrap_or_default();
    let command = one_line(&step.command);
    let mut text = format!("  {outcome}  {command}  ({} ms{code})\n", step.duration_ms);
    if step.outcome != StepOutcome::Passed {
        for line in plain_text(&step.output_tail).lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

fn ink(status: ReviewStatus) -> Ink {
    match status {
        ReviewStatus::Passed => Ink::Good,
        ReviewStatus::Failed => Ink::Bad,
        ReviewStatus::Running | ReviewStatus::Blocked | ReviewStatus::Superseded => Ink::Doubtful,
    }
}
