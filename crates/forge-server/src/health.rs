//! Liveness and readiness (SPEC S-7).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{HealthReport, ReadinessCheck, ReadinessReport};
use forge_engine::Engine;
use http::StatusCode;
use tokio::sync::watch;

/// The readiness that start-up and background loops report; cloned into the router.
#[derive(Debug, Clone)]
pub struct ReadinessState {
    told: watch::Receiver<ReadinessReport>,
    /// The engine whose database and disk are checked.
    engine: Option<Engine>,
}

impl ReadinessState {
    /// Not ready until the sender says otherwise.
    pub fn new() -> (watch::Sender<ReadinessReport>, Self) {
        let starting = ReadinessCheck {
            name: "start".to_owned(),
            ok: false,
            message: Some("the server is still starting".to_owned()),
        };
        let (sender, receiver) =
            watch::channel(ReadinessReport { ready: false, checks: vec![starting] });
        (sender, Self { told: receiver, engine: None })
    }

    /// Adds a database and a disk to check on each call.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine: Some(engine), ..self }
    }

    /// The current state.
    pub async fn load(&self) -> ReadinessReport {
        let mut ready = self.told.borrow().clone();
        let Some(engine) = &self.engine else { return ready };
        let found = engine.node_probe().probe_storage().await;
        for (name, result) in [("database", found.database), ("disk", found.disk)] {
            ready.ready &= result.is_ok();
            let (ok, message) = (result.is_ok(), result.err());
            ready.checks.push(ReadinessCheck { name: name.to_owned(), ok, message });
        }
        ready
    }
}

/// `GET /healthz`: a process that answers is alive.
pub async fn healthz() -> Json<HealthReport> {
    Json(HealthReport { alive: true })
}

/// `GET /readyz`: 200 if all checks pass, else 503 with the failed checks. Each call checks the database and the
/// disk.
pub async fn readyz(State(readiness): State<ReadinessState>) -> Response {
    let ready = readiness.load().await;
    let status = if ready.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(ready)).into_response()
}
