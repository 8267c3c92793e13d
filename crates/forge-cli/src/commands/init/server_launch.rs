//! Starts a server that outlives this command.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use forge_server::settings::ServerSettings;

use crate::cli_error::CliError;

const LOG_FILE: &str = "serve.log";
/// The usual address of a server.
const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
const ANY_PORT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// The log of a server that `forge init` started.
pub(crate) fn log_path(data_dir: &Path) -> PathBuf {
    data_dir.join(LOG_FILE)
}

/// Starts `forge serve` in a session of its own and waits until it is ready: it prints its address only then. Its log
/// goes to a file in the data directory.
pub(crate) async fn launch_server(
    settings: &ServerSettings,
    last: Option<SocketAddr>,
) -> Result<(), CliError> {
    let data_dir = &settings.data_dir;
    let path = log_path(data_dir);
    let mut options = OpenOptions::new();
    let mut log = options.create(true).append(true).mode(0o600).open(&path)?;
    let begin = log.seek(SeekFrom::End(0))?;
    let mut child = spawn_server(data_dir, choose_address(settings.bind, last), log)?;
    let stdout = child.stdout.take();
    // On a separate thread, so that an interrupt can end the wait; the server then still starts.
    let reading = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        match stdout {
            Some(stdout) => BufReader::new(stdout).read_line(&mut line),
            None => Ok(0),
        }
    });
    let printed = reading.await.map_err(|error| CliError::local(error.to_string()))??;
    if printed > 0 {
        return Ok(());
    }
    let ended = child.wait()?;
    let why = read_error(&path, begin).unwrap_or_else(|| format!("it ended with {ended}"));
    Err(CliError::local(format!("the server did not start: {why}"))
        .hint(format!("its log is {}", path.display()))
        .hint("or start it yourself with `forge serve`"))
}

/// The address of the setting, if the user chose one; otherwise that of the last server or the usual one, and a free
/// port if another program uses both.
fn choose_address(setting: SocketAddr, last: Option<SocketAddr>) -> SocketAddr {
    if setting != USUAL {
        return setting;
    }
    let last = last.filter(|address| address.ip().is_loopback());
    let mut candidates = last.into_iter().chain([USUAL]);
    candidates.find(|address| TcpListener::bind(address).is_ok()).unwrap_or(ANY_PORT)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the server outlives this command and supervises its own processes"
)]
fn spawn_server(data_dir: &Path, address: SocketAddr, log: File) -> Result<Child, CliError> {
    let program = std::env::current_exe()?;
    let mut command = Command::new(&program);
    command
        .args(["serve", "--detached", "--bind", &address.to_string(), "--data-dir"])
        .arg(data_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log);
    command.spawn().map_err(|error| CliError::local(format!("{}: {error}", program.display())))
}

/// The error that the server wrote into its log.
fn read_error(log: &Path, begin: u64) -> Option<String> {
    let mut file = File::open(log).ok()?;
    file.seek(SeekFrom::Start(begin)).ok()?;
    let mut text = String::new();
    file.take(64 * 1024).read_to_string(&mut text).ok()?;
    let error = text.lines().rev().find_map(|line| line.strip_prefix("error: "))?;
    Some(error.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn a_port_that_another_program_uses_is_not_chosen() -> std::io::Result<()> {
        let taken = TcpListener::bind(ANY_PORT)?;
        let last = taken.local_addr()?;
        assert_ne!(choose_address(USUAL, Some(last)), last);
        drop(taken);
        assert_eq!(choose_address(USUAL, Some(last)), last, "free again");
        let elsewhere = "192.0.2.1:8080".parse().expect("an address");
        assert_ne!(choose_address(USUAL, Some(elsewhere)), elsewhere, "only this machine");
        let chosen = "127.0.0.1:1".parse().expect("an address");
        assert_eq!(choose_address(chosen, Some(last)), chosen, "the setting counts");
        Ok(())
    }
}
