//! A receiver of webhooks on this machine, with scripted answers, and an independent check of signatures.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// How the receiver answers one request.
#[derive(Debug, Clone)]
pub enum ReceiverAnswer {
    /// With this status and body.
    Status(u16, &'static str),
    /// With a redirect to this URL.
    Redirect(String),
    /// With 503, and a time in seconds to stay away.
    Busy(u64),
    /// Never; the connection stays open.
    Never,
}

/// A received request.
#[derive(Debug, Clone)]
pub struct ReceivedMessage {
    pub headers: HeaderMap,
    pub body: String,
}

impl ReceivedMessage {
    /// A header as text; empty if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }

    /// The sequence number of the event.
    pub fn seq(&self) -> i64 {
        self.json()["seq"].as_i64().expect("a sequence number")
    }

    /// Whether the signature is that of the Standard Webhooks scheme, computed here from the hash function alone.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key =
            STANDARD.decode(secret.strip_prefix("whsec_").expect("a prefix")).expect("base64");
        let (id, timestamp) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        let content = format!("{id}.{timestamp}.{}", self.body);
        let expected = format!("v1,{}", STANDARD.encode(hmac_sha256(&key, content.as_bytes())));
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }
}

/// HMAC by its definition (RFC 2104), for keys of at most 64 bytes.
fn hmac_sha256(key: &[u8], content: &[u8]) -> [u8; 32] {
    let mut block = [0_u8; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(content);
    let outer = Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c));
    outer.chain_update(inner.finalize()).finalize().into()
}

#[derive(Debug)]
struct ReceiverState {
    answers: Mutex<VecDeque<ReceiverAnswer>>,
    otherwise: Mutex<ReceiverAnswer>,
    received: watch::Sender<Vec<ReceivedMessage>>,
}

/// A running receiver. Dropping it stops it.
#[derive(Debug)]
pub struct WebhookReceiver {
    address: SocketAddr,
    state: Arc<ReceiverState>,
    _serving: AbortOnDropHandle<()>,
}

impl WebhookReceiver {
    /// Starts a receiver that accepts everything.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(ReceiverState {
            answers: Mutex::default(),
            otherwise: Mutex::new(ReceiverAnswer::Status(204, "")),
            received: watch::Sender::default(),
        });
        let routes = Router::new().fallback(receive).with_state(state.clone());
        let serving = tokio::spawn(async move {
            axum::serve(listener, routes).await.expect("the receiver serves");
        });
        Self { address, state, _serving: AbortOnDropHandle::new(serving) }
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The URL to post to.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Gives these answers to the next requests.
    pub fn answer_next(&self, answers: impl IntoIterator<Item = ReceiverAnswer>) {
        self.state.answers.lock().expect("a lock").extend(answers);
    }

    /// Gives this answer to all further requests.
    pub fn answer_always(&self, answer: ReceiverAnswer) {
        *self.state.otherwise.lock().expect("a lock") = answer;
    }

    /// All requests so far.
    pub fn received(&self) -> Vec<ReceivedMessage> {
        self.state.received.borrow().clone()
    }

    /// Sequence numbers of the events so far.
    pub fn sequence(&self) -> Vec<i64> {
        self.received().iter().map(ReceivedMessage::seq).collect()
    }

    /// Waits until the requests meet a condition.
    pub async fn wait_until(
        &self,
        met: impl Fn(&[ReceivedMessage]) -> bool,
    ) -> Vec<ReceivedMessage> {
        let mut received = self.state.received.subscribe();
        let seen = received.wait_for(|received| met(received)).await;
        seen.expect("the receiver runs").clone()
    }

    /// Waits for a number of requests.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedMessage> {
        self.wait_until(|received| received.len() >= count).await
    }
}

async fn receive(Shared(state): Shared<Arc<ReceiverState>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    let body = String::from_utf8(body.to_vec()).expect("text");
    let answer = state.answers.lock().expect("a lock").pop_front();
    let answer = answer.unwrap_or_else(|| state.otherwise.lock().expect("a lock").clone());
    state.received.send_modify(|received| {
        received.push(ReceivedMessage { headers: parts.headers, body });
    });
    let build = |status: u16| Response::builder().status(status);
    let answer = match answer {
        ReceiverAnswer::Status(status, text) => build(status).body(Body::from(text)),
        ReceiverAnswer::Redirect(url) => build(307).header("location", url).body(Body::empty()),
        ReceiverAnswer::Busy(seconds) => build(StatusCode::SERVICE_UNAVAILABLE.as_u16())
            .header("retry-after", seconds)
            .body(Body::empty()),
        ReceiverAnswer::Never => std::future::pending().await,
    };
    answer.expect("an answer")
}
