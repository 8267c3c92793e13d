use std::fmt;

use crate::access::Access;

const LONGEST: usize = 2000;

/// Why a repository elsewhere did not do what it was asked to, as far as that can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteTrouble {
    /// Which kind.
    pub kind: TroubleKind,
    /// What git and the other side said, without secrets.
    pub message: String,
}

/// The kinds of trouble with a repository elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TroubleKind {
    /// It does not let us in: no credentials, wrong ones, or too few rights.
    Auth,
    /// There is no such repository at this address, or it has another one now.
    Address,
    /// It cannot be reached, or cannot answer now.
    Network,
    /// The connection was lost. What was asked for may have been done.
    Unknown,
}

const AUTH: &[&str] = &[
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
const ADDRESS: &[&str] = &[
    "not found",
    "returned error: 404",
    "returned error: 410",
    "returned error: 30",
    "redirect",
    "not valid: is this a git repository",
];
const NETWORK: &[&str] = &[
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

impl RemoteTrouble {
    /// Reads what git said.
    pub(crate) fn of(access: &Access, stderr: &str) -> Self {
        let small = stderr.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| small.contains(word));
        let kind = if says(AUTH) {
            TroubleKind::Auth
        } else if says(ADDRESS) {
            TroubleKind::Address
        } else if says(NETWORK) {
            TroubleKind::Network
        } else {
            TroubleKind::Unknown
        };
        Self { kind, message: told(access, stderr) }
    }

    /// It took too long.
    pub(crate) fn late(kind: TroubleKind, after: std::time::Duration) -> Self {
        let message = format!("no answer within {} seconds", after.as_secs());
        Self { kind, message }
    }
}

/// What may be shown of the other side's words: no secret, nothing that moves a terminal's cursor, and not too much.
pub(crate) fn told(access: &Access, text: &str) -> String {
    let hidden = access.hidden_in(text);
    let plain = |symbol: &char| *symbol == '\n' || !symbol.is_control();
    hidden.trim().chars().filter(plain).take(LONGEST).collect()
}

impl fmt::Display for RemoteTrouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            TroubleKind::Auth => "it does not let this server in",
            TroubleKind::Address => "there is no such repository",
            TroubleKind::Network => "it cannot be reached",
            TroubleKind::Unknown => "the connection was lost",
        };
        write!(formatter, "{what}: {}", self.message)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_17_what_git_says_is_told_apart() {
        use TroubleKind::{Address, Auth, Network, Unknown};
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
                Address,
            ),
            (
                "fatal: unable to access 'http://example.org/a/': The requested URL returned error: 301",
                Address,
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
            assert_eq!(RemoteTrouble::of(&Access::Open, said).kind, kind, "{said}");
        }
    }

    #[test]
    fn m_17_words_of_the_other_side_do_not_move_the_cursor() {
        let said = RemoteTrouble::of(&Access::Open, "\x1b[2Jgone\r\nagain\n");
        assert_eq!(said.message, "[2Jgone\nagain");
    }
}
