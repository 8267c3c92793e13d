//! The release binary as a separate server.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;

use forge_proc::{
    ProcessIdentity, ProcessMark, ProcessOutcome, ProgramInvocation, SupervisionSpec, spawn,
};
use forge_testkit::test_repository::search_path;
use http::{Method, StatusCode};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bench_dir::forge_binary;
use crate::bench_error::BenchError;
use crate::http_client::{HttpClient, TOKEN};
use crate::stopwatch::BenchStopwatch;

const POLL_INTERVAL: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_secs(30);

/// A running `forge serve`.
#[derive(Debug)]
pub(crate) struct ServedBinary {
    pub(crate) address: SocketAddr,
    /// From its start to the first answer that it is ready.
    pub(crate) ready_after: Duration,
    identity: ProcessIdentity,
    stop: CancellationToken,
    ended: JoinHandle<ProcessOutcome>,
}

impl ServedBinary {
    /// Starts the server on a directory.
    pub(crate) async fn start(directory: &Path) -> Result<Self, BenchError> {
        let address = free_address()?;
        let invocation = ProgramInvocation::new(forge_binary()?, directory)
            .args(["serve", "--bind"])
            .arg(address.to_string())
            .arg("--data-dir")
            .arg(directory.join("data"))
            .env("PATH", search_path())
            .env("HOME", directory)
            .env("FORGE_BOOTSTRAP_TOKEN", TOKEN);
        let mark = ProcessMark::new(Uuid::from_u128(u128::from(address.port())).to_string())?;
        let spec = SupervisionSpec::new(invocation, mark, directory.join("serve.log"));
        let watch = BenchStopwatch::start();
        let running = spawn(spec).await?;
        let identity = running.identity().clone();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let ended = tokio::spawn(async move { running.wait(&stopped).await });
        let ready = tokio::time::timeout(PATIENCE, wait_until_ready(address)).await;
        let ready_after = watch.elapsed();
        if ready.is_err() {
            stop.cancel();
            let said = ended.await?.tail;
            return Err(format!("forge serve was not ready in {PATIENCE:?}: {said}").into());
        }
        Ok(Self { address, ready_after, identity, stop, ended })
    }

    /// Resident memory in MiB.
    pub(crate) async fn memory(&self) -> Result<f64, BenchError> {
        self.status("VmRSS:").await
    }

    /// Peak resident memory in MiB.
    pub(crate) async fn peak_memory(&self) -> Result<f64, BenchError> {
        self.status("VmHWM:").await
    }

    async fn status(&self, field: &str) -> Result<f64, BenchError> {
        let path = format!("/proc/{}/status", self.identity.pid);
        let status = tokio::fs::read_to_string(path).await?;
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        Ok(kib.ok_or("the system does not report the memory in use")? / 1024.0)
    }

    pub(crate) async fn stop(self) -> Result<(), BenchError> {
        self.stop.cancel();
        self.ended.await?;
        Ok(())
    }
}

/// No other process takes the port in the moment until it is bound again.
fn free_address() -> Result<SocketAddr, BenchError> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

async fn wait_until_ready(address: SocketAddr) {
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        if let Ok(mut client) = HttpClient::connect(address).await
            && let Ok((StatusCode::OK, _)) = client.call(Method::GET, "/readyz", None).await
        {
            return;
        }
    }
}
