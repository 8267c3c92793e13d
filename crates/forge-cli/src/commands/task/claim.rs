//! `forge task claim`

use clap::Args;
use forge_api::Claim as Request;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::fetch_agent;
use crate::table::one_line;

/// Claim a task for an agent, or for yourself
///
/// With --agent the agent starts. Without, the workspace is made for you and nothing is started.
#[derive(Debug, Args)]
pub(crate) struct Claim {
    #[command(flatten)]
    target: Target,
    /// The agent that will work, by name or identifier
    #[arg(long, short)]
    agent: Option<String>,
}

impl Claim {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let agent = match &self.agent {
            Some(name) => Some(fetch_agent(&client, name).await?),
            None => None,
        };
        let task = self.target.fetch_id(&client).await?;
        let request = Request { agent_id: agent.as_ref().map(|agent| agent.id), overrides: None };
        let claimed = client.claim_task(task, &request).await?;
        let (key, status) = (&claimed.task.key, &claimed.task.status);
        let who = agent.as_ref().map_or_else(|| "you".to_owned(), |agent| one_line(&agent.name));
        context
            .output
            .result(&claimed, || format!("{key}  {}  claimed for {who}", one_line(status)))?;
        let next = if agent.is_some() {
            format!("Next: `forge task log {key} -f` follows it.")
        } else {
            format!("Next: `forge task show {key}`; the workspace's path is in `--json`.")
        };
        context.output.note(&next);
        Ok(())
    }
}
