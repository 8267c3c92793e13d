//! Errors of a call.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use forge_api::ErrorBody;
use hyper_util::client::legacy::Error as SendError;
use thiserror::Error;

use crate::server_url::{ServerUrl, ServerUrlError};

/// Why a call failed, and what to do next. No variant can contain the token.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClientError {
    /// No server listens at the address.
    #[error(
        "nothing answers at {url}; start it with `forge serve`, or name another server with FORGE_URL"
    )]
    Refused {
        /// Address of the server.
        url: String,
    },
    /// The connection failed or broke.
    #[error("cannot talk to {url}: {reason}; check the address and the network")]
    Unreachable {
        /// Address of the server.
        url: String,
        /// Reason from the network library.
        reason: String,
    },
    /// The server does not use TLS at this port.
    #[error("{url} does not speak https; use {plain}")]
    NotTls {
        /// Address of the server.
        url: String,
        /// The same address without TLS.
        plain: String,
    },
    /// The server took too long.
    #[error("{url} did not answer within {} s; check whether it is busy, then try again", .after.as_secs())]
    Timeout {
        /// Address of the server.
        url: String,
        /// How long the client waited.
        after: Duration,
    },
    /// The server answered with an error.
    #[error("{}", .body.message)]
    Api {
        /// The HTTP status.
        status: u16,
        /// The error body of the server.
        body: Box<ErrorBody>,
    },
    /// The answer does not come from Forge.
    #[error(
        "{url} answered {status} in a way that this version does not understand: {reason}; check that it is a Forge server of the same version"
    )]
    BadAnswer {
        /// Address of the server.
        url: String,
        /// The HTTP status.
        status: u16,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The input cannot be written as a request.
    #[error("cannot build the request: {0}")]
    BadRequest(String),
    /// The address is not that of a server.
    #[error(transparent)]
    BadUrl(#[from] ServerUrlError),
    /// The token contains characters that no token has.
    #[error("the token is empty or has invalid characters; sign in again with `forge login`")]
    UnusableToken,
    /// The machine has no certificates to verify a server with.
    #[error(
        "found no CA certificates to verify https servers with: {0}; install your system's CA certificates"
    )]
    NoCertificates(String),
}

impl ClientError {
    /// Translates a connection failure of the HTTP library.
    pub(crate) fn from_transport(url: &ServerUrl, error: &SendError) -> Self {
        let url = url.to_string();
        if io_kind(error) == Some(io::ErrorKind::ConnectionRefused) {
            return Self::Refused { url };
        }
        let reason = innermost_cause(error);
        // The TLS library's name for an answer that is not TLS, such as that of a plain HTTP server.
        if reason.contains("InvalidContentType") {
            let plain = url.replacen("https:", "http:", 1);
            return Self::NotTls { url, plain };
        }
        Self::Unreachable { url, reason }
    }

    /// An answer that ended while the client was reading it.
    pub(crate) fn from_body_error(url: &ServerUrl, error: &dyn std::error::Error) -> Self {
        Self::Unreachable {
            url: url.to_string(),
            reason: format!("the answer ended early: {error}"),
        }
    }

    /// Whether a later attempt can succeed: the server was unreachable or not ready.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::Unreachable { .. } | Self::Timeout { .. } => true,
            Self::Api { status, .. } | Self::BadAnswer { status, .. } => {
                matches!(status, 408 | 429 | 502 | 503 | 504)
            }
            Self::NotTls { .. }
            | Self::BadRequest(_)
            | Self::BadUrl(_)
            | Self::UnusableToken
            | Self::NoCertificates(_) => false,
        }
    }
}

fn io_kind(error: &(dyn std::error::Error + 'static)) -> Option<io::ErrorKind> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return Some(error.kind());
        }
        next = error.source();
    }
    None
}

/// The innermost cause, which names the problem; the outer errors only say that there was one.
fn innermost_cause(error: &SendError) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        text = error.to_string();
        next = error.source();
    }
    text
}
