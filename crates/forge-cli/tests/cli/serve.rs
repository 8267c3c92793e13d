//! `forge serve`: the real server in a separate process (SPEC §7.1, E-13).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::forge::{CliUser, search_path};

pub(crate) const TOKEN: &str = "fg_0123456789abcdef0123456789abcdef";

/// A server that is stopped at the end of its test.
pub(crate) struct TestServer {
    child: Child,
    document: Value,
    home: TempDir,
}

impl TestServer {
    pub(crate) fn start(variables: &[(&str, &str)]) -> Self {
        Self::begin("error", Stdio::inherit(), TempDir::new().expect("a directory"), variables)
    }

    /// The same, with the whole log in a file.
    pub(crate) fn start_with_full_log(variables: &[(&str, &str)]) -> Self {
        let home = TempDir::new().expect("a directory");
        let log = std::fs::File::create(home.path().join("server.log")).expect("a log");
        Self::begin("trace", log.into(), home, variables)
    }

    /// A server on an existing home directory, whose `data` is its data directory.
    pub(crate) fn start_on(home: TempDir, variables: &[(&str, &str)]) -> Self {
        Self::begin("error", Stdio::inherit(), home, variables)
    }

    fn begin(level: &str, log: Stdio, home: TempDir, variables: &[(&str, &str)]) -> Self {
        let (child, document) = spawn_server(level, log, home.path(), variables);
        Self { child, document, home }
    }

    /// Stops the server and starts another on the same data.
    pub(crate) fn restart(&mut self, variables: &[(&str, &str)]) {
        assert_eq!(self.terminate(), Some(0));
        (self.child, self.document) =
            spawn_server("error", Stdio::inherit(), self.home.path(), variables);
    }

    /// The same at a fixed address, for clients that stay open meanwhile.
    pub(crate) fn restart_at(&mut self, address: &str, variables: &[(&str, &str)]) {
        assert_eq!(self.terminate(), Some(0));
        let variables = [&[("FORGE_BIND", address)], variables].concat();
        (self.child, self.document) =
            spawn_server("error", Stdio::inherit(), self.home.path(), &variables);
    }

    pub(crate) fn url(&self) -> &str {
        self.document["url"].as_str().expect("an address")
    }

    /// The agents' `$HOME`.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn stop(mut self) -> Option<i32> {
        self.terminate()
    }

    /// Ends the server in order, so that it ends its agents.
    fn terminate(&mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::TERM).expect("it runs");
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // The server has already ended when the test succeeded.
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            self.terminate();
        }
    }
}

/// Starts the binary and waits for the document with its address. A stopping server ends its agents, so that no
/// process outlives the test.
fn spawn_server(
    level: &str,
    log: Stdio,
    home: &Path,
    variables: &[(&str, &str)],
) -> (Child, Value) {
    let mut command = Command::cargo_bin("forge").expect("the binary");
    command
        .args(["serve", "--json", "--log-level", level, "--data-dir"])
        .arg(home.join("data"))
        .env_clear()
        .env("FORGE_BIND", "127.0.0.1:0")
        .env("HOME", home)
        .env("PATH", search_path())
        .env("FORGE_EXECUTIONS_ON_RESTART", "end")
        .env("FORGE_SHUTDOWN_GRACE_SECONDS", "1")
        .envs(variables.iter().copied())
        .stdout(Stdio::piped())
        .stderr(log);
    let mut child = command.spawn().expect("it starts");
    let stdout = child.stdout.take().expect("piped");
    let mut documents = serde_json::Deserializer::from_reader(BufReader::new(stdout)).into_iter();
    let document = documents.next().expect("it says where it listens").expect("JSON");
    (child, document)
}

#[test]
fn s_6_an_empty_server_prints_a_one_time_link_and_stops_gracefully() {
    let serving = TestServer::start(&[]);
    let link = serving.document["first_run_link"].as_str().expect("a link");
    assert!(link.starts_with(&format!("{}/welcome#code=", serving.url())), "{link}");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn s_6_the_bootstrap_token_signs_in() {
    let serving = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
    assert!(serving.document["first_run_link"].is_null());
    let user = CliUser::at(serving.url());
    let ended = user.pipe(TOKEN, &["login", "--with-token"]);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{ended:?}");
    let doctor = user.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&doctor.out).expect("one document");
    let verdict = |name: &str| {
        let findings = report["findings"].as_array().expect("a list");
        findings
            .iter()
            .find(|finding| finding["name"] == name)
            .map(|finding| finding["verdict"].clone())
    };
    assert_eq!(verdict("server"), Some("ok".into()), "{report}");
    assert_eq!(verdict("token"), Some("ok".into()), "{report}");
    assert_eq!(verdict("git"), Some("fail".into()), "no PATH, no git: {report}");
    assert_eq!(doctor.code, 1);
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn a_data_directory_in_use_is_refused_at_once() {
    let serving = TestServer::start(&[]);
    let data = serving.home.path().join("data");
    let mut user = CliUser::new();
    user.set("PATH", &search_path());
    let ended =
        user.run(&["serve", "--bind", "127.0.0.1:0", "--data-dir", data.to_str().expect("UTF-8")]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("is in use by another Forge server"), "{}", ended.err);
    let line = BufReader::new(ended.err.as_bytes()).lines().next().expect("a line").expect("text");
    assert!(line.starts_with("error: "), "{line}");
}

#[test]
fn an_interrupted_demo_exits_with_130_and_leaves_nothing() {
    let home = TempDir::new().expect("a directory");
    let mut command = Command::cargo_bin("forge").expect("the binary");
    command
        .args(["demo", "--color", "never"])
        .env_clear()
        .env("HOME", home.path())
        .env("TMPDIR", home.path())
        .env("PATH", search_path())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    lines.next().expect("a task has begun").expect("text");
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let last = lines.map_while(Result::ok).last();
    assert_eq!(last.as_deref(), Some("error: interrupted [interrupted]"));
    assert_eq!(std::fs::read_dir(home.path()).expect("still there").count(), 0);
}
