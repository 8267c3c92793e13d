//! The server's settings for remote hosts.

use crate::admin::boundary::PrivateAddresses;
use crate::remote::host_resolver::{HostResolver, SystemResolver};
use forge_git::AccessToken;
use forge_github::GitHubClient;
use std::sync::Arc;

/// The server's settings for remote hosts.
#[derive(Debug, Clone)]
pub struct RemoteSettings {
    /// Time limit of a query, fetch or push.
    pub timeout_seconds: u64,
    /// Scheme and host of GitHub; its tokens are sent nowhere else.
    pub github_url: String,
    /// The API client, with the GitHub App.
    pub github: GitHubClient,
    /// The token from the server's environment.
    pub github_token: Option<AccessToken>,
    /// Which private hosts may be contacted (S-6).
    pub private_addresses: PrivateAddresses,
    /// Looks up the addresses of hosts.
    pub resolver: Arc<dyn HostResolver>,
}

impl Default for RemoteSettings {
    fn default() -> Self {
        Self {
            timeout_seconds: 300,
            github_url: "https://github.com".to_owned(),
            github: GitHubClient::new("https://api.github.com", None),
            github_token: None,
            private_addresses: PrivateAddresses::Allowed,
            resolver: Arc::new(SystemResolver),
        }
    }
}
