//! Task creates over HTTP, 32 clients, against a raw loop that commits the same rows in groups.

use std::ffi::OsString;
use std::net::SocketAddr;

use bytes::Bytes;
use forge_server::settings::Settings;
use forge_testkit::repository::search_path;
use http::{Method, StatusCode};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::http_client::{HttpClient, TOKEN};
use crate::place::place;
use crate::raw;
use crate::report::Report;
use crate::sample::{Sample, millis, spread};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

const CLIENTS: usize = 32;
const ROUNDS: usize = 5;
const LEAST_RATIO: f64 = 0.25;

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    report.heading("Task creates over HTTP, 32 clients, SQLite with synchronous=FULL");
    let creates = scope.creates / ROUNDS;
    let (mut rates, mut raws, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut latencies = Sample::default();
    // Each round compares neighbours in time: what else the machine does meanwhile hits both.
    for _ in 0..ROUNDS {
        let raw = raw::rate(creates).await?;
        let (rate, measured) = over_http(creates).await?;
        latencies.join(measured);
        rates.push(rate);
        raws.push(raw);
        ratios.push(rate / raw);
    }
    let ratio = spread(&mut ratios);
    report.add(Figure::new(
        "creates over HTTP, median of 5 rounds",
        spread(&mut rates).median,
        "/s",
    ));
    report.add(Figure::new("raw loop, 50 per transaction", spread(&mut raws).median, "/s"));
    report.add(Figure::new("latency p50", millis(latencies.median()), "ms"));
    report.add(Figure::new("latency p99", millis(latencies.percentile(99)), "ms"));
    report.add(Figure::new("HTTP ÷ raw, lowest round", ratio.lowest, "x"));
    report.add(Figure::new("HTTP ÷ raw, highest round", ratio.highest, "x"));
    let median = Figure::new("HTTP ÷ raw, median round", ratio.median, "x");
    report.add(median.aim(Aim::AtLeast(LEAST_RATIO)));
    Ok(())
}

async fn over_http(creates: usize) -> Result<(f64, Sample), BenchError> {
    let place = place()?;
    let data = place.path().join("data").display().to_string();
    let flags = [("data_dir", data.as_str()), ("bind", "127.0.0.1:0")];
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), search_path()),
        ("HOME".into(), place.path().into()),
        ("FORGE_BOOTSTRAP_TOKEN".into(), TOKEN.into()),
    ];
    let settings = Settings::load(flags, environment.clone())?;
    let server = forge_server::start(settings, environment).await?;
    let (address, stop) = (server.address(), CancellationToken::new());
    let serving = tokio::spawn(server.run_until(stop.clone()));
    let mut client = HttpClient::connect(address).await?;
    let project = client.create("/api/v1/projects", &json!({ "name": "Bench" })).await?;
    let path = format!("/api/v1/projects/{}/tasks", project["id"].as_str().unwrap_or_default());
    // Connections, statements and caches are warm in a server that has work to do.
    load(address, &path, creates / 10).await?;
    let watch = Stopwatch::start();
    let latencies = load(address, &path, creates).await?;
    let seconds = watch.elapsed().as_secs_f64();
    stop.cancel();
    serving.await?;
    Ok((per_client(creates) as f64 * CLIENTS as f64 / seconds, latencies))
}

fn per_client(creates: usize) -> usize {
    creates.div_ceil(CLIENTS)
}

async fn load(address: SocketAddr, path: &str, creates: usize) -> Result<Sample, BenchError> {
    let mut clients = Vec::new();
    for client in 0..CLIENTS {
        let (path, count) = (path.to_owned(), per_client(creates));
        clients.push(tokio::spawn(async move { work(address, &path, client, count).await }));
    }
    let mut all = Sample::default();
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
) -> Result<Sample, BenchError> {
    let mut connection = HttpClient::connect(address).await?;
    let mut sample = Sample::default();
    for number in 0..count {
        let body = json!({
            "title": format!("Task {number} of client {client}"),
            "description": raw::DESCRIPTION,
        });
        let watch = Stopwatch::start();
        let body = Some(Bytes::from(body.to_string()));
        let (status, answer) = connection.call(Method::POST, path, body).await?;
        sample.add(watch.elapsed());
        if status != StatusCode::CREATED {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&answer)).into());
        }
    }
    Ok(sample)
}
