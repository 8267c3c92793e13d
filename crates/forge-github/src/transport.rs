use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;

use crate::error::GitHubError;

const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Two types, so that a stand-in on this machine needs no certificates.
#[derive(Debug, Clone)]
pub(crate) enum Transport {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Encrypted(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Transport {
    pub(crate) fn to(url: &Uri) -> Result<Self, GitHubError> {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECT_TIME));
        let client = Client::builder(TokioExecutor::new());
        if url.scheme_str() != Some("https") {
            return Ok(Self::Plain(client.build(connector)));
        }
        connector.enforce_http(false);
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| GitHubError::Unreachable(error.to_string()))?
            .https_only()
            .enable_http1()
            .wrap_connector(connector);
        Ok(Self::Encrypted(client.build(connector)))
    }

    pub(crate) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, Error> {
        match self {
            Self::Plain(client) => client.request(request).await,
            Self::Encrypted(client) => client.request(request).await,
        }
    }
}
