//! The cost of pool refills for other requests: response times while two large repositories are checked out in the
//! background.

use std::time::Duration;

use bytes::Bytes;
use forge_testkit::test_repository::TestRepository;
use http::Method;
use serde_json::json;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis};
use crate::http_client::HttpClient;
use crate::many_files::generate;
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;
use crate::workspace_server::WorkspaceServer;

/// How many rounds of requests are measured on the idle server.
const IDLE_ROUNDS: usize = 400;
/// Pause between two rounds, as between the requests of users and agents.
const PAUSE: Duration = Duration::from_millis(5);
const MOST_RATIO: f64 = 3.0;

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    let files = scope.files().last().unwrap_or_default();
    report.heading(&format!("Answers while two pools of {files} files are filled"));
    let place = bench_dir()?;
    let first = generate(&place.path().join("first"), files).await?;
    let path = place.path().join("second");
    first.git(&["clone", "--quiet", ".", &path.display().to_string()]).await;
    let second = TestRepository::open(&path);
    let mut hosted = WorkspaceServer::start(place.path(), &first, 1).await?;
    hosted.add(&second, serde_json::json!({})).await?;
    hosted.wait_for_full_pools().await?;

    let mut client = HttpClient::connect(hosted.address).await?;
    let (mut idle, mut busy) = (RequestTimes::default(), RequestTimes::default());
    for _ in 0..IDLE_ROUNDS {
        idle.measure(&hosted, &mut client).await?;
    }
    for project in [0, 1] {
        hosted.claim(project).await?;
    }
    while hosted.ready_worktrees() < 2 {
        busy.measure(&hosted, &mut client).await?;
    }
    hosted.wait_for_full_pools().await?;
    hosted.stop().await?;

    report.add(ReportFigure::new("rounds of requests meanwhile", busy.rounds, ""));
    for (name, idle, busy) in
        [("reading", &idle.reads, &busy.reads), ("writing", &idle.writes, &busy.writes)]
    {
        let (quiet, loud) = (millis(idle.percentile(99)), millis(busy.percentile(99)));
        report.add(ReportFigure::new(format!("{name}, idle, p99"), quiet, "ms"));
        report.add(ReportFigure::new(format!("{name}, while filling, p99"), loud, "ms"));
    }
    let ratio = millis(busy.all().percentile(99)) / millis(idle.all().percentile(99));
    let ratio = ReportFigure::new("all, while filling ÷ idle, p99", ratio, "x");
    report.add(ratio.target(FigureTarget::AtMost(MOST_RATIO)));
    Ok(())
}

/// Requests of users and agents: mostly reads, some writes.
#[derive(Debug, Default)]
struct RequestTimes {
    reads: DurationSample,
    writes: DurationSample,
    rounds: f64,
}

impl RequestTimes {
    async fn measure(
        &mut self,
        hosted: &WorkspaceServer,
        client: &mut HttpClient,
    ) -> Result<(), BenchError> {
        let tasks = hosted.tasks_of(0);
        let body = Bytes::from(json!({ "title": "One more" }).to_string());
        let watch = BenchStopwatch::start();
        client.call(Method::POST, &tasks, Some(body)).await?;
        self.writes.add(watch.elapsed());
        for path in [format!("{tasks}?limit=50"), "/api/v1/projects".to_owned()] {
            let watch = BenchStopwatch::start();
            client.call(Method::GET, &path, None).await?;
            self.reads.add(watch.elapsed());
        }
        self.rounds += 1.0;
        let mut pause = tokio::time::interval(PAUSE);
        pause.tick().await;
        pause.tick().await;
        Ok(())
    }

    fn all(&self) -> DurationSample {
        let mut all = self.reads.clone();
        all.join(self.writes.clone());
        all
    }
}
