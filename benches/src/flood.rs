//! An agent that prints without end: the server's memory must not follow it.

use std::time::Duration;

use tokio::time::interval;

use crate::bench_error::BenchError;
use crate::chatter::Chatter;
use crate::figure::{Aim, Figure};
use crate::place::place;
use crate::report::Report;
use crate::scope::Scope;

const LOOK_EVERY: Duration = Duration::from_millis(50);
/// MiB.
const MOST_GROWTH: f64 = 64.0;

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    let seconds = scope.flood_seconds;
    report.heading(&format!("An agent that prints as fast as it can for {seconds} s"));
    let place = place()?;
    let call = format!("timeout {seconds} yes a flood of words");
    let mut chatter = Chatter::start(place.path(), 1, 1, &call).await?;
    chatter.ready().await?;
    let before = chatter.served.memory().await?;
    chatter.go()?;
    let (mut looks, mut highest) = (interval(LOOK_EVERY), before);
    while !chatter.all_printed()? {
        looks.tick().await;
        highest = highest.max(chatter.served.memory().await?);
    }
    chatter.all_over().await?;
    let highest = highest.max(chatter.served.peak_memory().await?);
    let kept = chatter.output_sizes().await?;
    chatter.stop().await?;
    report.add(Figure::new("kept of its output", kept as f64 / (1 << 20) as f64, "MiB"));
    report.add(Figure::new("server's memory before", before, "MiB"));
    report.add(Figure::new("it grows by", highest - before, "MiB").aim(Aim::AtMost(MOST_GROWTH)));
    Ok(())
}
