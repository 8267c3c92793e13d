//! Which hosts the URLs of repositories and webhooks may resolve to (S-6).

use crate::command::errors::EngineError;
use crate::remote::access::Remotes;
use forge_git::RemoteUrl;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Which private, loopback and link-local addresses the server may contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrivateAddresses {
    /// All addresses are allowed.
    Allowed,
    /// Only public addresses and those that a rule names.
    Only(Vec<AddressRule>),
}

/// A host name, an address, or a network such as `10.0.0.0/8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressRule {
    /// A host name, whatever it resolves to.
    Host(String),
    /// A network by address and prefix length.
    Network(IpAddr, u8),
}

impl FromStr for AddressRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "`{text}` is no host name, address or network; write git.example.org, 10.1.2.3 or 10.0.0.0/8"
            )
        };
        let (place, bits) = match text.split_once('/') {
            Some((place, bits)) => (place, Some(bits.parse::<u8>().map_err(|_| refused())?)),
            None => (text, None),
        };
        if let Ok(address) = place.parse::<IpAddr>() {
            let whole = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.unwrap_or(whole);
            return if bits <= whole { Ok(Self::Network(address, bits)) } else { Err(refused()) };
        }
        let fits = |symbol: char| symbol.is_ascii_alphanumeric() || ".-_".contains(symbol);
        if bits.is_some() || place.is_empty() || !place.chars().all(fits) {
            return Err(refused());
        }
        Ok(Self::Host(place.to_ascii_lowercase()))
    }
}

impl fmt::Display for AddressRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(name) => f.write_str(name),
            Self::Network(address, bits) => write!(f, "{address}/{bits}"),
        }
    }
}

impl AddressRule {
    fn allows(&self, host: &str, address: IpAddr) -> bool {
        match self {
            Self::Host(name) => name.eq_ignore_ascii_case(host),
            Self::Network(network, bits) => {
                let shift = |width: u32| width.saturating_sub(u32::from(*bits));
                match (network, address) {
                    (IpAddr::V4(network), IpAddr::V4(address)) => {
                        let difference = u32::from(*network) ^ u32::from(address);
                        difference.checked_shr(shift(32)).unwrap_or(0) == 0 || *bits == 0
                    }
                    (IpAddr::V6(network), IpAddr::V6(address)) => {
                        let difference = u128::from(*network) ^ u128::from(address);
                        difference.checked_shr(shift(128)).unwrap_or(0) == 0
                    }
                    _ => false,
                }
            }
        }
    }
}

impl PrivateAddresses {
    /// Whether the server may contact this address of a host.
    pub(crate) fn allows(&self, host: &str, address: IpAddr) -> bool {
        is_public(address) || self.names(host, address)
    }

    /// Whether a rule names this address of a host, public or not.
    pub(crate) fn names(&self, host: &str, address: IpAddr) -> bool {
        match self {
            Self::Allowed => true,
            Self::Only(rules) => rules.iter().any(|rule| rule.allows(host, address)),
        }
    }
}

/// Whether an address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (b == 18 || b == 19));
    !(reserved
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, .., last_but_one, last] = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    match (first, second) {
        // NAT64 and 6to4 addresses embed an IPv4 address; check that one.
        (0x64, 0xff9b) => embedded(last_but_one, last),
        (0x2002, high) => embedded(high, address.segments()[2]),
        // Global unicast is 2000::/3; everything else is loopback, link-local, unique local, multicast or unassigned.
        _ => first & 0xe000 == 0x2000,
    }
}

impl Remotes {
    /// Refuses a URL that resolves to a private, loopback or link-local host. Returns the resolved addresses, so that
    /// git connects to exactly those and does not resolve the name again.
    pub(crate) async fn check_address(&self, url: &RemoteUrl) -> Result<Vec<IpAddr>, EngineError> {
        let settings = &self.remote_settings;
        let Some((host, port)) = url.host() else { return Ok(Vec::new()) };
        if settings.private_addresses == PrivateAddresses::Allowed {
            return Ok(Vec::new());
        }
        // The server's own settings name GitHub's host, so it is always allowed.
        if url.origin().is_some_and(|origin| origin == settings.github_url) {
            return Ok(Vec::new());
        }
        // An unresolvable host cannot be reached; git reports that itself.
        let Ok(found) = settings.resolver.resolve(host, port).await else { return Ok(Vec::new()) };
        let found: Vec<IpAddr> = found.into_iter().map(|address| address.ip()).collect();
        let refused =
            found.iter().find(|address| !settings.private_addresses.allows(host, **address));
        match refused {
            Some(_) => Err(EngineError::AddressNotAllowed { host: host.to_owned() }),
            None => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn s_6_addresses_that_only_this_network_reaches_are_not_public() {
        for private in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in ["1.1.1.1", "140.82.121.4", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn s_6_a_rule_names_a_host_an_address_or_a_network() {
        let only = |rules: &[&str]| {
            PrivateAddresses::Only(rules.iter().map(|rule| rule.parse().unwrap()).collect())
        };
        let address: IpAddr = "10.1.2.3".parse().unwrap();
        assert!(!only(&[]).allows("git.lan", address));
        for rule in ["git.lan", "GIT.LAN", "10.1.2.3", "10.0.0.0/8", "0.0.0.0/0"] {
            assert!(only(&[rule]).allows("git.lan", address), "{rule}");
        }
        for rule in ["git", "10.1.2.4", "10.2.0.0/16", "fd00::/8"] {
            assert!(!only(&[rule]).allows("git.lan", address), "{rule}");
        }
        assert!(only(&["fd00::/8"]).allows("x", "fd12::1".parse().unwrap()));
        for wrong in ["", "a b", "10.0.0.0/33", "git.lan/8", "http://git.lan"] {
            assert!(wrong.parse::<AddressRule>().is_err(), "{wrong}");
        }
    }
}
