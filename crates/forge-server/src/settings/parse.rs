//! Parses the text of a setting; every error says what would be valid.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use forge_api::SecretString;
use forge_engine::{AccessToken, AddressRule, RestartPolicy};

use crate::settings::log_format::LogFormat;

/// Parses a setting that may be missing.
pub(crate) fn optional<T>(
    parse: impl Fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<Option<T>, String> {
    move |text| parse(text).map(Some)
}

pub(crate) fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

pub(crate) fn secret(text: &str) -> Result<SecretString, String> {
    Ok(SecretString::new(text))
}

pub(crate) fn restart_policy(text: &str) -> Result<RestartPolicy, String> {
    RestartPolicy::from_str(text).map_err(str::to_owned)
}

pub(crate) fn log_format(text: &str) -> Result<LogFormat, String> {
    LogFormat::from_str(text).map_err(str::to_owned)
}

pub(crate) fn access_token(text: &str) -> Result<AccessToken, String> {
    AccessToken::new(text, None).map_err(|error| error.to_string())
}

pub(crate) fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() || text.contains('\0') {
        return Err("is not a path".to_owned());
    }
    Ok(PathBuf::from(text))
}

pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not an address with a port, such as 127.0.0.1:8080"))
}

pub(crate) fn web_address(text: &str) -> Result<String, String> {
    let plain = text.trim_end_matches('/');
    let is_one = (plain.starts_with("https://") || plain.starts_with("http://"))
        && !plain.contains(|symbol: char| symbol.is_whitespace() || "@?#".contains(symbol));
    if is_one {
        Ok(plain.to_owned())
    } else {
        Err("is not an address such as https://github.com".to_owned())
    }
}

pub(crate) fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number from 0 on"))
}

pub(crate) fn small(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number from 0 to {}", u32::MAX))
}

pub(crate) fn percent(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| format!("`{text}` is not a whole number from 0 to 100"))
}

pub(crate) fn positive<T: FromStr + Default + PartialEq>(text: &str) -> Result<T, String> {
    let refused = || format!("`{text}` is not a whole number from 1 on");
    let number = text.parse::<T>().map_err(|_| refused())?;
    if number == T::default() {
        return Err(refused());
    }
    Ok(number)
}

pub(crate) fn switch(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("`{text}` is not `true` or `false`")),
    }
}

pub(crate) fn ports(text: &str) -> Result<std::ops::RangeInclusive<u16>, String> {
    let refused = || format!("`{text}` is not a range of ports from 1024 on, such as 42000-42999");
    let (first, last) = text.split_once('-').ok_or_else(refused)?;
    let port = |text: &str| text.trim().parse::<u16>().ok().filter(|port| *port >= 1024);
    match (port(first), port(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err(refused()),
    }
}

pub(crate) fn hosts(text: &str) -> Result<Vec<String>, String> {
    let hosts = text.split(',').map(str::trim).filter(|host| !host.is_empty());
    hosts
        .map(|host| {
            let plain = |c: char| c.is_ascii_alphanumeric() || ".-_[]:".contains(c);
            let is_name = host.chars().all(plain) && !host.starts_with('-');
            let has_port = host.rsplit_once(':').is_some_and(|(name, _)| !name.contains(':'));
            if is_name && !has_port {
                Ok(host.to_owned())
            } else {
                Err(format!("`{host}` is not a host name; leave out scheme and port"))
            }
        })
        .collect()
}

pub(crate) fn directories(text: &str) -> Result<Vec<PathBuf>, String> {
    let listed = text.split(',').map(str::trim).filter(|path| !path.is_empty());
    listed
        .map(|text| match Path::new(text) {
            path if path.is_absolute() => Ok(path.to_owned()),
            _ => Err(format!("`{text}` is not an absolute path")),
        })
        .collect()
}

pub(crate) fn address_rules(text: &str) -> Result<Vec<AddressRule>, String> {
    let listed = text.split(',').map(str::trim).filter(|rule| !rule.is_empty());
    listed.map(AddressRule::from_str).collect()
}

/// The token becomes the only key to the server, and it is sent in a header.
pub(crate) fn token(text: &str) -> Result<SecretString, String> {
    if text.len() < 8 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("needs at least 8 characters, letters, digits and signs only".to_owned());
    }
    Ok(SecretString::new(text))
}
