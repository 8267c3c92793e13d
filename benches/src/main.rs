//! The numbers Forge is held to, as ratios within one run; a missed target is a failure.
//!
//! `cargo run --release -p benches -- [--quick] [--only NAME] [--files 500|20000|100000]`, where NAME is one of creates, scale,
//! binary, workspaces, refills, handover, status, landing, radar, chatty and flood.

mod bench_error;
mod binary;
mod board;
mod chatter;
mod chatty;
mod creates;
mod figure;
mod flood;
mod handover;
mod hosted;
mod http_client;
mod landing;
mod many_files;
mod place;
mod radar;
mod raw;
mod refills;
mod report;
mod sample;
mod scale;
mod scope;
mod seed;
mod served;
mod status;
mod stopwatch;
mod workspaces;

use std::process::ExitCode;

use bench_error::BenchError;
use report::Report;
use scope::Scope;

#[tokio::main]
async fn main() -> Result<ExitCode, BenchError> {
    let (mut scope, mut only) = (Scope::FULL, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => scope = Scope::QUICK,
            "--only" => only = arguments.next(),
            "--files" => scope.only_files = arguments.next().and_then(|files| files.parse().ok()),
            other => {
                return Err(format!("{other} is not known; see --quick, --only, --files").into());
            }
        }
    }
    place::clear_abandoned()?;
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let mut report = Report::default();
    if wanted("creates") {
        creates::run(scope, &mut report).await?;
    }
    if wanted("scale") {
        scale::run(scope, &mut report).await?;
    }
    if wanted("binary") {
        binary::run(scope, &mut report).await?;
    }
    if wanted("workspaces") {
        workspaces::run(scope, &mut report).await?;
    }
    if wanted("refills") {
        refills::run(scope, &mut report).await?;
    }
    if wanted("handover") {
        handover::run(&mut report).await?;
    }
    if wanted("status") {
        status::run(scope, &mut report).await?;
    }
    if wanted("landing") {
        landing::run(scope, &mut report).await?;
    }
    if wanted("radar") {
        radar::run(scope, &mut report).await?;
    }
    if wanted("chatty") {
        Box::pin(chatty::run(scope, &mut report)).await?;
    }
    if wanted("flood") {
        Box::pin(flood::run(scope, &mut report)).await?;
    }
    Ok(if report.close() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
