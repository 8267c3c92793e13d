//! Outgoing connections, plain or encrypted.

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

/// The machine has no certificates to verify a server with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "found no CA certificates to verify https servers with: {0}; install your system's CA certificates"
)]
pub struct CertificateError(pub String);

/// A pool of connections. Two variants, so that plain connections do not load the machine's certificates.
#[derive(Debug, Clone)]
pub enum HttpTransport {
    /// For servers on this machine, or behind a proxy that encrypts.
    Plain(Client<HttpConnector, Full<Bytes>>),
    /// For servers whose certificate the machine trusts.
    Encrypted(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl HttpTransport {
    /// The transport for the scheme of an address.
    pub fn for_url(url: &Uri) -> Result<Self, CertificateError> {
        Self::new(url.scheme() == Some(&Scheme::HTTPS))
    }

    /// An encrypted or a plain transport.
    pub fn new(encrypted: bool) -> Result<Self, CertificateError> {
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
            .map_err(|error| CertificateError(error.to_string()))?
            .https_only()
            .enable_http1()
            .wrap_connector(connector);
        Ok(Self::Encrypted(client.build(connector)))
    }

    /// Sends a request; the caller reads the body of the answer.
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
