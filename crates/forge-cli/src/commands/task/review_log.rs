//! `forge task review --log`

use std::time::Duration;

use forge_api::{LogPage, LogQuery};
use forge_client::Client;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use crate::context::Context;
use crate::failure::Failure;

/// Often enough to read along, seldom enough to be no load.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Prints all that the checks of an attempt wrote; of those under way, what they have written, or on to their end.
pub(super) async fn show(
    context: &Context,
    client: &Client,
    review: Uuid,
    follow: bool,
) -> Result<(), Failure> {
    let (mut from, mut all) = (0, String::new());
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let query = LogQuery { from: Some(from), limit: None };
        let page = client.fetch_review_log(review, &query).await?;
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
