//! `forge agent edit`

use clap::Args;
use forge_api::{AgentPatch, Executor, ExecutorPolicy};

use super::add::policies;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::fetch_agent;
use crate::table::one_line;

/// Change an agent
///
/// What is not mentioned stays. What it runs goes on as it was begun. Its kind stays what it is, because its sessions are
/// those of one program.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge agent edit ada --max-concurrent 4 --fallback ben\n  forge agent edit ada --no-fallback --stalled-after 300"
)]
pub(crate) struct Edit {
    /// Name or identifier
    agent: String,
    /// A new name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A role it can take, instead of those it has; may be repeated
    #[arg(long = "role", value_name = "ROLE", conflicts_with = "any_role")]
    roles: Vec<String>,
    /// It can take any role
    #[arg(long)]
    any_role: bool,
    /// How many tasks it may work on at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_concurrent: Option<u32>,
    /// The agent that takes over when this one's allowance is used up
    #[arg(long, value_name = "AGENT", conflicts_with = "no_fallback")]
    fallback: Option<String>,
    /// Nobody takes over
    #[arg(long)]
    no_fallback: bool,
    /// What it may do without asking
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    policy: Option<ExecutorPolicy>,
    /// The model's name
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Stop a run that takes longer; 0 for no limit
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Count it as stalled after so long without output or a changed file; 0 for the server's setting
    #[arg(long, value_name = "SECONDS")]
    stalled_after: Option<u64>,
    /// Stop it after so long; 0 for the server's setting
    #[arg(long, value_name = "SECONDS")]
    stopped_after: Option<u64>,
    /// The program and its arguments, instead of those it has
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Edit {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let agent = fetch_agent(&client, &self.agent).await?;
        let fallback = match &self.fallback {
            Some(name) => Some(Some(fetch_agent(&client, name).await?.id)),
            None => self.no_fallback.then_some(None),
        };
        let executor = self.executor(&agent.executor);
        let roles = (self.any_role || !self.roles.is_empty()).then_some(self.roles);
        let patch = AgentPatch {
            version: agent.version,
            name: self.name,
            executor: Some(executor).filter(|executor| *executor != agent.executor),
            roles,
            max_concurrent: self.max_concurrent,
            fallback,
        };
        let nothing = AgentPatch {
            version: agent.version,
            name: None,
            executor: None,
            roles: None,
            max_concurrent: None,
            fallback: None,
        };
        if patch == nothing {
            return Err(Failure::usage("say what is to change; see `forge agent edit --help`"));
        }
        let agent = client.update_agent(agent.id, &patch).await?;
        context.output.result(&agent, || format!("Changed agent {}", one_line(&agent.name)))
    }

    /// The call as it is, with what is to be different.
    fn executor(&self, now: &Executor) -> Executor {
        let mut executor = now.clone();
        if !self.command.is_empty() {
            executor.command.clone_from(&self.command);
        }
        executor.policy = self.policy.or(executor.policy);
        executor.model = self.model.clone().or(executor.model);
        let limits = [
            (self.timeout, &mut executor.timeout_seconds),
            (self.stalled_after, &mut executor.stalled_after_seconds),
            (self.stopped_after, &mut executor.stopped_after_seconds),
        ];
        for (asked, limit) in limits {
            if let Some(seconds) = asked {
                *limit = (seconds > 0).then_some(seconds);
            }
        }
        executor
    }
}
