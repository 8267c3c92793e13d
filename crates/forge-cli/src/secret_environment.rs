//! Keeps the server's secrets away from agents, which run as the same user (issue 13.8).
//!
//! The initial environment of a process stays readable in `/proc/PID/environ` for its whole life, even after
//! variables are unset. So the server executes itself again without its secrets, which it passes to itself through a
//! file in memory. It also tells the kernel that no other process of this user may read its memory.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;

use forge_server::settings::TABLE;
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use crate::environment::ProcessEnvironment;

/// Names the file descriptor; set only between the two executions of the server.
const SECRETS_FD_VARIABLE: &str = "FORGE_SECRETS_FD";
const FILE_NAME: &str = "forge-secrets";

/// The variables that hold secrets: the settings that cannot be flags for this very reason.
fn secret_names() -> impl Iterator<Item = String> {
    TABLE.iter().filter(|setting| setting.flag().is_none()).map(|setting| setting.variable())
}

/// The environment with its secrets, none of which this process was started with. If a secret cannot be hidden, the
/// server warns and starts anyway: refusing would not make it safer.
pub(crate) fn hide_secrets(environment: ProcessEnvironment) -> ProcessEnvironment {
    let environment = match take_secrets(environment) {
        Ok(environment) => environment,
        Err((environment, error)) => {
            warn(&format!("secrets stay readable in this process's environment: {error}"));
            environment
        }
    };
    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        warn(&format!("other processes of this user can read the memory of this process: {error}"));
    }
    environment
}

fn warn(message: &str) {
    let _ = writeln!(io::stderr().lock(), "warning: {message}");
}

fn take_secrets(
    mut environment: ProcessEnvironment,
) -> Result<ProcessEnvironment, (ProcessEnvironment, io::Error)> {
    if let Some(descriptor) = environment.remove(SECRETS_FD_VARIABLE) {
        return match read_secrets(&descriptor) {
            Ok(secrets) => {
                environment.extend(secrets);
                Ok(environment)
            }
            Err(error) => Err((environment, error)),
        };
    }
    let held = secret_names().filter_map(|name| {
        let value = environment.get(&name)?.to_owned();
        Some((name, value))
    });
    let held: Vec<_> = held.collect();
    if held.is_empty() {
        return Ok(environment);
    }
    let error = exec_without_secrets(&held);
    Err((environment, error))
}

/// Replaces this process by the same program with the same arguments; returns only on failure.
fn exec_without_secrets(held: &[(String, OsString)]) -> io::Error {
    let file = match store_secrets(held) {
        Ok(file) => file,
        Err(error) => return error,
    };
    let mut words = std::env::args_os();
    let name = words.next().unwrap_or_else(|| OsString::from("forge"));
    #[expect(clippy::disallowed_methods, reason = "this process is replaced; no other is started")]
    let mut again = std::process::Command::new("/proc/self/exe");
    again.arg0(name).args(words).env(SECRETS_FD_VARIABLE, file.as_raw_fd().to_string());
    for (name, _) in held {
        again.env_remove(name);
    }
    again.exec()
}

/// A file in memory that stays open when this process executes another program.
fn store_secrets(held: &[(String, OsString)]) -> io::Result<File> {
    let mut file = File::from(memfd_create(FILE_NAME, MemfdFlags::empty())?);
    for (name, value) in held {
        file.write_all(name.as_bytes())?;
        file.write_all(b"=")?;
        file.write_all(value.as_bytes())?;
        file.write_all(b"\0")?;
    }
    file.rewind()?;
    Ok(file)
}

fn read_secrets(descriptor: &OsStr) -> io::Result<Vec<(OsString, OsString)>> {
    let refused =
        || io::Error::new(io::ErrorKind::InvalidData, "FORGE_SECRETS_FD is Forge's own; unset it");
    let number: i32 = descriptor.to_str().and_then(|text| text.parse().ok()).ok_or_else(refused)?;
    let path = format!("/proc/self/fd/{number}");
    let target = std::fs::read_link(&path)?;
    if !target.to_string_lossy().starts_with(&format!("/memfd:{FILE_NAME}")) {
        return Err(refused());
    }
    let mut content = Vec::new();
    File::open(&path)?.read_to_end(&mut content)?;
    nix::unistd::close(number).map_err(io::Error::from)?;
    let pairs = content.split(|byte| *byte == 0).filter_map(|pair| {
        let at = pair.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (pair.get(..at)?, pair.get(at + 1..)?);
        Some((OsString::from_vec(name.to_vec()), OsString::from_vec(value.to_vec())))
    });
    Ok(pairs.collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::os::fd::IntoRawFd;

    #[test]
    fn issue_13_08_every_secret_setting_is_hidden() {
        let names: Vec<_> = secret_names().collect();
        assert_eq!(names, ["FORGE_DATABASE_URL", "GITHUB_TOKEN", "FORGE_BOOTSTRAP_TOKEN"]);
    }

    #[test]
    fn issue_13_08_secrets_go_through_memory_and_nothing_else_is_read() {
        let held = [
            ("GITHUB_TOKEN".to_owned(), OsString::from("a=b c")),
            ("EMPTY".to_owned(), OsString::new()),
        ];
        let file = store_secrets(&held).unwrap();
        let number = OsString::from(file.into_raw_fd().to_string());
        let read = read_secrets(&number).unwrap();
        assert_eq!(read, held.map(|(name, value)| (OsString::from(name), value)));
        assert!(read_secrets(&number).is_err(), "it is closed");
        for wrong in ["", "x", "-1", "0", "99999"] {
            assert!(read_secrets(OsStr::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn issue_13_08_the_memory_of_a_server_is_its_own() {
        hide_secrets(ProcessEnvironment::default());
        let behaviour = rustix::process::dumpable_behavior().unwrap();
        assert_eq!(behaviour, DumpableBehavior::NotDumpable);
    }
}
