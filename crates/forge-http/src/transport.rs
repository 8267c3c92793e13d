//! Connections, plain or encrypted.

use std::time::Duration;

use bytes::Bytes;
use http::uri::Scheme;
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// Why a request got no answer.
pub use hyper_util::client::legacy::Error as SendError;

const CONNECT_TIME: Duration = Duration::from_secs(10);

/// The machine has no certificates to check a server by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no certificates to check https servers by: {0}; install your system's CA certificates")]
pub struct NoCertificates(pub String);

/// Connections that are kept for the next request. Two types, so that a plain one does not read the machine's
/// certificates.
#[derive(Debug, Clone)]
pub enum Transport {
    /// To a server of this machine, or behind something that encrypts.
    Plain(Client<HttpConnector, Full<Bytes>>),
    /// Only to servers whose certificate the machine trusts.
    Encrypted(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Transport {
    /// What an address asks for.
    pub fn to(url: &Uri) -> Result<Self, NoCertificates> {
        Self::by(url.scheme() == Some(&Scheme::HTTPS))
    }

    /// The one or the other.
    pub fn by(encrypted: bool) -> Result<Self, NoCertificates> {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(CONNECT_TIME));
        let client = Client::builder(TokioExecutor::new());
        if !encrypted {
            return Ok(Self::Plain(client.build(connector)));
        }
        connector.enforce_http(false);
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| NoCertificates(error.to_string()))?
            .https_only()
            .enable_http1()
            .wrap_connector(connector);
        Ok(Self::Encrypted(client.build(connector)))
    }

    /// Sends a request; the answer's body is read by the caller.
    pub async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, SendError> {
        match self {
            Self::Plain(client) => client.request(request).await,
            Self::Encrypted(client) => client.request(request).await,
        }
    }
}
