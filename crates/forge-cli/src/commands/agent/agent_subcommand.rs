//! The command `forge agent`.

use clap::Subcommand;
use forge_api::AgentWaitReason;

use crate::cli_error::CliError;
use crate::commands::agent::acp_bridge::AcpBridgeArgs;
use crate::commands::agent::add::AgentAddArgs;
use crate::commands::agent::check::AgentCheckArgs;
use crate::commands::agent::edit::AgentEditArgs;
use crate::commands::agent::probe::AgentProbeArgs;
use crate::commands::agent::show::AgentDetails;
use crate::context::CliContext;
use crate::lookup::{fetch_agent, fetch_agents};
use crate::terminal::confirm::confirm;
use crate::terminal::relative_time::CurrentTime;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::truncation_note;

/// Agents: named workers that run a coding agent
#[derive(Debug, Subcommand)]
pub(crate) enum AgentSubcommand {
    /// List all agents
    #[command(visible_alias = "ls")]
    List,
    Add(Box<AgentAddArgs>),
    Edit(Box<AgentEditArgs>),
    Check(AgentCheckArgs),
    /// Show which agent programs are installed, how they are signed in and how they are called
    Probe(AgentProbeArgs),
    /// Talk to an ACP agent; the server starts this itself
    #[command(hide = true)]
    AcpBridge(AcpBridgeArgs),
    /// Show an agent
    Show {
        /// Name or identifier
        agent: String,
    },
    /// Remove an agent
    ///
    /// Refused while it works. It loses its roles in open tasks, and no agent falls back on it. Its history stays and
    /// shows its name, which can be given to another agent.
    #[command(visible_alias = "rm")]
    Remove {
        /// Name or identifier
        agent: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Stop an agent from taking new work
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

impl AgentSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        // Some actions need no server.
        let connect = || context.client();
        match self {
            Self::Probe(probe) => probe.run(context).await,
            Self::AcpBridge(bridge) => bridge.run(context).await,
            Self::Check(check) => check.run(context).await,
            Self::List => list(context).await,
            Self::Show { agent } => {
                let client = connect()?;
                let agent = fetch_agent(&client, &agent).await?;
                AgentDetails::fetch(&client, agent).await?.print(context)
            }
            Self::Add(add) => add.run(context).await,
            Self::Edit(edit) => edit.run(context).await,
            Self::Remove { agent, yes } => {
                let client = connect()?;
                let agent = fetch_agent(&client, &agent).await?;
                if !yes {
                    confirm(&format!("Remove the agent {}?", one_line(&agent.name))).await?;
                }
                client.agents().remove(agent.id).await?;
                print_agent(context, &agent, "Removed")
            }
            Self::Pause { agent } => {
                let client = connect()?;
                let id = fetch_agent(&client, &agent).await?.id;
                print_agent(context, &client.agents().pause(id).await?, "Paused")
            }
            Self::Resume { agent } => {
                let client = connect()?;
                let id = fetch_agent(&client, &agent).await?.id;
                print_agent(context, &client.agents().resume(id).await?, "Resumed")
            }
        }
    }
}

fn print_agent(context: &CliContext, agent: &forge_api::Agent, what: &str) -> Result<(), CliError> {
    context.output.print_result(agent, || format!("{what} agent {}", one_line(&agent.name)))
}

pub(crate) fn command_of(agent: &forge_api::Agent) -> String {
    let executor = &agent.executor;
    // A kind without a custom command is called by the kind's name.
    let kind = serde_json::to_value(executor.kind).ok();
    let kind = kind.and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
    let program = if executor.command.is_empty() { vec![kind] } else { executor.command.clone() };
    program.into_iter().chain(executor.arguments.iter().cloned()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn roles_of(agent: &forge_api::Agent) -> String {
    if agent.roles.is_empty() { "any".to_owned() } else { agent.roles.join(", ") }
}

/// Whether the agent takes work, and if not, what it waits for.
pub(crate) fn condition(now: CurrentTime, agent: &forge_api::Agent) -> (TextStyle, String) {
    let waiting = agent.waiting.as_ref().map(|wait| (wait.reason, wait.until.as_deref()));
    match (agent.paused, waiting) {
        (true, _) => (TextStyle::Warning, "paused".to_owned()),
        (false, Some((AgentWaitReason::Login, _))) => {
            (TextStyle::Error, "not signed in".to_owned())
        }
        (false, Some((AgentWaitReason::Quota, until))) => {
            let until = until.map(|at| format!(", back {}", now.until(at))).unwrap_or_default();
            (TextStyle::Warning, format!("waiting for quota{until}"))
        }
        (false, None) => (TextStyle::Success, "ready".to_owned()),
    }
}

async fn list(context: &CliContext) -> Result<(), CliError> {
    let page = fetch_agents(&context.client()?).await?;
    let mut table =
        TextTable::new(&["name", "roles", "concurrency", "condition", "command"]).flexible(4);
    for agent in &page.items {
        let (ink, condition) = condition(context.now, agent);
        table.row([
            (TextStyle::Bold, &agent.name),
            (TextStyle::Plain, &roles_of(agent)),
            (TextStyle::Plain, &agent.max_concurrent.to_string()),
            (ink, &condition),
            (TextStyle::Dim, &command_of(agent)),
        ]);
    }
    context.output.print_table(&page, &table)?;
    if let Some(text) = truncation_note(&page) {
        context.output.print_note(text);
    }
    Ok(())
}
