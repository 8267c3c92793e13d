//! A running server.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use forge_api::{ReadinessCheck, Ready};
use forge_engine::{Engine, OnRestart};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::farewell::Farewell;
use crate::app::App;
use crate::listen::Listener;

/// A server that has everything it needs; [`Server::run_until`] answers requests.
#[derive(Debug)]
pub struct Server {
    app: App,
    listener: Listener,
    routes: Router,
    readiness: watch::Sender<Ready>,
    first_run_link: Option<String>,
    engine_stop: CancellationToken,
    carrying_out: JoinHandle<()>,
}

impl Server {
    pub(super) fn begin(
        app: App,
        listener: Listener,
        routes: Router,
        readiness: watch::Sender<Ready>,
        first_run_link: Option<String>,
    ) -> Self {
        let engine_stop = CancellationToken::new();
        let (engine, stop) = (app.engine.clone(), engine_stop.clone());
        let carrying_out = tokio::spawn(async move { engine.run(stop).await });
        tokio::spawn(app.metrics.clone().fold_until(app.stop.clone()));
        Self { app, listener, routes, readiness, first_run_link, engine_stop, carrying_out }
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The one-time link that makes the first admin; only on an empty server.
    pub fn first_run_link(&self) -> Option<&str> {
        self.first_run_link.as_deref()
    }

    /// What decides and does.
    pub fn engine(&self) -> &Engine {
        &self.app.engine
    }

    /// What it would say now, were it told to stop.
    pub fn farewell(&self) -> Farewell {
        let grace = Duration::from_secs(self.app.settings.shutdown_grace_seconds);
        Farewell::new(self.app.engine.clone(), grace)
    }

    /// Answers requests until told to stop, then ends with grace: first no new agents, and those at work are waited
    /// for if they are not to go on without us; then no new connections and the streams end, then running requests,
    /// then running steps. What does not end in time is found and repaired by the next start.
    pub async fn run_until(self, stop: CancellationToken) {
        let limits = self.app.settings.connection_limits();
        let grace = Duration::from_secs(self.app.settings.shutdown_grace_seconds);
        let farewell = self.farewell();
        let (app, readiness) = (self.app, self.readiness);
        let ending = app.stop.clone();
        let announce = async {
            stop.cancelled().await;
            app.engine.wind_down();
            readiness.send_modify(|ready| say_stopping(ready, &farewell));
            if app.engine.on_restart() == OnRestart::End {
                // What agents have to say at their end is still heard.
                tokio::time::timeout(grace, app.engine.agents_done()).await.ok();
                app.engine.part_with_agents();
                tokio::time::timeout(grace, app.engine.agents_done()).await.ok();
            }
            ending.cancel();
        };
        let serving = self.listener.serve(self.routes, limits, ending.clone());
        tokio::join!(announce, serving);
        app.background.close();
        app.background.wait().await;
        self.engine_stop.cancel();
        if let Err(error) = self.carrying_out.await {
            tracing::error!(%error, "carrying out steps ended by a fault");
        }
        app.engine.end_within(grace).await;
    }
}

fn say_stopping(ready: &mut Ready, farewell: &Farewell) {
    ready.ready = false;
    ready.checks.push(ReadinessCheck {
        name: "stopping".to_owned(),
        ok: false,
        message: Some(farewell.to_string()),
    });
}
