//! Metrics in the Prometheus text format (SPEC S-7).

use std::sync::OnceLock;
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::Method;
use http::header::CONTENT_TYPE;
use metrics::{counter, describe_counter, describe_histogram, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

const REQUESTS: &str = "forge_http_requests_total";
const SECONDS: &str = "forge_http_request_duration_seconds";
const BUCKETS: [f64; 11] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];
/// Between scrapes the recorder keeps each observation; at this interval they are folded into the buckets.
const FOLD_EVERY: Duration = Duration::from_secs(5);

/// The recorder could not be installed.
#[derive(Debug, thiserror::Error)]
#[error("cannot install the metrics recorder: {0}")]
pub struct MetricsError(#[from] BuildError);

/// The metrics of the process; there is one recorder per process, even with several servers.
#[derive(Debug, Clone)]
pub struct ServerMetrics {
    handle: PrometheusHandle,
}

impl ServerMetrics {
    /// Installs the recorder once.
    pub fn install() -> Result<Self, MetricsError> {
        static INSTALLED: OnceLock<ServerMetrics> = OnceLock::new();
        if let Some(installed) = INSTALLED.get() {
            return Ok(installed.clone());
        }
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(SECONDS.to_owned()), &BUCKETS)?
            .install_recorder()?;
        describe_counter!(REQUESTS, "HTTP requests by route, method and status");
        describe_histogram!(
            SECONDS,
            "Time from the headers of a request to the headers of its answer"
        );
        Ok(INSTALLED.get_or_init(|| Self { handle }).clone())
    }

    /// All metrics as text.
    pub fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }

    /// The answer of `/metrics`.
    pub fn to_response(&self) -> Response {
        let format = "text/plain; version=0.0.4; charset=utf-8";
        ([(CONTENT_TYPE, format)], self.render()).into_response()
    }

    /// Keeps memory bounded without scrapes; runs until the token is cancelled.
    pub async fn fold_until(self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(FOLD_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.handle.run_upkeep();
        }
    }
}

/// Counts one request. Labels come from closed lists: labels with client input would let clients fill the memory.
pub(crate) async fn count_request(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let method = method_label(request.method());
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    counter!(REQUESTS, "route" => route.clone(), "method" => method, "status" => status)
        .increment(1);
    histogram!(SECONDS, "route" => route, "method" => method)
        .record(started.elapsed().as_secs_f64());
    response
}

fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
