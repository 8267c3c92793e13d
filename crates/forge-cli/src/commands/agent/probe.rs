//! The command `forge agent probe`.

use std::ffi::OsString;

use clap::Args;
use forge_agent::{AgentKind, InstalledAgent, LoginState, probe_agents};
use forge_api::{AgentLogin, AgentProbe};
use serde::Serialize;

use crate::cli_error::CliError;
use crate::commands::agent::add::kind_parser;
use crate::commands::agent::agent_subcommand::condition;
use crate::context::CliContext;
use crate::lookup::fetch_agent;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};

/// Without a name it searches for agent programs on the PATH of this shell. With names it asks the server to check
/// the programs of these agents in the environment of their executions; an agent that waits for a login continues if
/// its program is signed in.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  forge agent probe --kind codex\n  forge agent probe ada")]
pub(crate) struct AgentProbeArgs {
    /// Names or identifiers of agents that the server should check
    #[arg(value_name = "AGENT", conflicts_with = "kinds")]
    agents: Vec<String>,
    /// Only this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = kind_parser::<AgentKind>())]
    kinds: Vec<AgentKind>,
}

#[derive(Serialize)]
struct ProbeReport<T> {
    items: Vec<T>,
}

impl AgentProbeArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        if self.agents.is_empty() {
            self.probe_locally(context).await
        } else {
            self.probe_on_server(context).await
        }
    }

    async fn probe_locally(self, context: &CliContext) -> Result<(), CliError> {
        let kinds = if self.kinds.is_empty() { AgentKind::ALL.to_vec() } else { self.kinds };
        let environment: Vec<(OsString, OsString)> = context.environment.all().collect();
        let items = probe_agents(kinds, &environment)
            .await
            .map_err(|error| CliError::local(error.to_string()))?;
        let columns = ["kind", "program", "version", "tested with", "login", "would run"];
        let mut table = TextTable::new(&columns).flexible(5);
        for found in &items {
            let (ink, version) = version_of(found.version.as_ref(), found.problem.as_ref());
            let path = found.path.as_ref().map(|path| path.to_string_lossy().into_owned());
            let (login_ink, login) = login_of(found);
            table.row([
                (TextStyle::Bold, found.kind.as_str()),
                (TextStyle::Plain, path.as_deref().unwrap_or(&found.program)),
                (ink, version),
                (TextStyle::Dim, found.tested_version.as_deref().unwrap_or("documentation")),
                (login_ink, &login),
                (TextStyle::Dim, &found.command.join(" ")),
            ]);
        }
        context.output.print_table(&ProbeReport { items }, &table)?;
        context.output.print_note("shell and acp agents run any command: forge agent add --help");
        Ok(())
    }

    async fn probe_on_server(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let mut items: Vec<AgentProbe> = Vec::new();
        for name in &self.agents {
            let id = fetch_agent(&client, name).await?.id;
            items.push(client.agents().probe(id).await?);
        }
        let columns = ["agent", "program", "version", "tested with", "login", "condition"];
        let mut table = TextTable::new(&columns).flexible(1);
        for found in &items {
            let (ink, version) = version_of(found.version.as_ref(), found.problem.as_ref());
            let (login_ink, login) = match found.login {
                Some(AgentLogin::SignedIn) => (TextStyle::Success, "signed in"),
                Some(AgentLogin::ApiKey) => (TextStyle::Success, "by API key"),
                Some(AgentLogin::SignedOut) => (TextStyle::Error, "not signed in"),
                Some(AgentLogin::Unknown) => (TextStyle::Dim, "not known"),
                None => (TextStyle::Dim, ""),
            };
            let (condition_ink, condition) = condition(context.now, &found.agent);
            table.row([
                (TextStyle::Bold, one_line(&found.agent.name).as_str()),
                (TextStyle::Plain, found.path.as_deref().unwrap_or(&found.program)),
                (ink, version),
                (TextStyle::Dim, found.tested_version.as_deref().unwrap_or("documentation")),
                (login_ink, login),
                (condition_ink, &condition),
            ]);
        }
        context.output.print_table(&ProbeReport { items }, &table)
    }
}

fn version_of<'a>(
    version: Option<&'a String>,
    problem: Option<&'a String>,
) -> (TextStyle, &'a str) {
    match (version, problem) {
        (Some(version), _) => (TextStyle::Success, version.as_str()),
        (None, Some(problem)) => (TextStyle::Error, problem.as_str()),
        (None, None) => (TextStyle::Dim, "not found"),
    }
}

fn login_of(found: &InstalledAgent) -> (TextStyle, String) {
    match found.login {
        Some(login @ (LoginState::SignedIn | LoginState::ApiKey)) => {
            (TextStyle::Success, login.to_string())
        }
        Some(LoginState::SignedOut) => (TextStyle::Error, LoginState::SignedOut.to_string()),
        Some(LoginState::Unknown) => (TextStyle::Dim, LoginState::Unknown.to_string()),
        None => (TextStyle::Dim, String::new()),
    }
}
