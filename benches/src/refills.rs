//! What the pool's refills cost everybody else: answers while two large repositories are checked out in the background.

use std::time::Duration;

use bytes::Bytes;
use forge_testkit::repository::Repository;
use http::Method;
use serde_json::json;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::hosted::Hosted;
use crate::http_client::HttpClient;
use crate::many_files::generate;
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

/// How many rounds of requests are measured while nothing else goes on.
const IDLE_ROUNDS: usize = 400;
/// Between two rounds, as between the requests of people and agents.
const PAUSE: Duration = Duration::from_millis(5);
const MOST: f64 = 3.0;

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    let files = scope.files().last().unwrap_or_default();
    report.heading(&format!("Answers while two pools of {files} files are filled"));
    let place = place()?;
    let first = generate(&place.path().join("first"), files).await?;
    let path = place.path().join("second");
    first.git(&["clone", "--quiet", ".", &path.display().to_string()]).await;
    let second = Repository::at(&path);
    let mut hosted = Hosted::start(place.path(), &first, 1).await?;
    hosted.add(&second, serde_json::json!({})).await?;
    hosted.full().await?;

    let mut client = HttpClient::connect(hosted.address).await?;
    let (mut idle, mut busy) = (Times::default(), Times::default());
    for _ in 0..IDLE_ROUNDS {
        idle.measure(&hosted, &mut client).await?;
    }
    for project in [0, 1] {
        hosted.claim(project).await?;
    }
    while hosted.ready() < 2 {
        busy.measure(&hosted, &mut client).await?;
    }
    hosted.full().await?;
    hosted.stop().await?;

    report.add(Figure::new("rounds of requests meanwhile", busy.rounds, ""));
    for (name, idle, busy) in
        [("reading", &idle.reads, &busy.reads), ("writing", &idle.writes, &busy.writes)]
    {
        let (quiet, loud) = (millis(idle.percentile(99)), millis(busy.percentile(99)));
        report.add(Figure::new(format!("{name}, idle, p99"), quiet, "ms"));
        report.add(Figure::new(format!("{name}, while filling, p99"), loud, "ms"));
    }
    let ratio = millis(busy.all().percentile(99)) / millis(idle.all().percentile(99));
    let ratio = Figure::new("all, while filling ÷ idle, p99", ratio, "x");
    report.add(ratio.aim(Aim::AtMost(MOST)));
    Ok(())
}

/// What people and agents ask for: mostly to look, sometimes to write.
#[derive(Debug, Default)]
struct Times {
    reads: Sample,
    writes: Sample,
    rounds: f64,
}

impl Times {
    async fn measure(
        &mut self,
        hosted: &Hosted,
        client: &mut HttpClient,
    ) -> Result<(), BenchError> {
        let tasks = hosted.tasks_of(0);
        let body = Bytes::from(json!({ "title": "One more" }).to_string());
        let watch = Stopwatch::start();
        client.call(Method::POST, &tasks, Some(body)).await?;
        self.writes.add(watch.elapsed());
        for path in [format!("{tasks}?limit=50"), "/api/v1/projects".to_owned()] {
            let watch = Stopwatch::start();
            client.call(Method::GET, &path, None).await?;
            self.reads.add(watch.elapsed());
        }
        self.rounds += 1.0;
        let mut pause = tokio::time::interval(PAUSE);
        pause.tick().await;
        pause.tick().await;
        Ok(())
    }

    fn all(&self) -> Sample {
        let mut all = self.reads.clone();
        all.join(self.writes.clone());
        all
    }
}
