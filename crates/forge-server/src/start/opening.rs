//! Takes everything a server needs, in an order in which nothing is half taken.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use forge_api::{ReadinessCheck, Ready};
use forge_engine::{
    Admission, Clock, Engine, Environment, Faults, Git, Home, Ids, Limits, Parts, Patience,
    PoolLimits, SystemClock,
};
use forge_store::DatabaseUrl;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::errors::StartError;
use super::first_run::first_run;
use super::remotes::remotes;
use super::server::Server;
use crate::app::App;
use crate::auth::Passwords;
use crate::caller::Credentials;
use crate::demo;
use crate::guard::Hosts;
use crate::health::Readiness;
use crate::listen::Listener;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::site::site;

/// Starts a server: takes the data directory, the database and the address, repairs what the last run left, and
/// begins to carry out steps. Requests are answered by [`Server::run_until`]; until then they wait.
pub async fn start(
    settings: Settings,
    environment: Vec<(OsString, OsString)>,
) -> Result<Server, StartError> {
    let remotes = remotes(&settings)?;
    let home = Home::open(&settings.data_dir, || Ids::Random.next(SystemClock.now()))?;
    let search = environment.iter().find(|(name, _)| name == "PATH");
    let git = Git::locate(search.map(|(_, value)| value.as_os_str()).unwrap_or_default())?;
    let database: DatabaseUrl = settings.database_url.expose().parse()?;
    let metrics = Metrics::install()?;
    let listener = Listener::bind(settings.bind).await?;
    let address = listener.address();
    let engine = Engine::start(Parts {
        home,
        database: Some(database),
        workspace_root: Some(settings.workspace_root.clone()),
        git,
        clock: Arc::new(SystemClock),
        ids: Ids::Random,
        faults: Faults::none(),
        environment: Environment::from_vars(environment),
        limits: Limits {
            cleanup_delay_seconds: settings.workspace_cleanup_delay_seconds,
            concurrent_checks: settings.max_concurrent_checks,
            pool: PoolLimits {
                size: usize::try_from(settings.pool_size).unwrap_or(usize::MAX),
                disk_bytes: settings.pool_disk_bytes,
            },
            log_bytes: settings.execution_log_limit_bytes,
            ports: settings.port_range.clone(),
            journal_seconds: settings.journal_seconds,
            journal_entries: settings.journal_keep,
            journal_days: settings.journal_days,
            url: Some(format!("http://{}", reachable(address))),
            agents: Some(settings.max_concurrent_agents).filter(|most| *most > 0),
            patience: Patience {
                stalled_seconds: settings.agent_stalled_seconds,
                stopped_seconds: settings.agent_stopped_seconds.max(settings.agent_stalled_seconds),
            },
            on_restart: settings.executions_on_restart,
            admission: Admission {
                least_disk_bytes: settings.dispatch_min_disk_bytes,
                least_memory_bytes: settings.dispatch_min_memory_bytes,
                most_pressure_percent: settings.dispatch_max_pressure_percent,
                ..Admission::default()
            },
            remotes,
            ..Limits::default()
        },
    })
    .await?;
    let first_run_link = match first_run(&engine, address, settings.bootstrap_token.as_ref()).await
    {
        Ok(link) => link,
        Err(error) => {
            engine.die().await;
            return Err(error);
        }
    };
    let (readiness, read) = Readiness::new();
    let stop = CancellationToken::new();
    let hosts = Hosts::new(address, settings.public_hosts.iter().cloned());
    let app = App {
        engine,
        stop: stop.clone(),
        background: TaskTracker::new(),
        metrics,
        readiness: read,
        throttle: Arc::default(),
        passwords: Passwords::new().await?,
        credentials: Credentials::default(),
        settings: Arc::new(settings),
    };
    demo::resume(&app).await;
    let routes = site(app.clone(), hosts);
    readiness.send_replace(Ready {
        ready: true,
        checks: ["database", "recovery", "git"].map(well).to_vec(),
    });
    Ok(Server::begin(app, listener, routes, readiness, first_run_link))
}

fn well(name: &str) -> ReadinessCheck {
    ReadinessCheck { name: name.to_owned(), ok: true, message: None }
}

/// The address as somebody on this machine has to write it.
fn reachable(bound: SocketAddr) -> SocketAddr {
    let loopback = match bound.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    };
    SocketAddr::new(loopback, bound.port())
}
