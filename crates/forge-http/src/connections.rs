//! Pools of connections.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::GaiResolver;
use hyper_util::rt::TokioExecutor;
use rustls::{ClientConfig, RootCertStore};

use crate::pinned_addresses::PinnedAddresses;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A pool of connections that resolves names.
pub type Connections = Client<HttpsConnector<HttpConnector<GaiResolver>>, Full<Bytes>>;

/// A pool of connections that go only to pinned addresses.
pub type PinnedConnections = Client<HttpsConnector<HttpConnector<PinnedAddresses>>, Full<Bytes>>;

/// The machine has no certificates to verify servers with.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoCertificatesError(String);

/// How connections are encrypted. Cloning is cheap.
#[derive(Clone)]
pub struct EncryptionSettings {
    config: ClientConfig,
    https_only: bool,
}

impl EncryptionSettings {
    /// Only encrypted connections, to servers that the machine's certificates verify. Loading them takes
    /// milliseconds.
    pub fn verified() -> Result<Self, NoCertificatesError> {
        let config = ClientConfig::builder()
            .with_native_roots()
            .map_err(|error| NoCertificatesError(error.to_string()))?;
        Ok(Self { config: config.with_no_client_auth(), https_only: true })
    }

    /// Unencrypted connections. Loads no certificates, so an encrypted one trusts no server.
    pub fn plain() -> Self {
        let config = ClientConfig::builder().with_root_certificates(RootCertStore::empty());
        Self { config: config.with_no_client_auth(), https_only: false }
    }
}

impl fmt::Debug for EncryptionSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EncryptionSettings")
            .field("https_only", &self.https_only)
            .finish_non_exhaustive()
    }
}

/// Opens a pool of connections that resolves names.
///
/// Built on hyper, because reqwest resolves `%2E%2E` in a path, so that a name from outside could leave its segment.
pub fn open_connections(settings: EncryptionSettings) -> Connections {
    pool(HttpConnector::new(), settings)
}

/// Opens a pool of connections that go only to these addresses, whatever the name in a URL resolves to. Certificates
/// are verified for that name.
pub fn open_pinned_connections(
    addresses: PinnedAddresses,
    settings: EncryptionSettings,
) -> PinnedConnections {
    pool(HttpConnector::new_with_resolver(addresses), settings)
}

fn pool<R>(
    mut connector: HttpConnector<R>,
    settings: EncryptionSettings,
) -> Client<HttpsConnector<HttpConnector<R>>, Full<Bytes>>
where
    R: Clone + Send + Sync + 'static,
    HttpsConnector<HttpConnector<R>>: hyper_util::client::legacy::connect::Connect + Clone,
{
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let builder = HttpsConnectorBuilder::new().with_tls_config(settings.config);
    let builder = if settings.https_only { builder.https_only() } else { builder.https_or_http() };
    Client::builder(TokioExecutor::new()).build(builder.enable_http1().wrap_connector(connector))
}
