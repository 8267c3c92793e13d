use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forge_proc::{Invocation, Stdin};

use crate::access::Access;
use crate::remote_url::{Protocol, RemoteUrl};

/// What git runs to be told the token. Nothing secret is in it: it reads a line from the pipe that is the standard
/// input of the git that we started, which is the head of its process group. So the token is in no file, no argument
/// and no environment (M-15).
const HELPER: &str = "!f() { test \"$1\" = get || return 0; \
    read -r _ _ _ _ group _ </proc/self/stat && read -r token <\"/proc/$group/fd/0\" && \
    printf 'username=%s\\npassword=%s\\n' 'NAME' \"$token\"; }; f";

/// A repository elsewhere, with what opens it.
#[derive(Debug, Clone)]
pub struct RemoteRepo {
    url: RemoteUrl,
    access: Access,
    porches: PathBuf,
    deadline: Option<Duration>,
}

impl RemoteRepo {
    /// A repository elsewhere. In `porches`, a directory that nobody else uses, git is called for it: away from the
    /// settings of any repository, which could lead a token elsewhere.
    pub fn new(url: RemoteUrl, access: Access, porches: impl Into<PathBuf>) -> Self {
        Self { url, access, porches: porches.into(), deadline: None }
    }

    /// Lets nothing that is asked of it take longer.
    #[must_use]
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Where it is.
    pub fn url(&self) -> &RemoteUrl {
        &self.url
    }

    /// What opens it.
    pub fn access(&self) -> &Access {
        &self.access
    }

    pub(crate) fn porches(&self) -> &Path {
        &self.porches
    }

    pub(crate) fn deadline_or(&self, usual: Duration) -> Duration {
        self.deadline.unwrap_or(usual)
    }

    /// Opens the one protocol the address has, and brings what opens the door to nobody else.
    pub(crate) fn reach(&self, invocation: Invocation) -> Invocation {
        let protocol = self.url.protocol();
        let mut invocation = invocation
            .arg("-c")
            .arg(format!("protocol.{}.allow=always", protocol.name()))
            .arg("-c")
            .arg("http.followRedirects=false");
        if protocol == Protocol::Ssh {
            // It may ask nobody anything.
            invocation = invocation.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        match (&self.access, self.url.origin()) {
            (Access::Token(token), Some(origin)) => {
                let helper = HELPER.replace("NAME", token.name());
                let setting = format!("credential.{origin}.helper={helper}");
                invocation.arg("-c").arg(setting).stdin(Stdin::Bytes(token.lines()))
            }
            (Access::Agent(socket), None) if protocol == Protocol::Ssh => {
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
    use crate::access::Token;

    fn call(url: &str, access: Access) -> String {
        let remote = RemoteRepo::new(RemoteUrl::new(url).expect(url), access, "/nonexistent");
        format!("{:?}", remote.reach(Invocation::new("git", "/")))
    }

    #[test]
    fn m_15_only_ssh_is_shown_the_persons_agent_and_asks_nobody() {
        let agent = || Access::Agent("/run/agent.sock".into());
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
        let token = || Access::Token(Token::new("hunter22", None).expect("a token"));
        let said = call("https://example.org:8443/a.git", token());
        assert!(said.contains("credential.https://example.org:8443.helper=!f()"), "{said}");
        assert!(!said.contains("hunter22"), "{said}");
        for url in ["ssh://git@example.org/a.git", "file:///a.git"] {
            assert!(!call(url, token()).contains("credential"), "{url}");
        }
    }
}
