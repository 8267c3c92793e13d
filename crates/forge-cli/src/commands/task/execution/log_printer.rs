//! Prints a log that may still grow.

use std::time::Duration;

use forge_api::{LogPage, LogQuery};
use forge_client::ClientError;
use tokio::time::{Interval, MissedTickBehavior};

use crate::cli_error::CliError;
use crate::context::CliContext;

/// Short enough to read along, long enough to cause little load.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The polling interval for growing logs.
pub(crate) fn poll_interval() -> Interval {
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
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
        if context.output.is_json() {
            all.push_str(&page.text);
        } else {
            context.output.print_raw(&page.text)?;
        }
        if page.end || (!grew && !follow) {
            let whole = LogPage { text: all, from: 0, next: from, end: page.end };
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
