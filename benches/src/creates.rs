//! Task creates over HTTP, 32 clients, against a raw loop that commits the same rows in groups.

use std::ffi::OsString;
use std::net::SocketAddr;

use bytes::Bytes;
use forge_server::settings::ServerSettings;
use forge_testkit::test_repository::search_path;
use http::{Method, StatusCode};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis, spread};
use crate::http_client::{HttpClient, TOKEN};
use crate::raw_inserts;
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;

const CLIENTS: usize = 32;
const ROUNDS: usize = 5;
const LEAST_RATIO: f64 = 0.25;

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    report.heading("Task creates over HTTP, 32 clients, SQLite with synchronous=FULL");
    let creates = scope.creates / ROUNDS;
    let (mut rates, mut raws, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut latencies = DurationSample::default();
    // Each round compares measurements close in time: other load on the machine affects both.
    for _ in 0..ROUNDS {
        let raw = raw_inserts::rate(creates).await?;
        let (rate, measured) = over_http(creates).await?;
        latencies.join(measured);
        rates.push(rate);
        raws.push(raw);
        ratios.push(rate / raw);
    }
    let ratio = spread(&mut ratios);
    report.add(ReportFigure::new(
        "creates over HTTP, median of 5 rounds",
        spread(&mut rates).median,
        "/s",
    ));
    report.add(ReportFigure::new("raw loop, 50 per transaction", spread(&mut raws).median, "/s"));
    report.add(ReportFigure::new("latency p50", millis(latencies.median()), "ms"));
    report.add(ReportFigure::new("latency p99", millis(latencies.percentile(99)), "ms"));
    report.add(ReportFigure::new("HTTP ÷ raw, lowest round", ratio.lowest, "x"));
    report.add(ReportFigure::new("HTTP ÷ raw, highest round", ratio.highest, "x"));
    let median = ReportFigure::new("HTTP ÷ raw, median round", ratio.median, "x");
    report.add(median.target(FigureTarget::AtLeast(LEAST_RATIO)));
    Ok(())
}

async fn over_http(creates: usize) -> Result<(f64, DurationSample), BenchError> {
    let place = bench_dir()?;
    let data = place.path().join("data").display().to_string();
    let flags = [("data_dir", data.as_str()), ("bind", "127.0.0.1:0")];
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), search_path()),
        ("HOME".into(), place.path().into()),
        ("FORGE_BOOTSTRAP_TOKEN".into(), TOKEN.into()),
    ];
    let settings = ServerSettings::load(flags, environment.clone())?;
    let server = forge_server::start(settings, environment).await?;
    let (address, stop) = (server.address(), CancellationToken::new());
    let serving = tokio::spawn(server.run_until(stop.clone()));
    let mut client = HttpClient::connect(address).await?;
    let project = client.create("/api/v1/projects", &json!({ "name": "Bench" })).await?;
    let path = format!("/api/v1/projects/{}/tasks", project["id"].as_str().unwrap_or_default());
    // Connections, statements and caches are warm in a busy server.
    load(address, &path, creates / 10).await?;
    let watch = BenchStopwatch::start();
    let latencies = load(address, &path, creates).await?;
    let seconds = watch.elapsed().as_secs_f64();
    stop.cancel();
    serving.await?;
    Ok((per_client(creates) as f64 * CLIENTS as f64 / seconds, latencies))
}

fn per_client(creates: usize) -> usize {
    creates.div_ceil(CLIENTS)
}

async fn load(
    address: SocketAddr,
    path: &str,
    creates: usize,
) -> Result<DurationSample, BenchError> {
    let mut clients = Vec::new();
    for client in 0..CLIENTS {
        let (path, count) = (path.to_owned(), per_client(creates));
        clients.push(tokio::spawn(async move { work(address, &path, client, count).await }));
    }
    let mut all = DurationSample::default();
    for client in clients {
        all.join(client.await??);
    }
    Ok(all)
}

async fn work(
    address: SocketAddr,
    path: &str,
    client: usize,
    count: usize,
) -> Result<DurationSample, BenchError> {
    let mut connection = HttpClient::connect(address).await?;
    let mut sample = DurationSample::default();
    for number in 0..count {
        let body = json!({
            "title": format!("Task {number} of client {client}"),
            "description": raw_inserts::DESCRIPTION,
        });
        let watch = BenchStopwatch::start();
        let body = Some(Bytes::from(body.to_string()));
        let (status, answer) = connection.call(Method::POST, path, body).await?;
        sample.add(watch.elapsed());
        if status != StatusCode::CREATED {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&answer)).into());
        }
    }
    Ok(sample)
}
