//! Adds agents for programs that are installed on this machine.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use forge_agent::{AgentKind, InstalledAgent, LoginState, probe_agents};
use forge_api::{Agent, AgentExecutor, NewAgent, UserRole};
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::{fetch_agent, fetch_agents};
use crate::terminal::confirm::ask_yes;
use crate::terminal::text_table::one_line;

/// How many tasks an agent works on at once if the user did not choose a number.
const USUAL_CONCURRENCY: u32 = 3;

/// The agent with this name or identifier. If there is none and the name is that of an installed agent program, adds
/// it: on a terminal after a question, otherwise with a note.
pub(crate) async fn fetch_or_add_agent(
    context: &CliContext,
    client: &ApiClient,
    name: &str,
    project: Uuid,
) -> Result<Agent, CliError> {
    let Some(kind) = program_kind(name) else { return fetch_agent(client, name).await };
    let known = fetch_agents(client).await?.items;
    if let Some(agent) = known.into_iter().find(|agent| agent.name == name) {
        return Ok(agent);
    }
    let Some(found) = probe_installed(context, vec![kind]).await?.pop() else {
        return Err(CliError::not_found(format!(
            "there is no agent `{name}`, and its program is not on this shell's PATH"
        ))
        .hint("`forge agent probe` shows which agent programs are installed")
        .hint("`forge agent add` adds an agent of your own"));
    };
    let question = format!("There is no agent {name} yet. Add {}?", describe(&found));
    if io::stdin().is_terminal() && !context.output.is_json() && !ask_yes(&question).await? {
        return Err(CliError::usage("nothing was done").hint("name another agent with --agent"));
    }
    let agent = add_installed_agent(client, kind, Some(project)).await?;
    context.output.print_note(&format!("Added the agent {}.", describe(&found)));
    Ok(agent)
}

/// The installed programs of these kinds, in the given order.
pub(crate) async fn probe_installed(
    context: &CliContext,
    kinds: Vec<AgentKind>,
) -> Result<Vec<InstalledAgent>, CliError> {
    let environment: Vec<(OsString, OsString)> = context.environment.all().collect();
    let found = probe_agents(kinds, &environment)
        .await
        .map_err(|error| CliError::local(error.to_string()))?;
    Ok(found.into_iter().filter(|found| found.path.is_some()).collect())
}

/// Adds an agent with the kind's name and usual settings. An admin's agent works for every project, a member's for the
/// named one.
pub(crate) async fn add_installed_agent(
    client: &ApiClient,
    kind: AgentKind,
    project: Option<Uuid>,
) -> Result<Agent, CliError> {
    let me = client.accounts().fetch_me().await?.user;
    let is_admin = me.is_some_and(|me| me.role == UserRole::Admin);
    let request = NewAgent {
        name: kind.as_str().to_owned(),
        executor: AgentExecutor::of(executor_kind(kind)?),
        roles: Vec::new(),
        max_concurrent: Some(USUAL_CONCURRENCY),
        ephemeral: false,
        fallback: None,
        project_id: project.filter(|_| !is_admin),
    };
    Ok(client.agents().create(&request).await?)
}

/// Name, version and login of a program, in one line.
pub(crate) fn describe(found: &InstalledAgent) -> String {
    let version = found.version.as_deref().map(one_line).unwrap_or_default();
    let login = match found.login {
        Some(LoginState::SignedOut) => ", not signed in",
        _ => "",
    };
    let details = format!("{version}{login}");
    match details.trim_start_matches(", ") {
        "" => found.kind.to_string(),
        details => format!("{} ({details})", found.kind),
    }
}

/// The kind whose program has a name of its own, if this is one.
fn program_kind(name: &str) -> Option<AgentKind> {
    let own = |kind: &AgentKind| !matches!(kind, AgentKind::Shell | AgentKind::Acp);
    AgentKind::ALL.into_iter().filter(own).find(|kind| kind.as_str() == name)
}

/// The kinds and their names are the same on the wire.
fn executor_kind(kind: AgentKind) -> Result<forge_api::ExecutorKind, CliError> {
    serde_json::from_value(kind.as_str().into()).map_err(|error| CliError::local(error.to_string()))
}
