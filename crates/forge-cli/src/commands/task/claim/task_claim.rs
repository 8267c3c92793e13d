//! The command `forge task claim`.

use clap::Args;
use forge_api::ClaimRequest as Request;

use crate::cli_error::CliError;
use crate::commands::task::claim::ClaimOptions;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::lookup::fetch_agent;
use crate::terminal::text_table::one_line;

/// Claim a task for an agent, or for yourself
///
/// With --agent the agent starts. Without it, the workspace is created for you and nothing is started. The options for
/// model, effort, policy and deadline apply to this claim only, until the task gets another holder.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge task claim T-12 --agent claude --model opus --effort high --deadline 30m\n  forge task claim T-12 --agent claude --policy plan"
)]
pub(crate) struct TaskClaimArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Agent that should work on it, by name or identifier
    #[arg(long, short)]
    agent: Option<String>,
    #[command(flatten)]
    options: ClaimOptions,
}

impl TaskClaimArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let agent = match &self.agent {
            Some(name) => Some(fetch_agent(&client, name).await?),
            None => None,
        };
        let task = self.target.fetch_id(&client).await?;
        let overrides = self.options.into_overrides();
        let request = Request { agent_id: agent.as_ref().map(|agent| agent.id), overrides };
        let claimed = client.tasks().claim(task, &request).await?;
        let (key, status) = (&claimed.task.key, &claimed.task.status);
        let who = match (&agent, claimed.execution.agent_id) {
            (Some(agent), _) => one_line(&agent.name),
            // A planner need not name the agent.
            (None, Some(_)) => "its agent".to_owned(),
            (None, None) => "you".to_owned(),
        };
        context
            .output
            .print_result(&claimed, || format!("{key}  {}  claimed for {who}", one_line(status)))?;
        if claimed.execution.agent_id.is_some() {
            context.output.print_note(&format!("Next: `forge task log {key} -f` follows it."));
        } else if !context.output.is_json() {
            let workspace = client.workspaces().fetch(claimed.task.id).await?;
            context.output.print_note(&format!("Next: cd {}", one_line(&workspace.path)));
        }
        Ok(())
    }
}
