//! `forge task steer`

use clap::Args;
use forge_api::{NewSteer, SteerDelivery};

use super::last_run::LastRun;
use crate::context::Context;
use crate::failure::Failure;
use crate::text_source;

/// Say something to the agent that works on a task
///
/// An agent that can hear it (kind acp) is told in the middle of its turn; the others in another turn right after it.
#[derive(Debug, Args)]
pub(crate) struct Steer {
    #[command(flatten)]
    run: LastRun,
    /// What the agent is told: text, @FILE, or - for standard input
    message: String,
}

impl Steer {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let asked = NewSteer { message: text_source::read(&self.message)? };
        let execution = self.run.fetch_id(&client).await?;
        let steered = client.steer_execution(execution, &asked).await?;
        context.output.result(&steered, || {
            match steered.delivery {
                SteerDelivery::Live => "The agent is told now",
                SteerDelivery::NextTurn => "Queued: the agent is told when its turn is over",
            }
            .to_owned()
        })
    }
}
