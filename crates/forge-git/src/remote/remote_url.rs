use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The address of a remote repository. It begins with no dash, names no program and contains no secret, so it can be
/// passed to git, stored and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteUrl {
    text: String,
    protocol: RemoteProtocol,
}

/// The transport to a remote repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemoteProtocol {
    File,
    Ssh,
    Http,
    Https,
}

/// The error for an address that Forge does not accept. It does not repeat the address, which may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RemoteUrlError {
    /// Git could take it for an option, a program or several words.
    #[error(
        "this is no plain address; give one like https://host/path.git, ssh://user@host/path.git, user@host:path.git or file:///path.git"
    )]
    Malformed,
    /// A transport that Forge does not use.
    #[error("this protocol is not used; give an https://, http://, ssh:// or file:// address")]
    Protocol,
    /// The address contains a password or token.
    #[error(
        "the address contains credentials, which would be stored and logged; give it without them, and the token apart or an ssh key instead"
    )]
    Credentials,
}

impl RemoteProtocol {
    fn port(self) -> u16 {
        match self {
            Self::File => 0,
            Self::Ssh => 22,
            Self::Http => 80,
            Self::Https => 443,
        }
    }

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
    /// Checks and wraps an address.
    pub fn new(text: impl Into<String>) -> Result<Self, RemoteUrlError> {
        let text = text.into();
        let unfit = |symbol: char| symbol.is_control() || symbol.is_whitespace();
        if text.is_empty() || text.len() > 2000 || text.starts_with('-') || text.contains(unfit) {
            return Err(RemoteUrlError::Malformed);
        }
        let protocol = match text.split_once("://") {
            Some(("file", rest)) => check_file(rest)?,
            Some(("http", rest)) => check_host(rest, RemoteProtocol::Http)?,
            Some(("https", rest)) => check_host(rest, RemoteProtocol::Https)?,
            Some(("ssh", rest)) => check_host(rest, RemoteProtocol::Ssh)?,
            Some(_) => return Err(RemoteUrlError::Protocol),
            None => check_scp_style(&text)?,
        };
        Ok(Self { text, protocol })
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and port of an http or https address: the host that would receive a token.
    pub fn origin(&self) -> Option<&str> {
        if !matches!(self.protocol, RemoteProtocol::Http | RemoteProtocol::Https) {
            return None;
        }
        let start = self.text.find("://")? + 3;
        let length = self.text.get(start..)?.find('/')?;
        self.text.get(..start + length)
    }

    /// The host and its port.
    pub fn host(&self) -> Option<(&str, u16)> {
        let (place, usual) = match (self.protocol, self.text.split_once("://")) {
            (RemoteProtocol::File, _) => return None,
            (protocol, Some((_, rest))) => (rest.split('/').next()?, protocol.port()),
            (protocol, None) => (self.text.split(':').next()?, protocol.port()),
        };
        let place = place.rsplit('@').next()?;
        match place.split_once(':') {
            Some((host, port)) => Some((host, port.parse().ok()?)),
            None => Some((place, usual)),
        }
    }

    /// The local directories that git tries for a `file://` address, in git's order.
    pub fn directories(&self) -> Vec<PathBuf> {
        if self.protocol != RemoteProtocol::File {
            return Vec::new();
        }
        let path = percent_decode(self.text.strip_prefix("file://").unwrap_or_default());
        let plain = PathBuf::from(OsString::from_vec(path));
        let with_suffix = |suffix: &str| {
            let mut text = plain.clone().into_os_string();
            text.push(suffix);
            PathBuf::from(text)
        };
        [plain.clone(), with_suffix("/.git"), with_suffix(".git"), with_suffix(".git/.git")].into()
    }

    pub(crate) fn protocol(&self) -> RemoteProtocol {
        self.protocol
    }

    /// The repository's name: the last part of the path.
    pub fn name(&self) -> Option<&str> {
        let path = self.text.trim_end_matches('/');
        let last = path.rsplit(['/', ':']).next()?;
        let name = last.strip_suffix(".git").unwrap_or(last);
        (!name.is_empty()).then_some(name)
    }
}

/// Decodes percent encoding as git does (`%20` is a space).
fn percent_decode(text: &str) -> Vec<u8> {
    let (mut bytes, mut plain) = (text.as_bytes(), Vec::new());
    while let Some((first, rest)) = bytes.split_first() {
        let code = rest.get(..2).filter(|_| *first == b'%');
        let code =
            code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        plain.push(code.unwrap_or(*first));
        bytes = if code.is_some() { rest.get(2..).unwrap_or_default() } else { rest };
    }
    plain
}

fn check_file(rest: &str) -> Result<RemoteProtocol, RemoteUrlError> {
    // An empty host means this machine.
    let plain =
        rest.starts_with('/') && rest.len() > 1 && !rest.split('/').any(|part| part == "..");
    if plain { Ok(RemoteProtocol::File) } else { Err(RemoteUrlError::Malformed) }
}

fn check_host(rest: &str, protocol: RemoteProtocol) -> Result<RemoteProtocol, RemoteUrlError> {
    let (place, path) = rest.split_once('/').ok_or(RemoteUrlError::Malformed)?;
    let host = match place.rsplit_once('@') {
        None => place,
        // Over http even a bare user name can be a token.
        Some((user, _)) if protocol != RemoteProtocol::Ssh || user.contains(':') => {
            return Err(RemoteUrlError::Credentials);
        }
        Some((user, host)) if is_plain_name(user) => host,
        Some(_) => return Err(RemoteUrlError::Malformed),
    };
    let (host, port) = host.split_once(':').unwrap_or((host, "1"));
    let sound = is_plain_name(host) && port.parse::<u16>().is_ok() && !path.is_empty();
    // A query string can contain a secret as well.
    if sound && !path.contains(['?', '#', '@']) {
        Ok(protocol)
    } else {
        Err(RemoteUrlError::Malformed)
    }
}

/// Checks `user@host:path`, which git reads as ssh.
fn check_scp_style(text: &str) -> Result<RemoteProtocol, RemoteUrlError> {
    let (place, path) = text.split_once(':').ok_or(RemoteUrlError::Malformed)?;
    if path.starts_with(':') {
        // `ext::` and similar prefixes name a program to run.
        return Err(RemoteUrlError::Protocol);
    }
    let (user, host) = place.split_once('@').unwrap_or(("git", place));
    if path.contains('@') {
        return Err(RemoteUrlError::Credentials);
    }
    let sound =
        is_plain_name(user) && is_plain_name(host) && !path.is_empty() && !path.starts_with('-');
    if sound { Ok(RemoteProtocol::Ssh) } else { Err(RemoteUrlError::Malformed) }
}

/// Whether a text is a plain user or host name, which git cannot take for an option.
fn is_plain_name(text: &str) -> bool {
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
    fn plain_addresses_are_accepted_and_named() {
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
        let host =
            |text: &str| RemoteUrl::new(text).expect(text).host().map(|(h, p)| format!("{h}:{p}"));
        for (text, expected) in [
            ("https://example.org/a", "example.org:443"),
            ("http://10.0.0.1:8080/a", "10.0.0.1:8080"),
            ("ssh://git@example.org:2222/a", "example.org:2222"),
            ("git@example.org:team/a", "example.org:22"),
            ("example.org:a", "example.org:22"),
        ] {
            assert_eq!(host(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(host("file:///srv/a"), None);
        let places = RemoteUrl::new("file:///srv/a%20b").expect("one").directories();
        assert_eq!(places[0], PathBuf::from("/srv/a b"));
        assert_eq!(places[2], PathBuf::from("/srv/a b.git"));
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
