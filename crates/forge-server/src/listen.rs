//! Connections: accepted within limits, ended with grace.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// After a failed accept, most often because all file descriptors are taken, some of them need time to come back.
const AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(100);

/// What one connection, and all of them together, may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// How long the headers of a request may take, and how long a connection may wait for its next request.
    pub header_time: Duration,
    /// The largest request line and headers together, in bytes.
    pub header_bytes: usize,
    /// How many connections are open at once; others wait in the kernel's queue.
    pub connections: usize,
    /// How long requests may go on after the server was told to stop.
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

/// The address could not be taken.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot listen on {address}: {source}; choose another address with --bind, or stop what uses it"
)]
pub struct BindFailed {
    address: SocketAddr,
    source: io::Error,
}

/// An address that is taken and not served yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Takes the address; with port 0 the system picks one.
    pub async fn bind(address: SocketAddr) -> Result<Self, BindFailed> {
        let failed = |source| BindFailed { address, source };
        let socket = TcpListener::bind(address).await.map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        Ok(Self { socket, address })
    }

    /// The address that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the token is cancelled; then accepts nothing more, lets running requests end within the grace time
    /// and cuts the rest. Handlers find the peer as [`ConnectInfo<SocketAddr>`].
    pub async fn serve(self, routes: Router, limits: ConnectionLimits, stop: CancellationToken) {
        let slots = Arc::new(Semaphore::new(limits.connections));
        let mut connections = JoinSet::new();
        while let Some((stream, peer, slot)) = self.accept(&slots, &stop).await {
            let connection = serve_connection(stream, peer, routes.clone(), limits, stop.clone());
            connections.spawn(async move {
                connection.await;
                drop(slot);
            });
            while connections.try_join_next().is_some() {}
        }
        drop(self.socket);
        let ending = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(limits.grace, ending).await.is_err() {
            let cut = connections.len();
            tracing::warn!(cut, "requests were still running at the end of the grace time");
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
                    tracing::error!(%error, "no connection could be accepted");
                    let waited = tokio::time::timeout(AFTER_FAILED_ACCEPT, stop.cancelled());
                    if waited.await.is_ok() {
                        return None;
                    }
                }
            }
        }
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
        tracing::debug!(%error, %peer, "answers to this peer may be delayed");
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
        .max_header_size(limits.header_bytes);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), handle));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "a connection broke");
    }
}
