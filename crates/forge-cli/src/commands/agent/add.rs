//! The command `forge agent add`.

use std::collections::BTreeMap;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forge_api::{AgentExecutor, ExecutorKind, ExecutorPolicy, NewAgent};
use serde::de::DeserializeOwned;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::environment::ProcessEnvironment;
use crate::lookup::{fetch_agent, fetch_project};
use crate::terminal::text_table::one_line;

/// Add an agent
///
/// Without --kind the agent is a command of your own: it gets its prompt on standard input and in the file
/// $FORGE_PROMPT_FILE, and works in the directory it is started in. No shell interprets the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge agent add ada --kind claude --policy edit --fallback ben\n  forge agent add ben --kind acp -- gemini --acp\n  forge agent add mine --role coder -- ./agent.sh"
)]
pub(crate) struct AgentAddArgs {
    /// Name of the agent
    name: String,
    /// Kind of agent program; `forge agent probe` shows which are installed
    #[arg(long, value_name = "KIND", default_value = "shell", value_parser = kind_parser::<ExecutorKind>())]
    kind: ExecutorKind,
    /// What the agent may do without asking
    #[arg(long, value_name = "POLICY", value_parser = policy_parser())]
    policy: Option<ExecutorPolicy>,
    /// Name of the model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Additional argument for the program; may be repeated
    #[arg(long = "argument", value_name = "WORD", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// Variable for the agent; NAME alone takes its value from this shell
    #[arg(long = "env", value_name = "NAME[=VALUE]")]
    environment: Vec<String>,
    /// Variable of the server to pass to the agent; may be repeated
    #[arg(long = "pass", value_name = "NAME")]
    pass_environment: Vec<String>,
    /// Directory for the program's settings and login
    #[arg(long, value_name = "DIRECTORY")]
    config_directory: Option<String>,
    /// Agent that takes over without quota or sign-in
    #[arg(long, value_name = "AGENT")]
    fallback: Option<String>,
    /// Project it belongs to; default: every project (admins only)
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// How many tasks the agent may work on at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_concurrent: Option<u32>,
    /// Role that the agent can take; may be repeated; default: any role
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Stop an execution that takes longer
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Mark it as stalled after this time without a sign of life
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    stalled_after: Option<u64>,
    /// Stop it after this time without a sign of life
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    stopped_after: Option<u64>,
    /// The program and its arguments; required for shell and acp, otherwise replaces the kind's default program
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// The supported kinds, by their API names.
pub(crate) fn kind_parser<K>() -> impl TypedValueParser<Value = K>
where
    K: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(forge_agent::AgentKind::ALL.map(forge_agent::AgentKind::as_str))
        .try_map(|word| serde_json::from_value::<K>(word.into()))
}

pub(crate) fn policy_parser() -> impl TypedValueParser<Value = ExecutorPolicy> {
    PossibleValuesParser::new(["plan", "edit", "full"])
        .try_map(|word| serde_json::from_value(word.into()))
}

/// A variable and its value; without a value it is taken from this environment.
fn parse_variable(text: &str, here: &ProcessEnvironment) -> Result<(String, String), CliError> {
    if let Some((name, value)) = text.split_once('=') {
        return Ok((name.to_owned(), value.to_owned()));
    }
    match here.get(text).and_then(|value| value.to_str()) {
        Some(value) => Ok((text.to_owned(), value.to_owned())),
        None => {
            let message = format!("{text} is not set here; set it, or write {text}=VALUE");
            Err(CliError::usage(message))
        }
    }
}

impl AgentAddArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        if matches!(self.kind, ExecutorKind::Shell | ExecutorKind::Acp) && self.command.is_empty() {
            let message = "name the program after --, as in `forge agent add mine -- ./agent.sh`";
            return Err(CliError::usage(message));
        }
        let variables =
            self.environment.iter().map(|text| parse_variable(text, &context.environment));
        let environment = variables.collect::<Result<BTreeMap<_, _>, _>>()?;
        let client = context.client()?;
        let fallback = match &self.fallback {
            Some(name) => Some(fetch_agent(&client, name).await?.id),
            None => None,
        };
        let project_id = match &self.project {
            Some(name) => Some(fetch_project(&client, name).await?.id),
            None => None,
        };
        let executor = AgentExecutor {
            command: self.command,
            timeout_seconds: self.timeout,
            arguments: self.arguments,
            policy: self.policy,
            model: self.model,
            environment,
            pass_environment: self.pass_environment,
            config_directory: self.config_directory,
            stalled_after_seconds: self.stalled_after,
            stopped_after_seconds: self.stopped_after,
            ..AgentExecutor::of(self.kind)
        };
        let request = NewAgent {
            name: self.name,
            executor,
            roles: self.roles,
            max_concurrent: self.max_concurrent,
            ephemeral: false,
            fallback,
            project_id,
        };
        let agent = client.agents().create(&request).await?;
        context.output.print_result(&agent, || format!("Added agent {}", one_line(&agent.name)))
    }
}
