//! Addresses to connect to, instead of those that the name in a URL has by now.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::dns::Name;
use tower::Service;

/// Resolves every name to the same addresses, so that a name that changes between a check and the connection leads
/// nowhere else. An IP address in a URL is not resolved; the caller checks it as well.
#[derive(Debug, Clone)]
pub struct PinnedAddresses(Arc<[SocketAddr]>);

impl PinnedAddresses {
    /// Pins these addresses.
    pub fn new(addresses: impl IntoIterator<Item = SocketAddr>) -> Self {
        Self(addresses.into_iter().collect())
    }
}

impl Service<Name> for PinnedAddresses {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        ready(Ok(Vec::from(&*self.0).into_iter()))
    }
}
