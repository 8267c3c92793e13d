//! An agent that prints without end: the server's memory must not grow with the output.

use std::time::Duration;

use tokio::time::interval;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::printing_agents::PrintingAgents;
use crate::report_figure::{FigureTarget, ReportFigure};

const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// In MiB of resident memory.
const MOST_GROWTH: f64 = 64.0;

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    let seconds = scope.flood_seconds;
    report.heading(&format!("An agent that prints as fast as it can for {seconds} s"));
    let place = bench_dir()?;
    let call = format!("timeout {seconds} yes a flood of words");
    let mut chatter = PrintingAgents::start(place.path(), 1, 1, &call).await?;
    chatter.wait_until_running().await?;
    let before = chatter.served.memory().await?;
    chatter.send_start_signal()?;
    let (mut looks, mut highest) = (interval(POLL_INTERVAL), before);
    while !chatter.all_printed()? {
        looks.tick().await;
        highest = highest.max(chatter.served.memory().await?);
    }
    chatter.wait_until_ended().await?;
    let highest = highest.max(chatter.served.peak_memory().await?);
    let kept = chatter.output_sizes().await?;
    chatter.stop().await?;
    report.add(ReportFigure::new("kept of its output", kept as f64 / (1 << 20) as f64, "MiB"));
    report.add(ReportFigure::new("server's memory before", before, "MiB"));
    report.add(
        ReportFigure::new("it grows by", highest - before, "MiB")
            .target(FigureTarget::AtMost(MOST_GROWTH)),
    );
    Ok(())
}
