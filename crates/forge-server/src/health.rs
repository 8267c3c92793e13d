//! Whether the process lives and whether it can work (SPEC S-7).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{Health, ReadinessCheck, Ready};
use http::StatusCode;
use tokio::sync::watch;

/// What start-up and the background loops say about themselves; cloned into the router.
#[derive(Debug, Clone)]
pub struct Readiness(watch::Receiver<Ready>);

impl Readiness {
    /// Not ready until the sender says otherwise.
    pub fn new() -> (watch::Sender<Ready>, Self) {
        let starting = ReadinessCheck {
            name: "start".to_owned(),
            ok: false,
            message: Some("the server is still starting".to_owned()),
        };
        let (sender, receiver) = watch::channel(Ready { ready: false, checks: vec![starting] });
        (sender, Self(receiver))
    }

    /// The present state.
    pub fn now(&self) -> Ready {
        self.0.borrow().clone()
    }
}

/// `GET /healthz`: a process that can answer is alive.
pub async fn healthz() -> Json<Health> {
    Json(Health { alive: true })
}

/// `GET /readyz`: 200 when all is well, else 503 with what is not.
pub async fn readyz(State(readiness): State<Readiness>) -> Response {
    let ready = readiness.now();
    let status = if ready.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(ready)).into_response()
}
