//! Printing a log that may still grow.

use std::time::Duration;

use forge_api::{LogPage, LogQuery};
use forge_client::ClientError;
use tokio::time::{Interval, MissedTickBehavior};

use crate::context::Context;
use crate::failure::Failure;

/// Often enough to read along, seldom enough to be no load.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// When to look again at what grows.
pub(super) fn looks() -> Interval {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Prints all that was written; of what is under way, what there is, or on to its end.
pub(super) async fn print(
    context: &Context,
    follow: bool,
    fetch: impl AsyncFn(&LogQuery) -> Result<LogPage, ClientError>,
) -> Result<(), Failure> {
    let (mut from, mut all) = (0, String::new());
    let mut ticks = looks();
    loop {
        let page = fetch(&LogQuery { from: Some(from), limit: None }).await?;
        let grew = page.next > from;
        from = page.next;
        if context.output.is_json() {
            all.push_str(&page.text);
        } else {
            context.output.raw(&page.text)?;
        }
        if page.end || (!grew && !follow) {
            let whole = LogPage { text: all, from: 0, next: from, end: page.end };
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
