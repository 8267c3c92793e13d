//! Shared state of all handlers.

use std::sync::Arc;

use axum::extract::FromRef;
use forge_engine::{Engine, PasswordChecker};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth::{SessionCookie, SignInThrottle};
use crate::caller::CredentialCache;
use crate::health::ReadinessState;
use crate::input::BodyLimits;
use crate::local_server::LocalCredential;
use crate::settings::ServerSettings;
use crate::transport::metrics::ServerMetrics;

/// The state of all routes; cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// Makes the decisions and performs the effects.
    pub engine: Engine,
    /// Cancelled when the server is told to stop.
    pub stop: CancellationToken,
    /// Background work. Each piece ends by itself once the server is told to stop; the server waits for all of them.
    pub background: TaskTracker,
    /// Metrics of the process.
    pub metrics: ServerMetrics,
    /// Whether the server can work.
    pub readiness: ReadinessState,
    /// Limits sign-in attempts.
    pub throttle: Arc<SignInThrottle>,
    /// Hashes passwords off the async threads.
    pub passwords: PasswordChecker,
    /// Resolves tokens and sessions to callers.
    pub credentials: CredentialCache,
    /// Signs in programs of the server's own user.
    pub local_credential: LocalCredential,
    /// The settings that the server was started with.
    pub settings: Arc<ServerSettings>,
}

impl AppState {
    /// The cookie of browser sessions.
    pub fn cookie(&self) -> SessionCookie {
        SessionCookie { secure: self.settings.behind_https }
    }
}

impl FromRef<AppState> for BodyLimits {
    fn from_ref(app: &AppState) -> Self {
        app.settings.limits()
    }
}

impl FromRef<AppState> for ReadinessState {
    fn from_ref(app: &AppState) -> Self {
        app.readiness.clone()
    }
}
