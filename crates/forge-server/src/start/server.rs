//! A running server.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use forge_api::{ReadinessCheck, ReadinessReport};
use forge_engine::{Engine, RestartPolicy};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::app::AppState;
use crate::local_server::PublishedServer;
use crate::start::shutdown_notice::ShutdownNotice;
use crate::transport::http_listener::HttpListener;

/// A server with all its resources; [`Server::run_until`] answers requests.
#[derive(Debug)]
pub struct Server {
    app: AppState,
    listener: HttpListener,
    routes: Router,
    readiness: watch::Sender<ReadinessReport>,
    first_run_link: Option<String>,
    published: Option<PublishedServer>,
    engine_stop: CancellationToken,
    carrying_out: JoinHandle<()>,
}

impl Server {
    pub(crate) fn begin(
        app: AppState,
        listener: HttpListener,
        routes: Router,
        readiness: watch::Sender<ReadinessReport>,
        first_run_link: Option<String>,
        published: Option<PublishedServer>,
    ) -> Self {
        let engine_stop = CancellationToken::new();
        let (engine, stop) = (app.engine.clone(), engine_stop.clone());
        let carrying_out = tokio::spawn(async move { engine.run(stop).await });
        tokio::spawn(app.metrics.clone().fold_until(app.stop.clone()));
        Self {
            app,
            listener,
            routes,
            readiness,
            first_run_link,
            published,
            engine_stop,
            carrying_out,
        }
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The one-time link that creates the first admin; only on an empty server.
    pub fn first_run_link(&self) -> Option<&str> {
        self.first_run_link.as_deref()
    }

    /// The engine of the server.
    pub fn engine(&self) -> &Engine {
        &self.app.engine
    }

    /// The notice to print if the server were told to stop now.
    pub fn shutdown_notice(&self) -> ShutdownNotice {
        let grace = Duration::from_secs(self.app.settings.shutdown_grace_seconds);
        ShutdownNotice::new(self.app.engine.clone(), grace)
    }

    /// Answers requests until told to stop, then shuts down gracefully: no new agents, and a wait for running agents
    /// unless they continue without the server; then no new connections and the end of streams, then running
    /// requests, then running effects. The next start finds and repairs what does not end in time.
    pub async fn run_until(self, stop: CancellationToken) {
        let limits = self.app.settings.connection_limits();
        let grace = Duration::from_secs(self.app.settings.shutdown_grace_seconds);
        let farewell = self.shutdown_notice();
        let (app, readiness, published) = (self.app, self.readiness, self.published);
        let ending = app.stop.clone();
        let announce = async {
            stop.cancelled().await;
            drop(published);
            app.engine.shutdown().stop_starting_agents();
            readiness.send_modify(|ready| report_stopping(ready, &farewell));
            tracing::info!("server is stopping");
            if app.engine.shutdown().restart_policy() == RestartPolicy::End {
                // Until then the server still accepts calls from agents.
                tokio::time::timeout(grace, app.engine.shutdown().wait_for_agents()).await.ok();
                app.engine.shutdown().detach_agents();
                tokio::time::timeout(grace, app.engine.shutdown().wait_for_agents()).await.ok();
            }
            ending.cancel();
        };
        let serving = self.listener.serve(self.routes, limits, ending.clone());
        tokio::join!(announce, serving);
        app.background.close();
        app.background.wait().await;
        self.engine_stop.cancel();
        if let Err(error) = self.carrying_out.await {
            tracing::error!(%error, "effect executor stopped with an error");
        }
        app.engine.shutdown().shut_down_within(grace).await;
    }
}

fn report_stopping(ready: &mut ReadinessReport, farewell: &ShutdownNotice) {
    ready.ready = false;
    ready.checks.push(ReadinessCheck {
        name: "stopping".to_owned(),
        ok: false,
        message: Some(farewell.to_string()),
    });
}
