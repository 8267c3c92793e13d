//! The command `forge agent show`.

use forge_api::{Agent, AgentEnvironment};
use forge_client::ApiClient;
use serde::Serialize;

use crate::cli_error::CliError;
use crate::commands::agent::agent_subcommand::{command_of, condition, roles_of};
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// An agent with the environment of its program.
#[derive(Debug, Serialize)]
pub(crate) struct AgentDetails {
    #[serde(flatten)]
    agent: Agent,
    environment: AgentEnvironment,
    #[serde(skip)]
    works_for: String,
}

impl AgentDetails {
    pub(crate) async fn fetch(client: &ApiClient, agent: Agent) -> Result<Self, CliError> {
        let environment = client.agents().fetch_environment(agent.id).await?;
        let works_for = match agent.project_id {
            Some(id) => client.projects().fetch(id).await?.name,
            None => "every project".to_owned(),
        };
        Ok(Self { agent, environment, works_for })
    }

    pub(crate) fn print(&self, context: &CliContext) -> Result<(), CliError> {
        context.output.print_result(self, || self.describe(context))
    }

    fn describe(&self, context: &CliContext) -> String {
        let agent = &self.agent;
        let mut text = context.output.styled(TextStyle::Bold, &one_line(&agent.name));
        text.push('\n');
        let mut line = |name: &str, value: &str| {
            text.push_str(&format!("  {name:<11} {}\n", one_line(value)));
        };
        line("command", &command_of(agent));
        line("works for", &self.works_for);
        line("roles", &roles_of(agent));
        line("concurrency", &agent.max_concurrent.to_string());
        line("condition", &condition(context.now, agent).1);
        let environment = &self.environment;
        let lists = [
            ("inherits", &environment.inherited),
            ("passed", &environment.passed),
            ("not set", &environment.missing),
            ("set", &environment.set),
        ];
        for (name, variables) in lists {
            if !variables.is_empty() {
                line(name, &variables.join(", "));
            }
        }
        if let Some(key) = &environment.api_key {
            line("charged", &format!("{key} is charged by use instead of a subscription"));
        }
        text
    }
}
