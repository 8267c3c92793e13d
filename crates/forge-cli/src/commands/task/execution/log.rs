//! The command `forge task log`.

use clap::Args;
use forge_api::{LogEventPage, LogEventQuery};
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::commands::task::execution::{log_line, log_printer};
use crate::context::CliContext;

/// Show the output of a task's last execution
#[derive(Debug, Args)]
pub(crate) struct TaskLogArgs {
    /// Continue to print new output until the execution ends
    #[arg(long, short)]
    follow: bool,
    /// Show events instead of the raw output: the agent's text, reasoning and tool calls
    #[arg(long)]
    events: bool,
    /// Only the last N events
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    tail: Option<u32>,
    #[command(flatten)]
    run: ExecutionTarget,
}

impl TaskLogArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let execution = self.run.fetch_id(&client).await?;
        if self.events || self.tail.is_some() {
            return self.show_events(context, &client, execution).await;
        }
        log_printer::print_log(context, self.follow, async |query| {
            client.executions().fetch_log(execution, query).await
        })
        .await
    }

    async fn show_events(
        &self,
        context: &CliContext,
        client: &ApiClient,
        execution: Uuid,
    ) -> Result<(), CliError> {
        let mut query = LogEventQuery { tail: self.tail, ..LogEventQuery::default() };
        let mut ticks = log_printer::poll_interval();
        let mut all = Vec::new();
        loop {
            let page = client.executions().fetch_log_events(execution, &query).await?;
            let grew = !page.events.is_empty();
            query = LogEventQuery { after: Some(page.next), ..LogEventQuery::default() };
            if context.output.is_json() {
                all.extend(page.events);
            } else {
                for event in &page.events {
                    context.output.print_raw(&log_line::format_event(event))?;
                }
            }
            if page.end || (!grew && !self.follow) {
                let whole = LogEventPage { events: all, next: page.next, end: page.end };
                return if context.output.is_json() {
                    context.output.print_result(&whole, String::new)
                } else {
                    Ok(())
                };
            }
            if !grew {
                ticks.tick().await;
            }
        }
    }
}
