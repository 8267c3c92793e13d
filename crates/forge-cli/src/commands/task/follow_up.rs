//! `forge task follow-up`

use clap::Args;
use forge_api::NewFollowUp;
use uuid::Uuid;

use super::log;
use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::text_source;

/// Go on with the conversation of a task's last run
#[derive(Debug, Args)]
pub(crate) struct FollowUp {
    #[command(flatten)]
    target: Target,
    /// What the agent is told: text, @FILE, or - for standard input
    message: String,
    /// Another run than the last
    #[arg(long, value_name = "ID")]
    execution: Option<Uuid>,
}

impl FollowUp {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let asked = NewFollowUp { message: text_source::read(&self.message)? };
        let execution = match self.execution {
            Some(id) => id,
            None => log::last(&self.target, &client).await?.id,
        };
        let claimed = client.follow_up(execution, &asked).await?;
        context.output.result(&claimed, || "The agent goes on".to_owned())
    }
}
