use std::fmt;

use crate::remote::credentials::RemoteCredentials;

const MAX_MESSAGE_CHARS: usize = 2000;

/// Why a remote repository did not do what it was asked to, as far as git's output tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteError {
    pub kind: RemoteErrorKind,
    /// The messages of git and the remote, without secrets.
    pub message: String,
}

/// The kinds of failures of a remote repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteErrorKind {
    /// The remote denies access: credentials are missing, wrong, or lack rights.
    Auth,
    /// There is no such repository at this address, or it has moved.
    NotFound,
    /// The remote cannot be reached, or cannot answer now.
    Network,
    /// The connection was lost. The operation may have been completed.
    Unknown,
}

const AUTH_MESSAGES: &[&str] = &[
    "authentication failed",
    "could not read username",
    "could not read password",
    "terminal prompts disabled",
    "invalid credentials",
    "access denied",
    "permission denied",
    "host key verification failed",
    "returned error: 401",
    "returned error: 403",
    "returned error: 407",
];
const NOT_FOUND_MESSAGES: &[&str] = &[
    "not found",
    "returned error: 404",
    "returned error: 410",
    "returned error: 30",
    "redirect",
    "not valid: is this a git repository",
];
const NETWORK_MESSAGES: &[&str] = &[
    "could not resolve host",
    "failed to connect",
    "couldn't connect",
    "connection refused",
    "connection timed out",
    "no route to host",
    "network is unreachable",
    "temporary failure in name resolution",
    "ssl certificate problem",
    "returned error: 429",
    "returned error: 5",
    "does not appear to be a git repository",
];

impl RemoteError {
    /// Classifies git's error output.
    pub(crate) fn from_stderr(access: &RemoteCredentials, stderr: &str) -> Self {
        let small = stderr.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| small.contains(word));
        let kind = if says(AUTH_MESSAGES) {
            RemoteErrorKind::Auth
        } else if says(NOT_FOUND_MESSAGES) {
            RemoteErrorKind::NotFound
        } else if says(NETWORK_MESSAGES) {
            RemoteErrorKind::Network
        } else {
            RemoteErrorKind::Unknown
        };
        Self { kind, message: sanitize_message(access, stderr) }
    }

    /// The error after a timeout.
    pub(crate) fn timed_out(kind: RemoteErrorKind, after: std::time::Duration) -> Self {
        let message = format!("no answer within {} seconds", after.as_secs());
        Self { kind, message }
    }
}

/// Makes a remote text safe to show: no secret, no control characters, limited length.
pub(crate) fn sanitize_message(access: &RemoteCredentials, text: &str) -> String {
    let hidden = access.redact(text);
    let plain = |symbol: &char| *symbol == '\n' || !symbol.is_control();
    hidden.trim().chars().filter(plain).take(MAX_MESSAGE_CHARS).collect()
}

impl fmt::Display for RemoteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            RemoteErrorKind::Auth => "it does not let this server in",
            RemoteErrorKind::NotFound => "there is no such repository",
            RemoteErrorKind::Network => "it cannot be reached",
            RemoteErrorKind::Unknown => "the connection was lost",
        };
        write!(formatter, "{what}: {}", self.message)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_17_error_output_of_git_is_classified() {
        use RemoteErrorKind::{Auth, Network, NotFound, Unknown};
        for (said, kind) in [
            ("fatal: Authentication failed for 'https://example.org/a.git/'", Auth),
            (
                "fatal: could not read Username for 'https://example.org': terminal prompts disabled",
                Auth,
            ),
            (
                "fatal: unable to access 'https://example.org/a/': The requested URL returned error: 403",
                Auth,
            ),
            (
                "git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.",
                Auth,
            ),
            ("Host key verification failed.\nfatal: Could not read from remote repository.", Auth),
            (
                "remote: Repository not found.\nfatal: repository 'https://example.org/a/' not found",
                NotFound,
            ),
            (
                "fatal: unable to access 'http://example.org/a/': The requested URL returned error: 301",
                NotFound,
            ),
            (
                "fatal: unable to access 'https://example.org/': Could not resolve host: example.org",
                Network,
            ),
            (
                "fatal: unable to access 'https://example.org/': The requested URL returned error: 502",
                Network,
            ),
            ("ssh: connect to host example.org port 22: Connection refused", Network),
            ("fatal: '/srv/a.git' does not appear to be a git repository", Network),
            ("fatal: the remote end hung up unexpectedly", Unknown),
            ("error: RPC failed; curl 52 Empty reply from server", Unknown),
            ("", Unknown),
        ] {
            assert_eq!(
                RemoteError::from_stderr(&RemoteCredentials::Anonymous, said).kind,
                kind,
                "{said}"
            );
        }
    }

    #[test]
    fn m_17_remote_messages_contain_no_control_characters() {
        let said =
            RemoteError::from_stderr(&RemoteCredentials::Anonymous, "\x1b[2Jgone\r\nagain\n");
        assert_eq!(said.message, "[2Jgone\nagain");
    }
}
