/// Where a repository elsewhere is. It begins with no dash, names no program, and carries no secret, so it can be
/// given to git, stored and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteUrl {
    text: String,
    protocol: Protocol,
}

/// How a repository elsewhere is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    File,
    Ssh,
    Http,
    Https,
}

/// An address that is not used. What was given is not repeated: it may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RemoteUrlError {
    /// Something git would take for an option, a program or several words.
    #[error(
        "this is no plain address; give one like https://host/path.git, ssh://user@host/path.git, user@host:path.git or file:///path.git"
    )]
    Malformed,
    /// A way of reaching it that Forge does not use.
    #[error("this protocol is not used; give an https://, http://, ssh:// or file:// address")]
    Protocol,
    /// A password or token.
    #[error(
        "the address contains credentials, which would be stored and logged; give it without them, and the token apart or an ssh key instead"
    )]
    Credentials,
}

impl Protocol {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Ssh => "ssh",
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

impl RemoteUrl {
    /// Checks an address.
    pub fn new(text: impl Into<String>) -> Result<Self, RemoteUrlError> {
        let text = text.into();
        let unfit = |symbol: char| symbol.is_control() || symbol.is_whitespace();
        if text.is_empty() || text.len() > 2000 || text.starts_with('-') || text.contains(unfit) {
            return Err(RemoteUrlError::Malformed);
        }
        let protocol = match text.split_once("://") {
            Some(("file", rest)) => check_file(rest)?,
            Some(("http", rest)) => check_host(rest, Protocol::Http)?,
            Some(("https", rest)) => check_host(rest, Protocol::Https)?,
            Some(("ssh", rest)) => check_host(rest, Protocol::Ssh)?,
            Some(_) => return Err(RemoteUrlError::Protocol),
            None => check_short(&text)?,
        };
        Ok(Self { text, protocol })
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and port of an http or https address: whom a token would be told.
    pub fn origin(&self) -> Option<&str> {
        if !matches!(self.protocol, Protocol::Http | Protocol::Https) {
            return None;
        }
        let start = self.text.find("://")? + 3;
        let length = self.text.get(start..)?.find('/')?;
        self.text.get(..start + length)
    }

    pub(crate) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// What it would be called: the last part of its path.
    pub fn name(&self) -> Option<&str> {
        let path = self.text.trim_end_matches('/');
        let last = path.rsplit(['/', ':']).next()?;
        let name = last.strip_suffix(".git").unwrap_or(last);
        (!name.is_empty()).then_some(name)
    }
}

fn check_file(rest: &str) -> Result<Protocol, RemoteUrlError> {
    // An empty host: this machine.
    let plain =
        rest.starts_with('/') && rest.len() > 1 && !rest.split('/').any(|part| part == "..");
    if plain { Ok(Protocol::File) } else { Err(RemoteUrlError::Malformed) }
}

fn check_host(rest: &str, protocol: Protocol) -> Result<Protocol, RemoteUrlError> {
    let (place, path) = rest.split_once('/').ok_or(RemoteUrlError::Malformed)?;
    let host = match place.rsplit_once('@') {
        None => place,
        // Over http even a bare user name is how tokens are passed.
        Some((user, _)) if protocol != Protocol::Ssh || user.contains(':') => {
            return Err(RemoteUrlError::Credentials);
        }
        Some((user, host)) if is_word(user) => host,
        Some(_) => return Err(RemoteUrlError::Malformed),
    };
    let (host, port) = host.split_once(':').unwrap_or((host, "1"));
    let sound = is_word(host) && port.parse::<u16>().is_ok() && !path.is_empty();
    // What stands behind a question mark can be a secret as well.
    if sound && !path.contains(['?', '#', '@']) {
        Ok(protocol)
    } else {
        Err(RemoteUrlError::Malformed)
    }
}

/// `user@host:path`, which git reads as ssh.
fn check_short(text: &str) -> Result<Protocol, RemoteUrlError> {
    let (place, path) = text.split_once(':').ok_or(RemoteUrlError::Malformed)?;
    if path.starts_with(':') {
        // `ext::` and its like name a program to run.
        return Err(RemoteUrlError::Protocol);
    }
    let (user, host) = place.split_once('@').unwrap_or(("git", place));
    if path.contains('@') {
        return Err(RemoteUrlError::Credentials);
    }
    let sound = is_word(user) && is_word(host) && !path.is_empty() && !path.starts_with('-');
    if sound { Ok(Protocol::Ssh) } else { Err(RemoteUrlError::Malformed) }
}

/// A user's or host's name: never an option.
fn is_word(text: &str) -> bool {
    let fits = |symbol: char| symbol.is_ascii_alphanumeric() || "._-".contains(symbol);
    !text.starts_with(['-', '.']) && !text.is_empty() && text.chars().all(fits)
}

impl std::fmt::Display for RemoteUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn plain_addresses_are_taken_and_named() {
        for (text, name) in [
            ("https://example.org/team/shop.git", "shop"),
            ("https://example.org:8443/shop", "shop"),
            ("ssh://git@example.org:2222/team/shop.git/", "shop"),
            ("git@example.org:team/shop.git", "shop"),
            ("example.org:shop.git", "shop"),
            ("file:///srv/git/shop.git", "shop"),
        ] {
            let url = RemoteUrl::new(text).expect(text);
            assert_eq!((url.as_str(), url.name()), (text, Some(name)));
        }
        let origin = |text: &str| RemoteUrl::new(text).expect(text).origin().map(str::to_owned);
        assert_eq!(origin("http://10.0.0.1:80/a/b").as_deref(), Some("http://10.0.0.1:80"));
        assert_eq!(origin("https://example.org/a").as_deref(), Some("https://example.org"));
        assert_eq!(origin("ssh://git@example.org/a"), None);
    }

    #[test]
    fn m_15_nothing_from_outside_becomes_an_option_a_program_or_a_stored_secret() {
        use RemoteUrlError::{Credentials, Malformed, Protocol};
        for (text, error) in [
            ("", Malformed),
            ("--upload-pack=touch x", Malformed),
            ("-u", Malformed),
            ("ext::sh -c touch", Malformed),
            ("ext::sh", Protocol),
            ("fd::17", Protocol),
            ("git://example.org/a", Protocol),
            ("ftp://example.org/a", Protocol),
            ("ssh://-oProxyCommand=x/a", Malformed),
            ("ssh://git@-oProxyCommand=x/a", Malformed),
            ("-oProxyCommand=x:a", Malformed),
            ("git@-oProxyCommand:a", Malformed),
            ("example.org:-x", Malformed),
            ("https://user:secret@example.org/a", Credentials),
            ("https://token@example.org/a", Credentials),
            ("http://token@example.org/a", Credentials),
            ("ssh://user:secret@example.org/a", Credentials),
            ("user:secret@example.org:a", Credentials),
            ("https://example.org/a?token=secret", Malformed),
            ("https://example.org", Malformed),
            ("https:///a", Malformed),
            ("https://example.org:port/a", Malformed),
            ("file://host/a", Malformed),
            ("file:///a/../../etc", Malformed),
            ("a b", Malformed),
            ("/srv/git/shop.git", Malformed),
            ("https://example.org/a\nb", Malformed),
        ] {
            assert_eq!(RemoteUrl::new(text), Err(error), "{text}");
            assert!(!error.to_string().contains("secret"));
        }
    }
}
