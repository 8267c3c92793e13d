//! `forge task log`

use clap::Args;
use forge_api::{LogEventPage, LogEventQuery};
use forge_client::Client;
use uuid::Uuid;

use super::last_run::LastRun;
use super::{log_line, printed_log};
use crate::context::Context;
use crate::failure::Failure;

/// Show what a task's last run wrote
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Go on as it is written, until the run ends
    #[arg(long, short)]
    follow: bool,
    /// Show events instead of the output itself: what the agent said, thought and did
    #[arg(long)]
    events: bool,
    /// The last N events only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    tail: Option<u32>,
    #[command(flatten)]
    run: LastRun,
}

impl Log {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let execution = self.run.fetch_id(&client).await?;
        if self.events || self.tail.is_some() {
            return self.show_events(context, &client, execution).await;
        }
        printed_log::print(context, self.follow, async |query| {
            client.fetch_log(execution, query).await
        })
        .await
    }

    async fn show_events(
        &self,
        context: &Context,
        client: &Client,
        execution: Uuid,
    ) -> Result<(), Failure> {
        let mut query = LogEventQuery { tail: self.tail, ..LogEventQuery::default() };
        let mut ticks = printed_log::looks();
        let mut all = Vec::new();
        loop {
            let page = client.fetch_log_events(execution, &query).await?;
            let grew = !page.events.is_empty();
            query = LogEventQuery { after: Some(page.next), ..LogEventQuery::default() };
            if context.output.is_json() {
                all.extend(page.events);
            } else {
                for event in &page.events {
                    context.output.raw(&log_line::shown(event))?;
                }
            }
            if page.end || (!grew && !self.follow) {
                let whole = LogEventPage { events: all, next: page.next, end: page.end };
                return if context.output.is_json() {
                    context.output.result(&whole, String::new)
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
