//! `forge task approve` and `forge task reject`

use clap::Args;
use forge_api::{ApproveReview, RejectReview, Reviewed, Task};
use forge_client::Client;

use super::review::{decider_of, described};
use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::one_line;
use crate::text_source;

/// Let the last attempt at the gate pass, whatever the gate says
///
/// Where its checks failed or its reviewer said no, a reason is needed; it stays with the task.
#[derive(Debug, Args)]
pub(crate) struct Approve {
    #[command(flatten)]
    target: Target,
    /// Why: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: Option<String>,
}

/// Send the work of the last attempt back; the coder is told why, and no attempt is spent
#[derive(Debug, Args)]
pub(crate) struct Reject {
    #[command(flatten)]
    target: Target,
    /// What to change: text, @FILE, or - for standard input
    #[arg(long, short)]
    reason: String,
}

impl Approve {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let reason = self.reason.as_deref().map(text_source::read).transpose()?;
        let task = self.target.fetch(&client).await?;
        let attempt = last_attempt(&client, &task).await?;
        let request = ApproveReview { reason };
        let decided = client.approve_review(task.id, attempt, &request).await?;
        show(context, &client, &decided, "").await
    }
}

impl Reject {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let request = RejectReview { reason: text_source::read(&self.reason)? };
        let task = self.target.fetch(&client).await?;
        let attempt = last_attempt(&client, &task).await?;
        let decided = client.reject_review(task.id, attempt, &request).await?;
        let sent_back = format!("  sent back: {}", one_line(&request.reason));
        show(context, &client, &decided, &sent_back).await
    }
}

/// The number of the attempt that counts; 0 if there was none, which the server refuses in its own words.
async fn last_attempt(client: &Client, task: &Task) -> Result<u32, Failure> {
    let all = super::review::fetch_all(client, task.id).await?;
    Ok(all.last().map_or(0, |review| review.attempt_number))
}

async fn show(
    context: &Context,
    client: &Client,
    decided: &Reviewed,
    why: &str,
) -> Result<(), Failure> {
    let Reviewed { task, review } = decided;
    let decider = decider_of(client, review).await;
    context.output.result(decided, || {
        let attempt = described(context, review, decider.as_deref());
        format!("{}  {}{why}\n{attempt}", task.key, one_line(&task.status))
    })
}
