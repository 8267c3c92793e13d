//! The commands `forge task approve` and `forge task reject`.

use clap::Args;
use forge_api::{ApproveReview, RejectReview, ReviewResponse, Task};
use forge_client::ApiClient;

use crate::cli_error::CliError;
use crate::commands::task::gate::review_attempts::{describe_attempt, fetch_decider};
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_source;
use crate::terminal::text_table::one_line;

/// Approve the last attempt at the gate, even against its result
///
/// If its checks failed or its reviewer rejected it, a reason is required; the reason stays with the task.
#[derive(Debug, Args)]
pub(crate) struct TaskApproveArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Reason: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: Option<String>,
}

/// Send the work back with a reason
///
/// This does not use up an attempt at the gate.
#[derive(Debug, Args)]
pub(crate) struct TaskRejectArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// What to change: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: String,
}

impl TaskApproveArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let reason = self.reason.as_deref().map(text_source::read_text).transpose()?;
        let task = self.target.fetch(&client).await?;
        let attempt = last_attempt(&client, &task).await?;
        let request = ApproveReview { reason };
        let decided = client.reviews().approve(task.id, attempt, &request).await?;
        print_reviewed(context, &client, &decided, "").await
    }
}

impl TaskRejectArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let request = RejectReview { reason: text_source::read_text(&self.reason)? };
        let task = self.target.fetch(&client).await?;
        let attempt = last_attempt(&client, &task).await?;
        let decided = client.reviews().reject(task.id, attempt, &request).await?;
        let sent_back = format!("  sent back: {}", one_line(&request.reason));
        print_reviewed(context, &client, &decided, &sent_back).await
    }
}

/// The number of the current attempt; 0 if there was none, which the server refuses with its own message.
async fn last_attempt(client: &ApiClient, task: &Task) -> Result<u32, CliError> {
    let all = crate::commands::task::gate::review_attempts::fetch_attempts(client, task.id).await?;
    Ok(all.last().map_or(0, |review| review.attempt_number))
}

async fn print_reviewed(
    context: &CliContext,
    client: &ApiClient,
    decided: &ReviewResponse,
    why: &str,
) -> Result<(), CliError> {
    let ReviewResponse { task, review } = decided;
    let decider = fetch_decider(client, review).await;
    context.output.print_result(decided, || {
        let attempt = describe_attempt(context, review, decider.as_deref());
        format!("{}  {}{why}\n{attempt}", task.key, one_line(&task.status))
    })
}
