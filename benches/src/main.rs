//! The performance targets of Forge, as ratios within one run; a missed target is a failure.
//!
//! `cargo run --release -p benches -- [--quick] [--only NAME] [--files 500|20000|100000] [--tasks COUNT]`, where NAME
//! is one of creates, scale, search, binary, workspaces, refills, handover, status, landing, radar, chatty and flood.
//! `--tasks` is the size of the large board that is searched.

mod bench_board;
mod bench_dir;
mod bench_error;
mod bench_report;
mod bench_scope;
mod binary;
mod bulk_tasks;
mod creates;
mod duration_sample;
mod flood;
mod handover;
mod http_client;
mod landing;
mod many_files;
mod printing_agents;
mod printing_load;
mod radar;
mod raw_inserts;
mod refills;
mod report_figure;
mod scale;
mod search;
mod served_binary;
mod status;
mod stopwatch;
mod task_seed;
mod workspace_server;
mod workspaces;

use std::process::ExitCode;

use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;

#[tokio::main]
async fn main() -> Result<ExitCode, BenchError> {
    let (mut scope, mut only) = (BenchScope::FULL, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => scope = BenchScope::QUICK,
            "--only" => only = arguments.next(),
            "--files" => scope.only_files = arguments.next().and_then(|files| files.parse().ok()),
            "--tasks" => {
                let count = arguments.next().and_then(|count| count.parse().ok());
                scope.searched = count.ok_or("--tasks wants a number of tasks")?;
            }
            other => {
                let known = "--quick, --only, --files, --tasks";
                return Err(format!("{other} is not known; see {known}").into());
            }
        }
    }
    crate::bench_dir::remove_abandoned()?;
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let mut report = BenchReport::default();
    if wanted("creates") {
        crate::creates::run(scope, &mut report).await?;
    }
    if wanted("scale") {
        crate::scale::run(scope, &mut report).await?;
    }
    if wanted("search") {
        crate::search::run(scope, &mut report).await?;
    }
    if wanted("binary") {
        crate::binary::run(scope, &mut report).await?;
    }
    if wanted("workspaces") {
        crate::workspaces::run(scope, &mut report).await?;
    }
    if wanted("refills") {
        crate::refills::run(scope, &mut report).await?;
    }
    if wanted("handover") {
        crate::handover::run(&mut report).await?;
    }
    if wanted("status") {
        crate::status::run(scope, &mut report).await?;
    }
    if wanted("landing") {
        crate::landing::run(scope, &mut report).await?;
    }
    if wanted("radar") {
        crate::radar::run(scope, &mut report).await?;
    }
    if wanted("chatty") {
        Box::pin(crate::printing_load::run(scope, &mut report)).await?;
    }
    if wanted("flood") {
        Box::pin(crate::flood::run(scope, &mut report)).await?;
    }
    Ok(if report.close() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
