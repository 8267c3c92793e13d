//! `forge agent`

use clap::Subcommand;
use forge_api::{Executor, NewAgent};

use super::acp_bridge::AcpBridge;
use super::check::Check;
use super::probe::Probe;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{fetch_agent, fetch_agents};
use crate::paint::Ink;
use crate::table::{Table, one_line};
use crate::words::more;

/// Agents: named workers that run a coding agent
#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// List agents
    #[command(visible_alias = "ls")]
    List,
    /// Add an agent that is a command
    ///
    /// The command gets its prompt on standard input and in the file $FORGE_PROMPT_FILE, and works in the directory it
    /// is started in. No shell interprets it.
    #[command(
        after_help = "Example: forge agent add claude --role coder -- claude -p --output-format stream-json"
    )]
    Add {
        /// Its name
        name: String,
        /// How many tasks it may work on at once
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        max_concurrent: Option<u32>,
        /// A role it can take; may be repeated; any if left out
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<String>,
        /// Stop a run that takes longer
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
        timeout: Option<u64>,
        /// Count it as stalled after so long without output or a changed file; the server's setting if left out
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
        stalled_after: Option<u64>,
        /// Stop it after so long; the server's setting if left out
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
        stopped_after: Option<u64>,
        /// The program and its arguments
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    Check(Check),
    /// Show which agent programs are installed and how they would be called
    Probe(Probe),
    /// Speak with an agent for the server, which starts this itself
    #[command(hide = true)]
    AcpBridge(AcpBridge),
    /// Show an agent
    Show {
        /// Name or identifier
        agent: String,
    },
    /// Keep an agent from taking new work
    Pause {
        /// Name or identifier
        agent: String,
    },
    /// Let an agent take work again
    Resume {
        /// Name or identifier
        agent: String,
    },
}

impl Agent {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        // Not every action needs a server.
        let connect = || context.client();
        match self {
            Self::Probe(probe) => probe.run(context).await,
            Self::AcpBridge(bridge) => bridge.run(context).await,
            Self::Check(check) => check.run(context).await,
            Self::List => list(context).await,
            Self::Show { agent } => {
                let agent = fetch_agent(&connect()?, &agent).await?;
                context.output.result(&agent, || described(context, &agent))
            }
            Self::Add {
                name,
                max_concurrent,
                roles,
                timeout,
                stalled_after,
                stopped_after,
                command,
            } => {
                let request = NewAgent {
                    name,
                    executor: Executor::Shell {
                        command,
                        timeout_seconds: timeout,
                        stalled_after_seconds: stalled_after,
                        stopped_after_seconds: stopped_after,
                    },
                    roles,
                    max_concurrent,
                    ephemeral: false,
                };
                tell(context, &connect()?.create_agent(&request).await?, "Added")
            }
            Self::Pause { agent } => {
                let client = connect()?;
                let id = fetch_agent(&client, &agent).await?.id;
                tell(context, &client.pause_agent(id).await?, "Paused")
            }
            Self::Resume { agent } => {
                let client = connect()?;
                let id = fetch_agent(&client, &agent).await?.id;
                tell(context, &client.resume_agent(id).await?, "Resumed")
            }
        }
    }
}

fn tell(context: &Context, agent: &forge_api::Agent, what: &str) -> Result<(), Failure> {
    context.output.result(agent, || format!("{what} agent {}", one_line(&agent.name)))
}

fn command_of(agent: &forge_api::Agent) -> String {
    let Executor::Shell { command, .. } = &agent.executor;
    command.join(" ")
}

fn roles_of(agent: &forge_api::Agent) -> String {
    if agent.roles.is_empty() { "any".to_owned() } else { agent.roles.join(", ") }
}

fn described(context: &Context, agent: &forge_api::Agent) -> String {
    let condition = if agent.paused { "paused" } else { "ready" };
    format!(
        "{}\n  identifier  {}\n  command     {}\n  roles       {}\n  at once     {}\n  condition   {condition}\n",
        context.output.ink(Ink::Strong, &one_line(&agent.name)),
        agent.id,
        one_line(&command_of(agent)),
        one_line(&roles_of(agent)),
        agent.max_concurrent,
    )
}

async fn list(context: &Context) -> Result<(), Failure> {
    let page = fetch_agents(&context.client()?).await?;
    let mut table = Table::new(&["name", "roles", "at once", "condition", "command"]).flexible(4);
    for agent in &page.items {
        let condition = if agent.paused { (Ink::Doubtful, "paused") } else { (Ink::Good, "ready") };
        table.row([
            (Ink::Strong, &agent.name),
            (Ink::Plain, &roles_of(agent)),
            (Ink::Plain, &agent.max_concurrent.to_string()),
            condition,
            (Ink::Faint, &command_of(agent)),
        ]);
    }
    context.output.table(&page, &table)?;
    if let Some(text) = more(&page) {
        context.output.note(text);
    }
    Ok(())
}
