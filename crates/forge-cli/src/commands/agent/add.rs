//! `forge agent add`

use std::collections::BTreeMap;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forge_api::{Executor, ExecutorKind, ExecutorPolicy, NewAgent};
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::lookup::fetch_agent;
use crate::table::one_line;

/// Add an agent
///
/// Without --kind it is a command of yours: it gets its prompt on standard input and in the file $FORGE_PROMPT_FILE, and
/// works in the directory it is started in. No shell interprets it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge agent add ada --kind claude --policy edit --fallback ben\n  forge agent add ben --kind acp -- gemini --acp\n  forge agent add mine --role coder -- ./agent.sh"
)]
pub(crate) struct Add {
    /// Its name
    name: String,
    /// Which program it is; `forge agent probe` shows those that are installed
    #[arg(long, value_name = "KIND", default_value = "shell", value_parser = kinds::<ExecutorKind>())]
    kind: ExecutorKind,
    /// What it may do without asking
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    policy: Option<ExecutorPolicy>,
    /// The model's name
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// One more word for the program; may be repeated
    #[arg(long = "argument", value_name = "WORD", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// A variable of its environment; may be repeated; NAME alone has the value it has here, as a secret should
    #[arg(long = "env", value_name = "NAME[=VALUE]")]
    environment: Vec<String>,
    /// The agent that takes over when this one's allowance is used up
    #[arg(long, value_name = "AGENT")]
    fallback: Option<String>,
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
    /// The program and its arguments; needed by shell and acp, elsewhere it replaces the kind's own
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// The kinds there are adapters for, as the interface names them.
pub(super) fn kinds<K>() -> impl TypedValueParser<Value = K>
where
    K: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(forge_agent::Kind::ALL.map(forge_agent::Kind::as_str))
        .try_map(|word| serde_json::from_value::<K>(word.into()))
}

pub(super) fn policies() -> impl TypedValueParser<Value = ExecutorPolicy> {
    PossibleValuesParser::new(["plan", "edit", "full"])
        .try_map(|word| serde_json::from_value(word.into()))
}

/// A variable and its value, which is the one it has here where none is given.
fn variable(text: &str, here: &Environment) -> Result<(String, String), Failure> {
    if let Some((name, value)) = text.split_once('=') {
        return Ok((name.to_owned(), value.to_owned()));
    }
    match here.get(text).and_then(|value| value.to_str()) {
        Some(value) => Ok((text.to_owned(), value.to_owned())),
        None => {
            let message = format!("{text} is not set here; set it, or write {text}=VALUE");
            Err(Failure::usage(message))
        }
    }
}

impl Add {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        if matches!(self.kind, ExecutorKind::Shell | ExecutorKind::Acp) && self.command.is_empty() {
            let message = "name the program behind --, as in `forge agent add mine -- ./agent.sh`";
            return Err(Failure::usage(message));
        }
        let variables = self.environment.iter().map(|text| variable(text, &context.environment));
        let environment = variables.collect::<Result<BTreeMap<_, _>, _>>()?;
        let client = context.client()?;
        let fallback = match &self.fallback {
            Some(name) => Some(fetch_agent(&client, name).await?.id),
            None => None,
        };
        let executor = Executor {
            command: self.command,
            timeout_seconds: self.timeout,
            arguments: self.arguments,
            policy: self.policy,
            model: self.model,
            environment,
            stalled_after_seconds: self.stalled_after,
            stopped_after_seconds: self.stopped_after,
            ..Executor::of(self.kind)
        };
        let request = NewAgent {
            name: self.name,
            executor,
            roles: self.roles,
            max_concurrent: self.max_concurrent,
            ephemeral: false,
            fallback,
        };
        let agent = client.create_agent(&request).await?;
        context.output.result(&agent, || format!("Added agent {}", one_line(&agent.name)))
    }
}
