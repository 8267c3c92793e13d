//! `forge task follow-up`

use clap::Args;
use forge_api::NewFollowUp;

use super::last_run::LastRun;
use crate::context::Context;
use crate::failure::Failure;
use crate::text_source;

/// Go on with the conversation of a task's last run
#[derive(Debug, Args)]
pub(crate) struct FollowUp {
    #[command(flatten)]
    run: LastRun,
    /// What the agent is told: text, @FILE, or - for standard input
    message: String,
}

impl FollowUp {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let asked = NewFollowUp { message: text_source::read(&self.message)? };
        let execution = self.run.fetch_id(&client).await?;
        let claimed = client.follow_up(execution, &asked).await?;
        context.output.result(&claimed, || "The agent goes on".to_owned())
    }
}
