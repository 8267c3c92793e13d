//! Look-up of host names, injected so that tests control it.

use futures::future::BoxFuture;
use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;

/// Resolves host names: the system, or a test.
pub trait HostResolver: Send + Sync + Debug {
    /// The current addresses of a host, with the port.
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;
}

/// The resolver of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl HostResolver for SystemResolver {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }
}
