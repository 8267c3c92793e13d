use bytes::Bytes;
use forge_http::SendError;
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;

use crate::github_error::GitHubError;

/// Connections to GitHub, or to a fake server on this machine.
#[derive(Debug, Clone)]
pub(crate) struct GitHubTransport(forge_http::HttpTransport);

impl GitHubTransport {
    pub(crate) fn to(url: &Uri) -> Result<Self, GitHubError> {
        let transport = forge_http::HttpTransport::for_url(url);
        transport.map(Self).map_err(|error| GitHubError::Unreachable(error.to_string()))
    }

    pub(crate) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, SendError> {
        self.0.send(request).await
    }
}
