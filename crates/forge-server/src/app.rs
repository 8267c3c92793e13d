//! What every handler can reach.

use std::sync::Arc;

use axum::extract::FromRef;
use forge_engine::Engine;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth::{Passwords, SessionCookie, Throttle};
use crate::caller::Credentials;
use crate::health::Readiness;
use crate::input::Limits;
use crate::metrics::Metrics;
use crate::settings::Settings;

/// The state of all routes; cheap to clone.
#[derive(Debug, Clone)]
pub struct App {
    /// What decides and does.
    pub engine: Engine,
    /// Cancelled when the server is told to stop.
    pub stop: CancellationToken,
    /// What goes on beside requests; each ends by itself once the server is told to stop, and is waited for.
    pub background: TaskTracker,
    /// The process's numbers.
    pub metrics: Metrics,
    /// Whether the server can work.
    pub readiness: Readiness,
    /// Who tries to sign in too often.
    pub throttle: Arc<Throttle>,
    /// Hashes passwords off the async threads.
    pub passwords: Passwords,
    /// Whose token or session it is.
    pub credentials: Credentials,
    /// As the server was started.
    pub settings: Arc<Settings>,
}

impl App {
    /// The cookie of browser sessions.
    pub fn cookie(&self) -> SessionCookie {
        SessionCookie { secure: self.settings.behind_https }
    }
}

impl FromRef<App> for Limits {
    fn from_ref(app: &App) -> Self {
        app.settings.limits()
    }
}

impl FromRef<App> for Readiness {
    fn from_ref(app: &App) -> Self {
        app.readiness.clone()
    }
}
