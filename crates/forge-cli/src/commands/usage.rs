//! The command `forge usage`.

use clap::Args;
use forge_api::UsageSum;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_agent};
use crate::task_ref::TaskRef;
use crate::terminal::micro_dollars::MicroDollars;
use crate::terminal::text_style::TextStyle;

/// Show the reported usage of agents: of a project, a task or an agent
#[derive(Debug, Args)]
pub(crate) struct UsageArgs {
    /// One task: T-12, or its identifier
    #[arg(conflicts_with = "agent")]
    task: Option<TaskRef>,
    /// One agent, in all projects that you may see
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    project: ProjectOption,
}

impl UsageArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let sum = match (self.task, &self.agent) {
            (Some(task), _) => {
                let id = self.project.fetch_task_id(&client, task).await?;
                client.usage().fetch_for_task(id).await?
            }
            (None, Some(agent)) => {
                let id = fetch_agent(&client, agent).await?.id;
                client.usage().fetch_for_agent(id).await?
            }
            (None, None) => {
                let id = self.project.fetch_id(&client).await?;
                client.usage().fetch_for_project(id).await?
            }
        };
        print_usage(context, &sum)
    }
}

/// Prints the usage and its limits.
pub(crate) fn print_usage(context: &CliContext, sum: &UsageSum) -> Result<(), CliError> {
    if context.output.is_json() {
        return context.output.print_result(sum, String::new);
    }
    let budget = sum.budget.unwrap_or_default();
    let of = |limit: Option<String>| limit.map_or_else(String::new, |limit| format!(" of {limit}"));
    let used = sum.usage;
    let tokens = used.input_tokens.saturating_add(used.output_tokens);
    let cost = used
        .cost_micro_usd
        .map_or_else(|| "not told".to_owned(), |cost| MicroDollars(cost).to_string());
    let mut text = format!(
        "runs    {}\ncost    {cost}{}\ntokens  {tokens}{} ({} read, {} of them from a cache; {} written)\n",
        sum.executions,
        of(budget.cost_micro_usd.map(|limit| MicroDollars(limit).to_string())),
        of(budget.tokens.map(|limit| limit.to_string())),
        used.input_tokens,
        used.cached_tokens,
        used.output_tokens,
    );
    if sum.exhausted {
        let message = "the budget is used up: no agent starts until it is raised";
        text.push_str(&format!("{}\n", context.output.styled(TextStyle::Warning, message)));
    }
    context.output.print_text(&text)
}
