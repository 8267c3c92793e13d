//! The release binary: start-up time, memory and the duration of commands.

use std::path::Path;
use std::time::Duration;

use forge_proc::{CaptureLimits, ProgramInvocation, StdinSource, capture};
use forge_testkit::test_repository::search_path;
use serde_json::json;

use crate::bench_dir::{bench_dir, forge_binary};
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis};
use crate::http_client::{HttpClient, TOKEN};
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::served_binary::ServedBinary;
use crate::stopwatch::BenchStopwatch;

const TASKS: usize = 50;
/// Long enough for the work that follows a start.
const IDLE: Duration = Duration::from_secs(2);

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    report.heading("The release binary");
    let (mut first, mut again) = (DurationSample::default(), DurationSample::default());
    for _ in 0..scope.starts {
        let place = bench_dir()?;
        for sample in [&mut first, &mut again] {
            let served = ServedBinary::start(place.path()).await?;
            sample.add(served.ready_after);
            served.stop().await?;
        }
    }
    let ready = |name: &str, sample: &DurationSample| {
        ReportFigure::new(name, millis(sample.median()), "ms").target(FigureTarget::Desired(150.0))
    };
    report.add(ready("start to ready, new directory", &first));
    report.add(ready("start to ready, again", &again));

    let place = bench_dir()?;
    let served = ServedBinary::start(place.path()).await?;
    let idle: Result<(), _> = tokio::time::timeout(IDLE, std::future::pending()).await;
    drop(idle);
    report.add(
        ReportFigure::new("idle memory", served.memory().await?, "MiB")
            .target(FigureTarget::Desired(40.0)),
    );
    let size = std::fs::metadata(forge_binary()?)?.len() as f64 / (1024.0 * 1024.0);
    report.add(ReportFigure::new("binary size", size, "MiB"));

    let mut client = HttpClient::connect(served.address).await?;
    let project = client.create("/api/v1/projects", &json!({ "name": "Bench" })).await?;
    let path = format!("/api/v1/projects/{}/tasks", project["id"].as_str().unwrap_or_default());
    for number in 0..TASKS {
        client.create(&path, &json!({ "title": format!("Task {number}") })).await?;
    }
    let url = format!("http://{}", served.address);
    for (name, arguments) in
        [("forge --version", &["--version"][..]), ("forge task list", &["task", "list"])]
    {
        let median = call(place.path(), &url, arguments, scope.calls).await?.median();
        report
            .add(ReportFigure::new(name, millis(median), "ms").target(FigureTarget::Desired(20.0)));
    }
    served.stop().await
}

async fn call(
    directory: &Path,
    url: &str,
    arguments: &[&str],
    calls: usize,
) -> Result<DurationSample, BenchError> {
    let mut sample = DurationSample::default();
    for _ in 0..calls {
        let invocation = ProgramInvocation::new(forge_binary()?, directory)
            .args(arguments.iter().copied())
            .env("PATH", search_path())
            .env("HOME", directory)
            .env("FORGE_URL", url)
            .env("FORGE_TOKEN", TOKEN)
            .stdin(StdinSource::Closed);
        let limits =
            CaptureLimits { stdout: 1 << 20, stderr: 1 << 20, deadline: Duration::from_secs(30) };
        let watch = BenchStopwatch::start();
        let done = capture(invocation, limits).await?;
        sample.add(watch.elapsed());
        if !done.exit.is_success() || done.stdout.is_empty() {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(format!("forge {arguments:?} failed ({}): {said}", done.exit).into());
        }
    }
    Ok(sample)
}
