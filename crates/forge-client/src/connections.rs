//! Connections to the server.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::{ClientConfig, RootCertStore};

use crate::error::ClientError;

const CONNECT_TIME: Duration = Duration::from_secs(10);

/// A pool of connections, plain or encrypted.
pub(crate) type Connections = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// Creates a pool of connections. Only an encrypted one loads the machine's certificates, which takes milliseconds.
///
/// Built on hyper, because reqwest resolves `%2E%2E` in a path, so that a name from outside could leave its segment.
pub(crate) fn open_connections(is_https: bool) -> Result<Connections, ClientError> {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(CONNECT_TIME));
    let builder = HttpsConnectorBuilder::new();
    let builder = if is_https {
        let certificates = builder.with_native_roots();
        certificates.map_err(|error| ClientError::NoCertificates(error.to_string()))?.https_only()
    } else {
        let trusts_none = ClientConfig::builder().with_root_certificates(RootCertStore::empty());
        builder.with_tls_config(trusts_none.with_no_client_auth()).https_or_http()
    };
    Ok(Client::builder(TokioExecutor::new())
        .build(builder.enable_http1().wrap_connector(connector)))
}
