//! The command `forge task review`.

use clap::Args;
use forge_api::{PageQuery, Review as Attempt, ReviewStatus, StepOutcome, StepResult};
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::log_printer;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::lookup::fetch_assignee_name;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{one_line, plain_text};
use crate::terminal::wire_words::{short_commit, wire_name};

/// Show a task's attempts at the gate: checks and feedback
#[derive(Debug, Args)]
pub(crate) struct TaskReviewArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Only this attempt
    #[arg(long, short, value_name = "N")]
    attempt: Option<u32>,
    /// Show the whole output of the checks; default: of the last attempt
    #[arg(long)]
    log: bool,
    /// With --log: continue to print new output until the checks end
    #[arg(long, short, requires = "log")]
    follow: bool,
}

impl TaskReviewArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let mut attempts = fetch_attempts(&client, task.id).await?;
        if let Some(number) = self.attempt {
            attempts.retain(|attempt| attempt.attempt_number == number);
        }
        if self.log {
            let attempt = attempts.pop().ok_or_else(|| missing_attempt(&task.key))?;
            return log_printer::print_log(context, self.follow, async |query| {
                client.reviews().fetch_log(attempt.id, query).await
            })
            .await;
        }
        let mut deciders = Vec::new();
        for attempt in &attempts {
            deciders.push(fetch_decider(&client, attempt).await);
        }
        context.output.print_result(&attempts, || {
            if attempts.is_empty() {
                return format!("{} has not been at a gate", task.key);
            }
            let all = attempts.iter().zip(&deciders);
            let all: Vec<_> = all
                .map(|(one, decider)| describe_attempt(context, one, decider.as_deref()))
                .collect();
            all.join("\n")
        })?;
        let failed = |attempt: &Attempt| attempt.status == ReviewStatus::Failed;
        match (self.attempt, attempts.last()) {
            (Some(_), None) => Err(missing_attempt(&task.key)),
            (_, Some(last)) if failed(last) => Err(CliError::already_printed(CliExit::Refused)),
            _ => Ok(()),
        }
    }
}

fn missing_attempt(key: &str) -> CliError {
    CliError::usage(format!("{key} has no such attempt"))
        .hint(format!("`forge task review {key}` lists the attempts"))
}

/// All attempts of a task, oldest first.
pub(crate) async fn fetch_attempts(
    client: &ApiClient,
    task: Uuid,
) -> Result<Vec<Attempt>, CliError> {
    let mut all = Vec::new();
    let mut query = PageQuery::default();
    loop {
        let page = client.tasks().fetch_reviews(task, &query).await?;
        all.extend(page.items);
        match page.next_cursor {
            Some(next) => query.cursor = Some(next),
            None => return Ok(all),
        }
    }
}

/// The name of the agent or user that decided about an attempt, if decided.
pub(crate) async fn fetch_decider(client: &ApiClient, review: &Attempt) -> Option<String> {
    Some(fetch_assignee_name(client, review.decided.as_ref()?.by).await)
}

/// An attempt as text.
pub(crate) fn describe_attempt(
    context: &CliContext,
    review: &Attempt,
    decider: Option<&str>,
) -> String {
    let status = context.output.styled(review_style(review.status), &wire_name(&review.status));
    let mut text = format!("attempt {}: {status}", review.attempt_number);
    if let Some(commit) = review.commit.as_deref().filter(|commit| !commit.is_empty()) {
        text.push_str(&format!("  {}", short_commit(commit)));
    }
    text.push_str(&format!("  {}\n", context.now.ago(&review.started_at)));
    if let Some(origin) = &review.taken_from {
        let at = context.now.ago(&origin.at);
        text.push_str(&format!("  the same tree passed the same checks {at}: not run again\n"));
    }
    for step in &review.step_results {
        text.push_str(&describe_check(context, step));
    }
    if let Some(decided) = &review.decided {
        let how = if decided.overrides { "approved against the gate by" } else { "decided by" };
        text.push_str(&format!("  {how} {}", one_line(decider.unwrap_or("an unknown user"))));
        if let Some(reason) = &decided.reason {
            text.push_str(&format!(": {}", one_line(reason)));
        }
        text.push('\n');
    }
    // A failing check's output is printed above.
    let told = review.step_results.iter().any(|step| step.outcome != StepOutcome::Passed);
    if let (Some(feedback), false) = (&review.feedback, told) {
        for line in plain_text(feedback).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

fn describe_check(context: &CliContext, step: &StepResult) -> String {
    let ink = match step.outcome {
        StepOutcome::Passed => TextStyle::Success,
        StepOutcome::Failed | StepOutcome::TimedOut => TextStyle::Error,
        StepOutcome::Stopped | StepOutcome::Quarantined => TextStyle::Warning,
    };
    let outcome = context.output.styled(ink, &wire_name(&step.outcome));
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

fn review_style(status: ReviewStatus) -> TextStyle {
    match status {
        ReviewStatus::Passed => TextStyle::Success,
        ReviewStatus::Failed => TextStyle::Error,
        ReviewStatus::Running
        | ReviewStatus::Blocked
        | ReviewStatus::NoChanges
        | ReviewStatus::Superseded => TextStyle::Warning,
    }
}
