//! Connections: accept limits and graceful shutdown.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use forge_api::ErrorCode;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::guard::SECURITY_HEADERS;
use crate::transport::address_share::AddressShares;
use crate::transport::request_id::RequestId;

/// Pause after a failed accept, most often because all file descriptors are in use.
const AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(100);

/// How much of an answer waits in the process for a slow client, beside the kernel's buffer. The library's default is
/// 400 KB per connection.
const UNSENT_BYTES: usize = 64 * 1024;

/// Limits of one connection, and of all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Time limit for the headers of a request, and for the wait until the next request.
    pub header_time: Duration,
    /// Maximum size of the request line and headers together, in bytes.
    pub header_bytes: usize,
    /// Maximum number of open connections; others wait in the kernel's queue. One address gets at most three quarters
    /// of them, so that its idle connections cannot block all others.
    pub connections: usize,
    /// How long requests may continue after the server was told to stop.
    pub grace: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            header_time: Duration::from_secs(10),
            header_bytes: 32 * 1024,
            connections: 1024,
            grace: Duration::from_secs(10),
        }
    }
}

/// The server cannot bind the address.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot listen on {address}: {source}; choose another address with --bind, or stop what uses it"
)]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

/// An address that is bound but not served yet.
#[derive(Debug)]
pub struct HttpListener {
    socket: TcpListener,
    address: SocketAddr,
}

impl HttpListener {
    /// Binds the address; with port 0 the system chooses a port.
    pub async fn bind(address: SocketAddr) -> Result<Self, BindError> {
        let failed = |source| BindError { address, source };
        let socket = TcpListener::bind(address).await.map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        Ok(Self { socket, address })
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the token is cancelled; then accepts no connections, lets running requests end within the grace
    /// time and aborts the rest. Handlers get the peer as [`ConnectInfo<SocketAddr>`].
    pub async fn serve(self, routes: Router, limits: ConnectionLimits, stop: CancellationToken) {
        let slots = Arc::new(Semaphore::new(limits.connections));
        let shares = AddressShares::new((limits.connections * 3).div_ceil(4));
        let mut connections = JoinSet::new();
        while let Some((stream, peer, slot)) = self.accept(&slots, &stop).await {
            let Some(share) = shares.acquire_share(peer.ip()) else {
                tracing::debug!(%peer, "refused connection: address has reached its share");
                refuse(&stream);
                continue;
            };
            let connection = serve_connection(stream, peer, routes.clone(), limits, stop.clone());
            connections.spawn(async move {
                connection.await;
                drop((share, slot));
            });
            while connections.try_join_next().is_some() {}
        }
        drop(self.socket);
        let ending = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(limits.grace, ending).await.is_err() {
            let cut = connections.len();
            tracing::warn!(cut, "aborted requests at the end of the grace time");
            connections.shutdown().await;
        }
    }

    /// The next connection, with its slot; `None` once the server stops.
    async fn accept(
        &self,
        slots: &Arc<Semaphore>,
        stop: &CancellationToken,
    ) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
        let slot = Arc::clone(slots).acquire_owned();
        let slot = stop.run_until_cancelled(slot).await?.ok()?;
        loop {
            match stop.run_until_cancelled(self.socket.accept()).await? {
                Ok((stream, peer)) => return Some((stream, peer, slot)),
                Err(error) if is_about_one_connection(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "failed to accept a connection");
                    let waited = tokio::time::timeout(AFTER_FAILED_ACCEPT, stop.cancelled());
                    if waited.await.is_ok() {
                        return None;
                    }
                }
            }
        }
    }
}

/// Sends the reason before the connection is closed, if that is possible without waiting.
fn refuse(stream: &TcpStream) {
    let body = serde_json::json!({
        "code": ErrorCode::Throttled,
        "message": "This address has too many open connections. Close some of them, or wait until one ends.",
        "details": null,
        "request_id": RequestId::fresh().to_string(),
    });
    let body = body.to_string();
    let length = body.len();
    let mut answer = format!(
        "HTTP/1.1 {} Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\nretry-after: 1\r\ncache-control: no-store\r\n",
        ErrorCode::Throttled.status(),
    );
    for (name, value) in SECURITY_HEADERS {
        answer.push_str(&format!("{name}: {value}\r\n"));
    }
    answer.push_str("\r\n");
    answer.push_str(&body);
    if let Err(error) = stream.try_write(answer.as_bytes()) {
        tracing::debug!(%error, "closed a refused connection without an answer");
    }
}

fn is_about_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    routes: Router,
    limits: ConnectionLimits,
    stop: CancellationToken,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, %peer, "failed to set TCP_NODELAY");
    }
    let handle = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        routes.clone().oneshot(request)
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_header_size(limits.header_bytes)
        .max_buf_size(limits.header_bytes.max(UNSENT_BYTES));
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), handle));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "connection failed");
    }
}
