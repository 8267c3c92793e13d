//! `forge agent`

use clap::Subcommand;

use super::acp_bridge::AcpBridge;
use super::add::Add;
use super::check::Check;
use super::edit::Edit;
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
    Add(Box<Add>),
    Edit(Box<Edit>),
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
            Self::Add(add) => add.run(context).await,
            Self::Edit(edit) => edit.run(context).await,
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
    let executor = &agent.executor;
    // A kind without a command of its own is called by the kind's name.
    let kind = serde_json::to_value(executor.kind).ok();
    let kind = kind.and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
    let program = if executor.command.is_empty() { vec![kind] } else { executor.command.clone() };
    program.into_iter().chain(executor.arguments.iter().cloned()).collect::<Vec<_>>().join(" ")
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
