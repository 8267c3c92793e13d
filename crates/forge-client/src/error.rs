//! Why a call did not work.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use forge_api::ErrorBody;
use thiserror::Error;

use crate::server_url::{BadServerUrl, ServerUrl};

/// Why a call did not work, and what to do next. No variant can hold the token.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClientError {
    /// Nothing listens there.
    #[error(
        "nothing answers at {url}; start it with `forge serve`, or name another server with FORGE_URL"
    )]
    Refused {
        /// The server.
        url: String,
    },
    /// The connection could not be made, or broke.
    #[error("cannot talk to {url}: {reason}; check the address and the network")]
    Unreachable {
        /// The server.
        url: String,
        /// What the network said.
        reason: String,
    },
    /// The server took too long.
    #[error("{url} gave no answer within {} s; look whether it is busy, then try again", .after.as_secs())]
    Timeout {
        /// The server.
        url: String,
        /// How long the client waited.
        after: Duration,
    },
    /// The server said no.
    #[error("{}", .body.message)]
    Api {
        /// The HTTP status.
        status: u16,
        /// Why.
        body: Box<ErrorBody>,
    },
    /// The answer is not one of Forge's.
    #[error(
        "{url} answered {status} in a way that this version does not understand: {reason}; check that it is a Forge server of the same version"
    )]
    BadAnswer {
        /// The server.
        url: String,
        /// The HTTP status.
        status: u16,
        /// What is odd about it.
        reason: String,
    },
    /// What was asked for cannot be put into a request.
    #[error("the request cannot be written: {0}")]
    BadRequest(String),
    /// The address names no server.
    #[error(transparent)]
    BadUrl(#[from] BadServerUrl),
    /// The token has characters that no token has.
    #[error(
        "the token is empty or has characters that no token has; sign in again with `forge login`"
    )]
    UnusableToken,
    /// The machine has no certificates to check a server by.
    #[error(transparent)]
    NoCertificates(#[from] forge_http::NoCertificates),
}

impl ClientError {
    /// What the library says about a connection that failed, in our words.
    pub(crate) fn from_transport(url: &ServerUrl, error: &forge_http::SendError) -> Self {
        let url = url.to_string();
        match io_kind(error) {
            Some(io::ErrorKind::ConnectionRefused) => Self::Refused { url },
            _ => Self::Unreachable { url, reason: innermost(error) },
        }
    }

    /// An answer that broke off while it was read.
    pub(crate) fn broke_off(url: &ServerUrl, error: &dyn std::error::Error) -> Self {
        Self::Unreachable { url: url.to_string(), reason: format!("the answer broke off: {error}") }
    }

    /// Whether trying again later can help: the server was not there, or was not ready.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::Unreachable { .. } | Self::Timeout { .. } => true,
            Self::Api { status, .. } | Self::BadAnswer { status, .. } => {
                matches!(status, 408 | 429 | 502 | 503 | 504)
            }
            Self::BadRequest(_)
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

/// The cause that names the trouble; what stands around it only says that there was one.
fn innermost(error: &forge_http::SendError) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        text = error.to_string();
        next = error.source();
    }
    text
}
