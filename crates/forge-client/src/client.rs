//! The client itself: sends calls, reads answers.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use forge_api::{ErrorBody, Secret};
use forge_http::Transport;
use http::header::HeaderName;
use http::{HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::credential::Credential;
use crate::error::ClientError;
use crate::server_url::ServerUrl;

/// A server that answers more than this in one piece is not ours.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;

/// A connection to one server, as one caller. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    url: ServerUrl,
    credential: Option<Credential>,
    transport: Transport,
    answer_time: Option<Duration>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("url", &self.url)
            .field("signed_in", &self.credential.is_some())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Prepares calls to a server; connects with the first one.
    pub fn new(url: ServerUrl, token: Option<&Secret>) -> Result<Self, ClientError> {
        let credential = token.map(Credential::token).transpose()?;
        let transport = Transport::by(url.is_https())?;
        Ok(Self { url, credential, transport, answer_time: None })
    }

    /// The server.
    pub fn url(&self) -> &ServerUrl {
        &self.url
    }

    /// Gives up earlier or later than usual on answers that do not wait for work.
    #[must_use]
    pub fn answering_within(self, time: Duration) -> Self {
        Self { answer_time: Some(time), ..self }
    }

    /// Whether calls carry a token or session.
    pub fn has_credential(&self) -> bool {
        self.credential.is_some()
    }

    pub(crate) fn with_credential(&self, credential: Credential) -> Self {
        Self { credential: Some(credential), ..self.clone() }
    }

    pub(crate) fn credential(&self) -> Option<(HeaderName, HeaderValue)> {
        self.credential.as_ref().map(Credential::header)
    }

    /// Sends a call and reads its JSON answer.
    pub(crate) async fn fetch<T: DeserializeOwned>(&self, call: Call) -> Result<T, ClientError> {
        let (parts, bytes) = self.answered(call).await?.into_parts();
        serde_json::from_slice(&bytes).map_err(|error| self.odd(parts.status, error))
    }

    /// Sends a call whose answer says nothing more than that it worked.
    pub(crate) async fn perform(&self, call: Call) -> Result<(), ClientError> {
        self.answered(call).await.map(drop)
    }

    /// Sends a call and reads its answer as text.
    pub(crate) async fn fetch_text(&self, call: Call) -> Result<String, ClientError> {
        let (parts, bytes) = self.answered(call).await?.into_parts();
        String::from_utf8(bytes.into()).map_err(|error| self.odd(parts.status, error))
    }

    /// Sends a call and reads the whole answer; an error answer is an error.
    pub(crate) async fn answered(&self, call: Call) -> Result<Response<Bytes>, ClientError> {
        let after = call.time(self.answer_time);
        let reading = async {
            let (parts, body) = self.opened(call).await?.into_parts();
            let bytes = self.read(parts.status, body).await?;
            Ok(Response::from_parts(parts, bytes))
        };
        tokio::time::timeout(after, reading)
            .await
            .map_err(|_| ClientError::Timeout { url: self.url.to_string(), after })?
    }

    /// Sends a call and leaves the body of a good answer to be read bit by bit.
    pub(crate) async fn opened(&self, call: Call) -> Result<Response<Incoming>, ClientError> {
        let request = call.into_request(self)?;
        let response = self
            .transport
            .send(request)
            .await
            .map_err(|error| ClientError::from_transport(&self.url, &error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let bytes = self.read(status, response.into_body()).await?;
        Err(self.refusal(status, &bytes))
    }

    async fn read(&self, status: StatusCode, body: Incoming) -> Result<Bytes, ClientError> {
        match Limited::new(body, LARGEST_ANSWER).collect().await {
            Ok(collected) => Ok(collected.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => {
                Err(self.odd(status, "it is larger than any answer of Forge"))
            }
            Err(error) => Err(ClientError::broke_off(&self.url, error.as_ref())),
        }
    }

    fn refusal(&self, status: StatusCode, bytes: &[u8]) -> ClientError {
        match serde_json::from_slice::<ErrorBody>(bytes) {
            Ok(body) => ClientError::Api { status: status.as_u16(), body: Box::new(body) },
            Err(_) => self.odd(status, Glimpse(bytes)),
        }
    }

    pub(crate) fn odd(&self, status: StatusCode, reason: impl fmt::Display) -> ClientError {
        ClientError::BadAnswer {
            url: self.url.to_string(),
            status: status.as_u16(),
            reason: reason.to_string(),
        }
    }
}

/// The beginning of a foreign answer, on one line and without control characters.
struct Glimpse<'a>(&'a [u8]);

impl fmt::Display for Glimpse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.0);
        let words: Vec<_> = text.split_whitespace().collect();
        let plain = words.join(" ").replace(char::is_control, "");
        if plain.is_empty() {
            return f.write_str("the answer is empty");
        }
        let shown: String = plain.chars().take(120).collect();
        write!(f, "`{shown}`")
    }
}
