//! Prints a log that may still grow.

use std::time::Duration;

use forge_api::{LogEventPage, LogEventQuery, LogPage, LogQuery};
use forge_client::{ApiClient, ClientError};
use tokio::time::{Interval, MissedTickBehavior};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::log_event_text::LogEventText;
use crate::context::CliContext;
use crate::terminal::pager::print_long_text;

/// Short enough to read along, long enough to cause little load.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The form in which a log is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogForm {
    /// The unchanged output of the program.
    Raw,
    /// The events of the log, all or the last ones.
    Events { tail: Option<u32> },
}

/// The polling interval for growing logs.
pub(crate) fn poll_interval() -> Interval {
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Prints the log of an execution.
pub(crate) async fn print_execution_log(
    context: &CliContext,
    client: &ApiClient,
    execution: Uuid,
    form: LogForm,
    follow: bool,
) -> Result<(), CliError> {
    match form {
        LogForm::Raw => {
            print_log(context, follow, async |query| {
                client.executions().fetch_log(execution, query).await
            })
            .await
        }
        LogForm::Events { tail } => print_events(context, client, execution, tail, follow).await,
    }
}

/// Prints the whole log; of a growing log the current content, or everything until its end.
pub(crate) async fn print_log(
    context: &CliContext,
    follow: bool,
    fetch: impl AsyncFn(&LogQuery) -> Result<LogPage, ClientError>,
) -> Result<(), CliError> {
    let (mut from, mut all) = (0, String::new());
    let mut ticks = poll_interval();
    loop {
        let page = fetch(&LogQuery { from: Some(from), limit: None }).await?;
        let grew = page.next > from;
        from = page.next;
        if context.output.is_json() || !follow {
            all.push_str(&page.text);
        } else {
            context.output.print_raw(&page.text)?;
        }
        if page.end || (!grew && !follow) {
            if !context.output.is_json() {
                return print_long_text(context, &all);
            }
            let whole = LogPage { text: all, from: 0, next: from, end: page.end };
            return context.output.print_result(&whole, String::new);
        }
        if !grew {
            ticks.tick().await;
        }
    }
}

async fn print_events(
    context: &CliContext,
    client: &ApiClient,
    execution: Uuid,
    tail: Option<u32>,
    follow: bool,
) -> Result<(), CliError> {
    let mut query = LogEventQuery { tail, ..LogEventQuery::default() };
    let (mut text, mut all, mut events) =
        (LogEventText::new(context.output), String::new(), Vec::new());
    let mut ticks = poll_interval();
    loop {
        let page = client.executions().fetch_log_events(execution, &query).await?;
        let grew = !page.events.is_empty();
        query = LogEventQuery { after: Some(page.next), ..LogEventQuery::default() };
        for event in &page.events {
            all.push_str(&text.format(event));
        }
        let ends = page.end || (!grew && !follow);
        if ends {
            all.push_str(text.close_line());
        }
        if context.output.is_json() {
            events.extend(page.events);
        } else if follow {
            context.output.print_raw(&std::mem::take(&mut all))?;
        }
        if ends {
            if !context.output.is_json() {
                return print_long_text(context, &all);
            }
            let whole = LogEventPage { events, next: page.next, end: page.end };
            return context.output.print_result(&whole, String::new);
        }
        if !grew {
            ticks.tick().await;
        }
    }
}
