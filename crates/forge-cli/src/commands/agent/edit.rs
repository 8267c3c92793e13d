//! The command `forge agent edit`.

use clap::Args;
use forge_api::{AgentExecutor, AgentPatch, ExecutorPolicy};

use crate::cli_error::CliError;
use crate::commands::agent::add::policy_parser;
use crate::context::CliContext;
use crate::lookup::fetch_agent;
use crate::terminal::text_table::one_line;

/// Change an agent
///
/// Options that you leave out stay unchanged. Running executions continue with the old settings. The kind cannot
/// change, because sessions belong to one program.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge agent edit ada --max-concurrent 4 --fallback ben\n  forge agent edit ada --no-fallback --stalled-after 300"
)]
pub(crate) struct AgentEditArgs {
    /// Name or identifier
    agent: String,
    /// New name of the agent
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Role that the agent can take, replacing its current roles; may be repeated
    #[arg(long = "role", value_name = "ROLE", conflicts_with = "any_role")]
    roles: Vec<String>,
    /// Let it take any role
    #[arg(long)]
    any_role: bool,
    /// How many tasks the agent may work on at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_concurrent: Option<u32>,
    /// Directory on the server where the program keeps its settings and login; empty for the program's default
    #[arg(long, value_name = "DIRECTORY")]
    config_directory: Option<String>,
    /// Agent that takes over when this one has no quota left or is not signed in
    #[arg(long, value_name = "AGENT", conflicts_with = "no_fallback")]
    fallback: Option<String>,
    /// Remove the fallback agent
    #[arg(long)]
    no_fallback: bool,
    /// What the agent may do without asking
    #[arg(long, value_name = "POLICY", value_parser = policy_parser())]
    policy: Option<ExecutorPolicy>,
    /// Name of the model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Variable of the server's environment to pass to the agent, replacing the current list; may be repeated
    #[arg(long = "pass", value_name = "NAME", conflicts_with = "pass_nothing")]
    pass_environment: Vec<String>,
    /// Pass no variables of the server's environment
    #[arg(long)]
    pass_nothing: bool,
    /// Stop an execution that takes longer; 0 for no limit
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Mark the agent as stalled after this time without output or a changed file; 0 for the server's setting
    #[arg(long, value_name = "SECONDS")]
    stalled_after: Option<u64>,
    /// Stop the agent after this time without output or a changed file; 0 for the server's setting
    #[arg(long, value_name = "SECONDS")]
    stopped_after: Option<u64>,
    /// The program and its arguments, replacing the current ones
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl AgentEditArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let agent = fetch_agent(&client, &self.agent).await?;
        let fallback = match &self.fallback {
            Some(name) => Some(Some(fetch_agent(&client, name).await?.id)),
            None => self.no_fallback.then_some(None),
        };
        let executor = self.changed_executor(&agent.executor);
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
            return Err(CliError::usage(
                "nothing to change; see `forge agent edit --help` for the options",
            ));
        }
        let agent = client.agents().update(agent.id, &patch).await?;
        context.output.print_result(&agent, || format!("Changed agent {}", one_line(&agent.name)))
    }

    /// The current configuration with the requested changes.
    fn changed_executor(&self, now: &AgentExecutor) -> AgentExecutor {
        let mut executor = now.clone();
        if !self.command.is_empty() {
            executor.command.clone_from(&self.command);
        }
        if self.pass_nothing || !self.pass_environment.is_empty() {
            executor.pass_environment.clone_from(&self.pass_environment);
        }
        executor.policy = self.policy.or(executor.policy);
        executor.model = self.model.clone().or(executor.model);
        if let Some(directory) = &self.config_directory {
            executor.config_directory = Some(directory).filter(|words| !words.is_empty()).cloned();
        }
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
