use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forge_proc::{ProgramInvocation, StdinSource};

use crate::remote::credentials::RemoteCredentials;
use crate::remote::remote_url::{RemoteProtocol, RemoteUrl};

/// The credential helper that git runs to get the token. It contains no secret: it reads a line from the pipe that is
/// the standard input of the git process that Forge started, which leads its process group. So the token is in no
/// file, no argument and no environment variable (M-15).
const CREDENTIAL_HELPER: &str = "!f() { test \"$1\" = get || return 0; \
    read -r _ _ _ _ group _ </proc/self/stat && read -r token <\"/proc/$group/fd/0\" && \
    printf 'username=%s\\npassword=%s\\n' 'NAME' \"$token\"; }; f";

/// A remote repository with its credentials.
#[derive(Debug, Clone)]
pub struct RemoteRepo {
    url: RemoteUrl,
    credentials: RemoteCredentials,
    isolated_dirs: PathBuf,
    deadline: Option<Duration>,
    fixed_addresses: Option<String>,
}

impl RemoteRepo {
    /// A remote repository. Git runs for it in temporary git directories below the given one, which no other process
    /// uses, because the settings of a repository could send a token to another host.
    pub fn new(
        url: RemoteUrl,
        credentials: RemoteCredentials,
        isolated_dirs: impl Into<PathBuf>,
    ) -> Self {
        Self {
            url,
            credentials,
            isolated_dirs: isolated_dirs.into(),
            deadline: None,
            fixed_addresses: None,
        }
    }

    /// Limits the time of every operation on this remote.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Fixes the addresses of the host, so that git does not resolve the name again and connects to exactly the
    /// addresses that were checked. Only for http and https.
    #[must_use]
    pub fn with_addresses(mut self, addresses: &[IpAddr]) -> Self {
        if let (Some(_), Some((host, port))) = (self.url.origin(), self.url.host())
            && !addresses.is_empty()
        {
            let written = addresses.iter().map(|address| match address {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            });
            let written: Vec<_> = written.collect();
            self.fixed_addresses = Some(format!("{host}:{port}:{}", written.join(",")));
        }
        self
    }

    /// The remote's address.
    pub fn url(&self) -> &RemoteUrl {
        &self.url
    }

    /// The credentials for this remote.
    pub fn credentials(&self) -> &RemoteCredentials {
        &self.credentials
    }

    pub(crate) fn isolated_dirs(&self) -> &Path {
        &self.isolated_dirs
    }

    pub(crate) fn deadline_or(&self, usual: Duration) -> Duration {
        self.deadline.unwrap_or(usual)
    }

    /// Allows the one protocol of the address, and passes the credentials to that host only.
    pub(crate) fn configure(&self, invocation: ProgramInvocation) -> ProgramInvocation {
        let protocol = self.url.protocol();
        let mut invocation = invocation
            .arg("-c")
            .arg(format!("protocol.{}.allow=always", protocol.name()))
            .arg("-c")
            .arg("http.followRedirects=false");
        if let Some(resolved) = &self.fixed_addresses {
            invocation = invocation.arg("-c").arg(format!("http.curloptResolve={resolved}"));
        }
        if protocol == RemoteProtocol::Ssh {
            // Ssh must not ask the user anything.
            invocation = invocation.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        match (&self.credentials, self.url.origin()) {
            (RemoteCredentials::Token(token), Some(origin)) => {
                let helper = CREDENTIAL_HELPER.replace("NAME", token.name());
                let setting = format!("credential.{origin}.helper={helper}");
                invocation.arg("-c").arg(setting).stdin(StdinSource::Bytes(token.helper_input()))
            }
            (RemoteCredentials::SshAgent(socket), None) if protocol == RemoteProtocol::Ssh => {
                invocation.env("SSH_AUTH_SOCK", socket)
            }
            _ => invocation,
        }
    }
}

impl fmt::Display for RemoteRepo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::remote::credentials::AccessToken;

    fn call(url: &str, access: RemoteCredentials) -> String {
        let remote = RemoteRepo::new(RemoteUrl::new(url).expect(url), access, "/nonexistent");
        format!("{:?}", remote.configure(ProgramInvocation::new("git", "/")))
    }

    #[test]
    fn m_15_only_ssh_gets_the_users_agent_and_never_prompts() {
        let agent = || RemoteCredentials::SshAgent("/run/agent.sock".into());
        for url in ["ssh://git@example.org/a.git", "git@example.org:a.git"] {
            let call = call(url, agent());
            assert!(call.contains("SSH_AUTH_SOCK") && call.contains("/run/agent.sock"), "{call}");
            assert!(call.contains("ssh -o BatchMode=yes"), "{call}");
            assert!(call.contains("protocol.ssh.allow=always"), "{call}");
        }
        for url in ["https://example.org/a.git", "http://example.org/a.git", "file:///a.git"] {
            let call = call(url, agent());
            assert!(!call.contains("SSH"), "{call}");
            assert!(call.contains("http.followRedirects=false"), "{call}");
        }
    }

    #[test]
    fn m_15_a_token_goes_to_the_host_of_the_address_alone() {
        let token =
            || RemoteCredentials::Token(AccessToken::new("hunter22", None).expect("a token"));
        let said = call("https://example.org:8443/a.git", token());
        assert!(said.contains("credential.https://example.org:8443.helper=!f()"), "{said}");
        assert!(!said.contains("hunter22"), "{said}");
        for url in ["ssh://git@example.org/a.git", "file:///a.git"] {
            assert!(!call(url, token()).contains("credential"), "{url}");
        }
    }
}
