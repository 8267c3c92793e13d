//! Two hundred agents that each print a megabyte a second: what becomes of their lines, of the server's memory and of its
//! answers meanwhile.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, StatusCode};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};

use crate::bench_error::BenchError;
use crate::chatter::{Chatter, megabyte};
use crate::figure::{Aim, Figure};
use crate::http_client::HttpClient;
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

const CALL_EVERY: Duration = Duration::from_millis(10);
const IDLE_CALLS: usize = 1000;
const MOST_MEMORY: f64 = 300.0;
const MOST_RATIO: f64 = 10.0;

/// Who looks at the board and writes to it.
struct Visitor {
    client: HttpClient,
    list: String,
    task: String,
    calls: usize,
}

/// How long answers took.
#[derive(Default)]
struct Answers {
    all: Sample,
    reads: Sample,
    writes: Sample,
}

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    let (agents, rounds) = (scope.chatters, scope.chatter_rounds);
    report.heading(&format!("{agents} agents that print 1 MB a second each, {rounds} times"));
    let place = place()?;
    let lines = megabyte();
    let chunk = place.path().join("chunk");
    std::fs::write(&chunk, &lines)?;
    let call = format!("cat '{}'; sleep 1", chunk.display());
    let mut chatter = Chatter::start(place.path(), agents, rounds, &call).await?;
    chatter.ready().await?;
    rustix::fs::sync();
    let mut visitor = Visitor {
        client: HttpClient::connect(chatter.served.address).await?,
        list: format!("{}/tasks?limit=50", chatter.project),
        task: chatter.tasks.first().cloned().ok_or("there is no task")?,
        calls: 0,
    };
    let mut idle = Answers::default();
    visitor.call_until(&mut idle, |calls| Ok(calls >= IDLE_CALLS)).await?;
    report.add(Figure::new("server's memory before", chatter.served.memory().await?, "MiB"));
    let watch = Stopwatch::start();
    chatter.go()?;
    let mut busy = Answers::default();
    visitor.call_until(&mut busy, |_| Ok(chatter.all_printed()?)).await?;
    let printing = watch.elapsed();
    chatter.all_over().await?;
    let over = watch.elapsed();
    let peak = chatter.served.peak_memory().await?;
    let lost = chatter.lost(&lines, rounds).await?;
    chatter.stop().await?;

    let printed = (agents * rounds) as f64 / printing.as_secs_f64();
    report.add(Figure::new("printed by all of them", printed, "MB/s"));
    report.add(Figure::new("they printed for", printing.as_secs_f64(), "s"));
    report.add(Figure::new(
        "every run on record after another",
        (over - printing).as_secs_f64(),
        "s",
    ));
    report.add(Figure::new("lost lines", lost as f64, "").aim(Aim::AtMost(0.0)));
    report.add(Figure::new("server's memory, peak", peak, "MiB").aim(Aim::AtMost(MOST_MEMORY)));
    for (name, idle, busy) in
        [("reads", &idle.reads, &busy.reads), ("writes", &idle.writes, &busy.writes)]
    {
        report.add(Figure::new(format!("{name}, idle p50"), millis(idle.median()), "ms"));
        report.add(Figure::new(format!("{name}, idle p99"), millis(idle.percentile(99)), "ms"));
        report.add(Figure::new(format!("{name}, busy p50"), millis(busy.median()), "ms"));
        report.add(Figure::new(format!("{name}, busy p99"), millis(busy.percentile(99)), "ms"));
    }
    let ratio = millis(busy.all.percentile(99)) / millis(idle.all.percentile(99));
    report.add(
        Figure::new("all answers, busy p99 ÷ idle p99", ratio, "x").aim(Aim::AtMost(MOST_RATIO)),
    );
    Ok(())
}

impl Visitor {
    /// The board, a task, the board, a comment, and so on: one in four is a write.
    async fn call_until(
        &mut self,
        answers: &mut Answers,
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
            let watch = Stopwatch::start();
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
