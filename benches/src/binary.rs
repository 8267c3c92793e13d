//! What a user meets first: how soon it is ready, what it takes, how quick a command is.

use std::path::Path;
use std::time::Duration;

use forge_proc::{CaptureLimits, Invocation, Stdin, capture};
use forge_testkit::repository::search_path;
use serde_json::json;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::http_client::{HttpClient, TOKEN};
use crate::place::{forge, place};
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::served::Served;
use crate::stopwatch::Stopwatch;

const TASKS: usize = 50;
/// Long enough for what a start leaves to be done.
const IDLE: Duration = Duration::from_secs(2);

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    report.heading("The release binary");
    let (mut first, mut again) = (Sample::default(), Sample::default());
    for _ in 0..scope.starts {
        let place = place()?;
        for sample in [&mut first, &mut again] {
            let served = Served::start(place.path()).await?;
            sample.add(served.ready_after);
            served.stop().await?;
        }
    }
    let ready = |name: &str, sample: &Sample| {
        Figure::new(name, millis(sample.median()), "ms").aim(Aim::Under(150.0))
    };
    report.add(ready("start to ready, new directory", &first));
    report.add(ready("start to ready, again", &again));

    let place = place()?;
    let served = Served::start(place.path()).await?;
    let idle: Result<(), _> = tokio::time::timeout(IDLE, std::future::pending()).await;
    drop(idle);
    report.add(Figure::new("idle memory", served.memory().await?, "MiB").aim(Aim::Under(40.0)));
    let size = std::fs::metadata(forge()?)?.len() as f64 / (1024.0 * 1024.0);
    report.add(Figure::new("binary size", size, "MiB"));

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
        report.add(Figure::new(name, millis(median), "ms").aim(Aim::Under(20.0)));
    }
    served.stop().await
}

async fn call(
    directory: &Path,
    url: &str,
    arguments: &[&str],
    calls: usize,
) -> Result<Sample, BenchError> {
    let mut sample = Sample::default();
    for _ in 0..calls {
        let invocation = Invocation::new(forge()?, directory)
            .args(arguments.iter().copied())
            .env("PATH", search_path())
            .env("HOME", directory)
            .env("FORGE_URL", url)
            .env("FORGE_TOKEN", TOKEN)
            .stdin(Stdin::Closed);
        let limits =
            CaptureLimits { stdout: 1 << 20, stderr: 1 << 20, deadline: Duration::from_secs(30) };
        let watch = Stopwatch::start();
        let done = capture(invocation, limits).await?;
        sample.add(watch.elapsed());
        if !done.exit.is_success() || done.stdout.is_empty() {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(format!("forge {arguments:?} failed ({}): {said}", done.exit).into());
        }
    }
    Ok(sample)
}
