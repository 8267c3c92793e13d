//! Posts one event to the receiver of a webhook.

use crate::effects::error_chain::ErrorChain;
use crate::remote::RemoteSettings;
use crate::webhook::webhook_secret::SigningSecret;
use crate::webhook::webhook_url::{WebhookUrl, WebhookUrlError};
use bytes::Bytes;
use forge_http::{
    EncryptionSettings, NoCertificatesError, PinnedAddresses, PinnedConnections,
    open_pinned_connections,
};
use forge_store::tables::events::EventRow;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// Converts an event to the body that is posted; `None` if its type is unknown. The server gives its own, so that
/// webhooks and event streams send the same JSON.
pub type EventEncoding = fn(EventRow) -> Option<String>;

/// Time limit of a look-up of the name, and of the answer.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(15);
/// Time limit of the body of an answer. The status counts even if the body does not end.
const BODY_TIMEOUT: Duration = Duration::from_secs(5);
/// How much of an answer is read, and how much of it is kept.
const MOST_ANSWER_BYTES: usize = 16 * 1024;
const KEPT_ANSWER_CHARACTERS: usize = 500;
const USER_AGENT: &str = concat!("Forge-Webhook/", env!("CARGO_PKG_VERSION"));

/// What is posted.
#[derive(Debug)]
pub(crate) struct EventMessage {
    /// The same for every attempt, so that receivers recognise repetitions.
    pub(crate) id: String,
    /// Seconds since 1970.
    pub(crate) timestamp: i64,
    pub(crate) body: String,
}

/// How an attempt ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PostResult {
    /// Status of the answer; `None` without one.
    pub(crate) status: Option<u16>,
    /// End of the body of the answer.
    pub(crate) answer: String,
    /// Why it failed; `None` if the receiver accepted it.
    pub(crate) error: Option<String>,
    /// How long the receiver wants to be left alone.
    pub(crate) retry_after_seconds: Option<u64>,
    /// Whether the receiver wants nothing more.
    pub(crate) is_gone: bool,
}

impl PostResult {
    pub(crate) fn failed(error: impl ToString) -> Self {
        Self { error: Some(error.to_string()), ..Self::default() }
    }
}

/// Why a receiver cannot be connected to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReceiverError {
    /// The URL or one of its addresses is refused.
    #[error(transparent)]
    Refused(#[from] WebhookUrlError),
    /// The machine has no certificates.
    #[error(
        "found no CA certificates to verify https servers with: {0}; install your system's CA certificates"
    )]
    NoCertificates(#[from] NoCertificatesError),
    #[error("no answer within {} seconds", ATTEMPT_TIMEOUT.as_secs())]
    Timeout,
}

/// Connects to receivers. Clones share the machine's certificates.
#[derive(Debug, Clone)]
pub(crate) struct ReceiverConnector {
    pub(crate) settings: RemoteSettings,
    verified: Arc<OnceCell<EncryptionSettings>>,
}

/// Connections to the checked addresses of one receiver.
#[derive(Debug)]
pub(crate) struct EventReceiver {
    url: WebhookUrl,
    connections: PinnedConnections,
}

impl ReceiverConnector {
    pub(crate) fn new(settings: RemoteSettings) -> Self {
        Self { settings, verified: Arc::default() }
    }

    /// Resolves the host of a URL, checks the addresses, and opens connections that go only there.
    pub(crate) async fn connect(&self, url: &str) -> Result<EventReceiver, ReceiverError> {
        let opening = async {
            let url = WebhookUrl::parse(url)?;
            let addresses = url.resolve(&self.settings).await?;
            let encryption = match url.is_https() {
                true => self
                    .verified
                    .get_or_try_init(async || EncryptionSettings::verified())
                    .await?
                    .clone(),
                false => EncryptionSettings::plain(),
            };
            let connections = open_pinned_connections(PinnedAddresses::new(addresses), encryption);
            Ok(EventReceiver { url, connections })
        };
        tokio::time::timeout(ATTEMPT_TIMEOUT, opening).await.unwrap_or(Err(ReceiverError::Timeout))
    }
}

impl EventReceiver {
    /// Posts a message. Every status but 2xx is a failure, redirects too.
    pub(crate) async fn post(&self, message: &EventMessage, secret: &SigningSecret) -> PostResult {
        let signature = secret.sign(&message.id, message.timestamp, &message.body);
        let request = Request::post(self.url.uri())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, USER_AGENT)
            .header("webhook-id", &message.id)
            .header("webhook-timestamp", message.timestamp)
            .header("webhook-signature", signature)
            .body(Full::new(Bytes::from(message.body.clone())));
        let request = match request {
            Ok(request) => request,
            Err(error) => return PostResult::failed(error),
        };
        let answering = self.connections.request(request);
        let answer = match tokio::time::timeout(ATTEMPT_TIMEOUT, answering).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return PostResult::failed(ErrorChain(&error)),
            Err(_) => return PostResult::failed(ReceiverError::Timeout),
        };
        let status = answer.status();
        let retry_after_seconds = retry_after(answer.headers());
        let reading = read_tail(answer.into_body());
        let answer = tokio::time::timeout(BODY_TIMEOUT, reading).await.unwrap_or_default();
        PostResult {
            status: Some(status.as_u16()),
            answer,
            error: refusal(status),
            retry_after_seconds,
            is_gone: status == StatusCode::GONE,
        }
    }
}

fn refusal(status: StatusCode) -> Option<String> {
    if status.is_success() {
        return None;
    }
    let status = status.as_u16();
    Some(match status {
        300..=399 => format!(
            "the receiver answered {status}; Forge follows no redirects, so give the final URL"
        ),
        410 => "the receiver answered 410 Gone: it wants no more events".to_owned(),
        _ => format!("the receiver answered {status}"),
    })
}

fn retry_after(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()
}

/// Reads the beginning of a body and returns its last characters. What the receiver sends after that is not read.
async fn read_tail(mut body: Incoming) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < MOST_ANSWER_BYTES
        && let Some(Ok(frame)) = body.frame().await
    {
        if let Ok(data) = frame.into_data() {
            bytes.extend_from_slice(&data[..data.len().min(MOST_ANSWER_BYTES - bytes.len())]);
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    let visible = |symbol: &char| !symbol.is_control() || *symbol == '\n';
    let skipped = text.chars().filter(visible).count().saturating_sub(KEPT_ANSWER_CHARACTERS);
    text.chars().filter(visible).skip(skipped).collect()
}
