//! The command `forge usage`.

use clap::Args;
use forge_api::{RoleAssignee, UsageSum};
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::fetch_executions;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_agent, fetch_assignee_name};
use crate::task_ref::TaskRef;
use crate::terminal::micro_dollars::MicroDollars;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// Show the tokens and costs of a project, a task or an agent
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
        let task = match self.task {
            Some(task) => Some(self.project.fetch_task_id(&client, task).await?),
            None => None,
        };
        let sum = match (task, &self.agent) {
            (Some(task), _) => client.usage().fetch_for_task(task).await?,
            (None, Some(agent)) => {
                let id = fetch_agent(&client, agent).await?.id;
                client.usage().fetch_for_agent(id).await?
            }
            (None, None) => {
                let id = self.project.fetch_id(&client).await?;
                client.usage().fetch_for_project(id).await?
            }
        };
        print_usage(context, &sum)?;
        match task.filter(|_| sum.runs > sum.executions && !context.output.is_json()) {
            Some(task) => print_silent_runs(context, &client, task).await,
            None => Ok(()),
        }
    }
}

/// Lists the runs of a task whose programs reported no usage.
async fn print_silent_runs(
    context: &CliContext,
    client: &ApiClient,
    task: Uuid,
) -> Result<(), CliError> {
    let mut text = "\nWithout reported usage:\n".to_owned();
    for execution in fetch_executions(client, task).await? {
        let (Some(agent), None) = (execution.agent_id, execution.usage) else { continue };
        let name = fetch_assignee_name(client, RoleAssignee::Agent(agent)).await;
        let at = execution.started_at.as_deref().map(|at| context.now.ago(at));
        let at = at.unwrap_or_else(|| "not started".to_owned());
        text.push_str(&format!("  {} as {}, {at}\n", one_line(&name), one_line(&execution.role)));
    }
    context.output.print_text(&text)
}

/// Cost and tokens on one line.
pub(crate) fn describe_usage(sum: &UsageSum) -> String {
    if sum.executions == 0 {
        return "no usage reported".to_owned();
    }
    let tokens = sum.usage.input_tokens.saturating_add(sum.usage.output_tokens);
    match sum.usage.cost_micro_usd {
        Some(cost) => format!("{}, {tokens} tokens", MicroDollars(cost)),
        None => format!("{tokens} tokens, cost not reported"),
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
        .map_or_else(|| "not reported".to_owned(), |cost| MicroDollars(cost).to_string());
    let silent = match sum.runs.saturating_sub(sum.executions) {
        0 => String::new(),
        silent => format!(", {silent} of them without reported usage"),
    };
    let mut text = format!(
        "runs    {}{silent}\ncost    {cost}{}\ntokens  {tokens}{} ({} read, {} of them from a cache; {} written)\n",
        sum.runs,
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
