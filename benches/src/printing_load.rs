//! Two hundred agents that each print a megabyte a second: lost lines, the server's memory and its response times.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, StatusCode};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis};
use crate::http_client::HttpClient;
use crate::printing_agents::{PrintingAgents, megabyte};
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;

const CALL_EVERY: Duration = Duration::from_millis(10);
const IDLE_CALLS: usize = 1000;
const MOST_MEMORY: f64 = 300.0;
const MOST_RATIO: f64 = 10.0;

/// A client that reads the board and writes to it.
struct BoardClient {
    client: HttpClient,
    list: String,
    task: String,
    calls: usize,
}

/// Response times of requests.
#[derive(Default)]
struct ResponseTimes {
    all: DurationSample,
    reads: DurationSample,
    writes: DurationSample,
}

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    let (agents, rounds) = (scope.printing_agents, scope.printing_rounds);
    report.heading(&format!("{agents} agents that print 1 MB a second each, {rounds} times"));
    let place = bench_dir()?;
    let lines = megabyte();
    let chunk = place.path().join("chunk");
    std::fs::write(&chunk, &lines)?;
    let call = format!("cat '{}'; sleep 1", chunk.display());
    let mut chatter = PrintingAgents::start(place.path(), agents, rounds, &call).await?;
    chatter.wait_until_running().await?;
    rustix::fs::sync();
    let mut visitor = BoardClient {
        client: HttpClient::connect(chatter.served.address).await?,
        list: format!("{}/tasks?limit=50", chatter.project),
        task: chatter.tasks.first().cloned().ok_or("there is no task")?,
        calls: 0,
    };
    let mut idle = ResponseTimes::default();
    visitor.call_until(&mut idle, |calls| Ok(calls >= IDLE_CALLS)).await?;
    report.add(ReportFigure::new("server's memory before", chatter.served.memory().await?, "MiB"));
    let watch = BenchStopwatch::start();
    chatter.send_start_signal()?;
    let mut busy = ResponseTimes::default();
    visitor.call_until(&mut busy, |_| Ok(chatter.all_printed()?)).await?;
    let printing = watch.elapsed();
    chatter.wait_until_ended().await?;
    let over = watch.elapsed();
    let peak = chatter.served.peak_memory().await?;
    let lost = chatter.lost_lines(&lines, rounds).await?;
    chatter.stop().await?;

    let printed = (agents * rounds) as f64 / printing.as_secs_f64();
    report.add(ReportFigure::new("printed by all of them", printed, "MB/s"));
    report.add(ReportFigure::new("they printed for", printing.as_secs_f64(), "s"));
    report.add(ReportFigure::new(
        "every run on record after another",
        (over - printing).as_secs_f64(),
        "s",
    ));
    report.add(ReportFigure::new("lost lines", lost as f64, "").target(FigureTarget::AtMost(0.0)));
    report.add(
        ReportFigure::new("server's memory, peak", peak, "MiB")
            .target(FigureTarget::AtMost(MOST_MEMORY)),
    );
    for (name, idle, busy) in
        [("reads", &idle.reads, &busy.reads), ("writes", &idle.writes, &busy.writes)]
    {
        report.add(ReportFigure::new(format!("{name}, idle p50"), millis(idle.median()), "ms"));
        report.add(ReportFigure::new(
            format!("{name}, idle p99"),
            millis(idle.percentile(99)),
            "ms",
        ));
        report.add(ReportFigure::new(format!("{name}, busy p50"), millis(busy.median()), "ms"));
        report.add(ReportFigure::new(
            format!("{name}, busy p99"),
            millis(busy.percentile(99)),
            "ms",
        ));
    }
    let ratio = millis(busy.all.percentile(99)) / millis(idle.all.percentile(99));
    report.add(
        ReportFigure::new("all answers, busy p99 ÷ idle p99", ratio, "x")
            .target(FigureTarget::AtMost(MOST_RATIO)),
    );
    Ok(())
}

impl BoardClient {
    /// Requests the board, a task, the board, a comment, and so on: one in four is a write.
    async fn call_until(
        &mut self,
        answers: &mut ResponseTimes,
        enough: impl Fn(usize) -> Result<bool, BenchError>,
    ) -> Result<(), BenchError> {
        let mut pace = interval(CALL_EVERY);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut calls = 0;
        while !enough(calls)? {
            pace.tick().await;
            calls += 1;
            self.calls += 1;
            let comments = format!("{}/comments", self.task);
            let (method, path, body, wanted) = match self.calls % 4 {
                0 | 2 => (Method::GET, &self.list, None, StatusCode::OK),
                1 => (Method::GET, &self.task, None, StatusCode::OK),
                _ => {
                    let said = json!({ "body": format!("comment {}", self.calls) });
                    let body = Some(Bytes::from(said.to_string()));
                    (Method::POST, &comments, body, StatusCode::CREATED)
                }
            };
            let writes = method == Method::POST;
            let watch = BenchStopwatch::start();
            let (status, said) = self.client.call(method, path, body).await?;
            let elapsed = watch.elapsed();
            if status != wanted {
                let said = String::from_utf8_lossy(&said);
                return Err(format!("{path} answered {status}: {said}").into());
            }
            answers.all.add(elapsed);
            (if writes { &mut answers.writes } else { &mut answers.reads }).add(elapsed);
        }
        Ok(())
    }
}
