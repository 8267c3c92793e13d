//! The numbers Forge is held to, as ratios within one run; a missed target is a failure.
//!
//! `cargo run --release -p benches -- [--quick]`

mod bench_error;
mod binary;
mod board;
mod creates;
mod figure;
mod http_client;
mod place;
mod raw;
mod report;
mod sample;
mod scale;
mod scope;
mod seed;
mod served;
mod status;
mod stopwatch;

use std::process::ExitCode;

use bench_error::BenchError;
use report::Report;
use scope::Scope;

#[tokio::main]
async fn main() -> Result<ExitCode, BenchError> {
    let mut scope = Scope::FULL;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => scope = Scope::QUICK,
            other => return Err(format!("{other} is not known; there is only --quick").into()),
        }
    }
    let mut report = Report::default();
    creates::run(scope, &mut report).await?;
    scale::run(scope, &mut report).await?;
    binary::run(scope, &mut report).await?;
    status::run(scope, &mut report).await?;
    Ok(if report.close() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
