//! A real server on its own port, with an admin's token.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;

use bytes::Bytes;
use forge_engine::Engine;
use forge_server::settings::ServerSettings;
use forge_server::{Server, ServerStartError, start};
use forge_testkit::test_repository::{TestRepository, search_path};
use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::answer::HttpAnswer;
use super::events::EventReader;

/// The token of the first admin of every test server.
pub const TOKEN: &str = "fg_the-token-of-the-first-admin-of-a-test-server";

/// The base path of the API; paths given to [`TestServer`] are relative to it.
pub const API: &str = "/api/v1";

#[derive(Debug)]
pub struct TestServer {
    directory: TempDir,
    engine: Option<Engine>,
    address: SocketAddr,
    first_run_link: Option<String>,
    stop: CancellationToken,
    running: Option<JoinHandle<()>>,
}

impl TestServer {
    /// A server with one admin whose token is [`TOKEN`].
    pub async fn start() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self::on(directory, &[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]).await
    }

    /// A server with additional environment variables.
    pub async fn start_with(variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self::start_in(directory, variables).await
    }

    /// A server in an existing directory.
    pub async fn start_in(directory: TempDir, variables: &[(&str, &str)]) -> Self {
        let all = [&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)], variables].concat();
        Self::on(directory, &all).await
    }

    /// A server on an empty directory without users: it has a one-time link.
    pub async fn start_empty() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self::on(directory, &[]).await
    }

    async fn on(directory: TempDir, variables: &[(&str, &str)]) -> Self {
        let server = open(directory.path(), variables).await.expect("the server starts");
        let (address, stop) = (server.address(), CancellationToken::new());
        let first_run_link = server.first_run_link().map(str::to_owned);
        let engine = Some(server.engine().clone());
        let running = Some(tokio::spawn(server.run_until(stop.clone())));
        Self { directory, engine, address, first_run_link, stop, running }
    }

    /// Stops the server gracefully and starts another on the same directory, without a bootstrap token.
    pub async fn restart(self) -> Self {
        let directory = self.stop().await;
        Self::on(directory, &[]).await
    }

    /// Stops the server gracefully; returns its directory.
    pub async fn stop(mut self) -> TempDir {
        self.stop.cancel();
        // The last holder of the engine holds the lock on the data directory.
        self.engine = None;
        if let Some(running) = self.running.take() {
            running.await.expect("the server ends without a panic");
        }
        self.directory
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The one-time link, on an empty server.
    pub fn first_run_link(&self) -> Option<&str> {
        self.first_run_link.as_deref()
    }

    /// The directory of the server; its data is below `data`.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The server's engine.
    pub fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("the server runs")
    }

    /// A user's repository beside the server's data.
    pub async fn repository(&self) -> TestRepository {
        self.repository_named("repo").await
    }

    /// A user's repository with this name.
    pub async fn repository_named(&self, name: &str) -> TestRepository {
        TestRepository::create(&self.directory.path().join(name)).await
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::PATCH, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::PUT, path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> (u16, Value) {
        self.call(Method::DELETE, path, None).await
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let request = self.request(method, path);
        let answer = self.send(request, body.map(|body| body.to_string())).await;
        (answer.status, answer.json())
    }

    /// Starts a request of the admin; the path is relative to [`API`].
    pub fn request(&self, method: Method, path: &str) -> http::request::Builder {
        self.stranger(method, &format!("{API}{path}"))
            .header("authorization", format!("Bearer {TOKEN}"))
    }

    /// Starts a request without a credential; the path is complete.
    pub fn stranger(&self, method: Method, path: &str) -> http::request::Builder {
        Request::builder().method(method).uri(path).header("host", self.address.to_string())
    }

    /// Sends a request, declared as JSON if it has a body, and reads the whole answer.
    pub async fn send(
        &self,
        mut request: http::request::Builder,
        body: Option<impl Into<Bytes>>,
    ) -> HttpAnswer {
        let content = body.map(Into::into).unwrap_or_default();
        let declared =
            request.headers_ref().is_some_and(|headers| headers.contains_key("content-type"));
        if !content.is_empty() && !declared {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::new(content)).expect("a request");
        let (parts, body) = self.open(request).await.into_parts();
        let bytes = body.collect().await.expect("a whole body").to_bytes();
        HttpAnswer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).expect("UTF-8"),
        }
    }

    /// Opens the event stream with this query, after this event.
    pub async fn events(&self, query: &str, last_event_id: Option<&str>) -> EventReader {
        let path = format!("/events{query}");
        let mut request = self.request(Method::GET, &path);
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        let request = request.body(Full::default()).expect("a request");
        let response = self.open(request).await;
        assert_eq!(response.status(), 200);
        EventReader::new(response.into_body())
    }

    /// Sends a request on its own connection; the caller reads the body.
    pub async fn open(&self, request: Request<Full<Bytes>>) -> http::Response<Incoming> {
        let stream = TcpStream::connect(self.address).await.expect("a connection");
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("a handshake");
        tokio::spawn(connection);
        sender.send_request(request).await.expect("an answer")
    }
}

/// Starts a server with its data in `data` below the directory; the settings of this process do not reach it.
pub async fn open(
    directory: &Path,
    variables: &[(&str, &str)],
) -> Result<Server, ServerStartError> {
    open_at(directory, "127.0.0.1:0", variables).await
}

/// Starts a server on a given address.
pub async fn open_at(
    directory: &Path,
    bind: &str,
    variables: &[(&str, &str)],
) -> Result<Server, ServerStartError> {
    let flags = [
        ("data_dir".to_owned(), directory.join("data").display().to_string()),
        ("bind".to_owned(), bind.to_owned()),
        ("shutdown_grace_seconds".to_owned(), "5".to_owned()),
        // The load of the test machine must not matter.
        ("dispatch_min_disk_bytes".to_owned(), "0".to_owned()),
        ("dispatch_min_memory_bytes".to_owned(), "0".to_owned()),
        ("dispatch_max_pressure_percent".to_owned(), "100".to_owned()),
    ];
    let mut environment: Vec<(OsString, OsString)> =
        vec![("PATH".into(), search_path()), ("HOME".into(), directory.as_os_str().to_owned())];
    // A variable that is given twice keeps its first value in some programs and its last in others.
    environment.retain(|(name, _)| variables.iter().all(|(given, _)| name != given));
    let given = variables.iter().map(|(name, value)| (name.into(), value.into()));
    environment.extend(given);
    let settings = ServerSettings::load(flags, environment.clone()).expect("settings");
    start(settings, environment).await
}
