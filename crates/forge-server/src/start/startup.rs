//! Acquires everything that a server needs, in a safe order.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use forge_api::{ReadinessCheck, ReadinessReport};
use forge_engine::{
    AccountError, AdmissionLimits, Clock, DataDirectory, Engine, EngineLimits, EngineParts,
    FaultPoints, GitProgram, IdSource, PasswordChecker, PoolLimits, ServerEnvironment,
    SilenceLimits, SystemClock,
};
use forge_store::DatabaseUrl;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::AppState;
use crate::caller::CredentialCache;
use crate::convert::event::encode_event;
use crate::demo;
use crate::guard::AllowedHosts;
use crate::health::ReadinessState;
use crate::local_server::PublishedServer;
use crate::settings::ServerSettings;
use crate::site::site;
use crate::start::errors::ServerStartError;
use crate::start::first_run::first_run;
use crate::start::remotes::remotes;
use crate::start::server::Server;
use crate::transport::http_listener::HttpListener;
use crate::transport::metrics::ServerMetrics;

/// Starts a server: acquires the data directory, the database and the address, repairs what the last run left, and
/// starts performing effects. [`Server::run_until`] answers requests; until then they wait.
pub async fn start(
    settings: ServerSettings,
    environment: Vec<(OsString, OsString)>,
) -> Result<Server, ServerStartError> {
    let remotes = remotes(&settings)?;
    let home =
        DataDirectory::open(&settings.data_dir, || IdSource::Random.next(SystemClock.now()))?;
    PublishedServer::withdraw_earlier(home.root());
    let data_dir = home.root().to_owned();
    let search = environment.iter().find(|(name, _)| name == "PATH");
    let git = GitProgram::locate(search.map(|(_, value)| value.as_os_str()).unwrap_or_default())?;
    let database: DatabaseUrl = settings.database_url.expose().parse()?;
    let metrics = ServerMetrics::install()?;
    let listener = HttpListener::bind(settings.bind).await?;
    let address = listener.address();
    let engine = Engine::start(EngineParts {
        home,
        database: Some(database),
        workspace_root: Some(settings.workspace_root.clone()),
        git,
        clock: Arc::new(SystemClock),
        ids: IdSource::Random,
        faults: FaultPoints::none(),
        environment: ServerEnvironment::from_vars(environment),
        limits: EngineLimits {
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
            url: Some(format!("http://{}", local_address(address))),
            agents: Some(settings.max_concurrent_agents).filter(|most| *most > 0),
            silence_limits: SilenceLimits {
                stalled_seconds: settings.agent_stalled_seconds,
                stopped_seconds: settings.agent_stopped_seconds.max(settings.agent_stalled_seconds),
            },
            restart_policy: settings.executions_on_restart,
            admission: AdmissionLimits {
                least_disk_bytes: settings.dispatch_min_disk_bytes,
                least_memory_bytes: settings.dispatch_min_memory_bytes,
                most_pressure_percent: settings.dispatch_max_pressure_percent,
                ..AdmissionLimits::default()
            },
            remotes,
            event_encoding: Some(encode_event),
            ..EngineLimits::default()
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
    let published = PublishedServer::publish(&data_dir, local_address(address));
    let (published, local_credential) = match published {
        Ok(published) => published,
        Err(error) => {
            engine.die().await;
            return Err(AccountError::from(error).into());
        }
    };
    let (readiness, read) = ReadinessState::new();
    let stop = CancellationToken::new();
    let hosts = AllowedHosts::new(address, settings.public_hosts.iter().cloned());
    let app = AppState {
        stop: stop.clone(),
        background: TaskTracker::new(),
        metrics,
        readiness: read.with_engine(engine.clone()),
        engine,
        throttle: Arc::default(),
        passwords: PasswordChecker::new().await?,
        credentials: CredentialCache::default(),
        local_credential,
        settings: Arc::new(settings),
    };
    demo::resume(&app).await;
    let routes = site(app.clone(), hosts);
    readiness.send_replace(ReadinessReport {
        ready: true,
        checks: ["recovery", "git"].map(passed_check).to_vec(),
    });
    Ok(Server::begin(app, listener, routes, readiness, first_run_link, published))
}

fn passed_check(name: &str) -> ReadinessCheck {
    ReadinessCheck { name: name.to_owned(), ok: true, message: None }
}

/// The address as a user on this machine has to write it.
fn local_address(bound: SocketAddr) -> SocketAddr {
    let loopback = match bound.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    };
    SocketAddr::new(loopback, bound.port())
}
