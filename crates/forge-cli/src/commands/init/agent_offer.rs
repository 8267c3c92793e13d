//! Offers the installed agent programs as agents.

use std::io::{self, IsTerminal};

use forge_agent::AgentKind;
use forge_api::Agent;
use forge_client::ApiClient;

use crate::cli_error::CliError;
use crate::commands::agent::installed_agent::{add_installed_agent, describe, probe_installed};
use crate::context::CliContext;
use crate::lookup::fetch_agents;
use crate::terminal::confirm::ask_yes;

/// What `forge init` did about agents.
#[derive(Debug, Default)]
pub(crate) struct AgentOffer {
    pub(crate) added: Vec<Agent>,
    pub(crate) notes: Vec<String>,
    /// The name of an agent that can work now.
    pub(crate) example: Option<String>,
}

/// Adds the requested agents. For other installed programs asks on a terminal, and names the command elsewhere. Agents
/// that exist stay as they are.
pub(crate) async fn offer_agents(
    context: &CliContext,
    client: &ApiClient,
    requested: &[AgentKind],
    probes_all: bool,
) -> Result<AgentOffer, CliError> {
    let mut offer = AgentOffer::default();
    let known = fetch_agents(client).await?.items;
    let is_known = |kind: &AgentKind| known.iter().any(|agent| agent.name == kind.as_str());
    offer.example = known.first().map(|agent| agent.name.clone());
    for kind in requested.iter().filter(|kind| !is_known(kind)) {
        let agent = add_installed_agent(client, *kind, None).await?;
        offer.notes.push(format!("Added the agent {}.", agent.name));
        offer.example = Some(agent.name.clone());
        offer.added.push(agent);
    }
    if !probes_all {
        return Ok(offer);
    }
    let is_new = |kind: &AgentKind| !is_known(kind) && !requested.contains(kind);
    let asks = io::stdin().is_terminal() && !context.output.is_json();
    let mut found =
        probe_installed(context, AgentKind::ALL.into_iter().filter(is_new).collect()).await?;
    // A program that does not even name its version is not offered.
    found.retain(|found| found.version.is_some());
    for program in &found {
        let (kind, described) = (program.kind, describe(program));
        if !asks {
            offer.notes.push(format!("Found {described}; add it with: forge init --agent {kind}"));
        } else if ask_yes(&format!("Add the agent {described}?")).await? {
            let agent = add_installed_agent(client, kind, None).await?;
            offer.example = Some(agent.name.clone());
            offer.added.push(agent);
        }
    }
    if offer.example.is_none() {
        offer.example = found.first().map(|program| program.kind.to_string());
    }
    Ok(offer)
}
