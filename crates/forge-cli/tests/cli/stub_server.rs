//! A program with fixed answers, for what the real server cannot be: another program, an earlier or later version, a
//! server that fails.

use std::sync::{Arc, Mutex, mpsc};

use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};

type StubAnswer = Box<dyn Fn(&str) -> Option<(u16, Value)> + Send + Sync>;

/// A server whose answers depend only on `METHOD path?query`; a string is answered as plain text.
pub(crate) struct StubServer {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl StubServer {
    pub(crate) fn new(
        answer: impl Fn(&str) -> Option<(u16, Value)> + Send + Sync + 'static,
    ) -> Self {
        let answer: Arc<StubAnswer> = Arc::new(Box::new(answer));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        let (sender, receiver) = mpsc::channel();
        // The thread ends with the test process.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let routes = Router::new().fallback(move |method, uri, headers, body| {
                    let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                    async move { respond(&answer, &log, &method, &uri, &headers, &body) }
                });
                let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
                sender.send(socket.local_addr().expect("an address")).expect("the test waits");
                axum::serve(socket, routes).await.expect("served");
            });
        });
        let address = receiver.recv().expect("it listens");
        Self { url: format!("http://{address}"), requests }
    }

    /// `METHOD path?query [token] body` of each request.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("not poisoned").clone()
    }
}

fn respond(
    answer: &StubAnswer,
    log: &Mutex<Vec<String>>,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &Bytes,
) -> Response {
    let asked = format!("{method} {uri}").replace("/api/v1", "");
    let header = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.map(|value| format!(" {value}")).unwrap_or_default()
    };
    let body = String::from_utf8_lossy(body);
    let line = format!("{asked}{} {body}", header("authorization"));
    log.lock().expect("not poisoned").push(line.trim_end().to_owned());
    let (status, value) = answer(&asked).unwrap_or_else(|| {
        let body = json!({ "code": "not_found", "message": "No such thing.", "details": null, "request_id": "r" });
        (404, body)
    });
    let status = StatusCode::from_u16(status).expect("a status");
    match value {
        Value::String(text) => (status, text).into_response(),
        value => (status, Json(value)).into_response(),
    }
}
