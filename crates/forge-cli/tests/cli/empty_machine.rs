//! A machine on which nothing of Forge runs: an empty home directory, a repository, and a scripted agent program on the
//! PATH. Servers that `forge init` starts end with their test.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use forge_api::{ActivityView, EventQuery, SecretString};
use forge_client::{ApiClient, ClientError};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde_json::Value;

use crate::cli_fixture::block_on;
use crate::forge::{CliUser, CommandResult, search_path};
use crate::walk::repository;

/// Answers as the real program does, prints its arguments, and works until it is stopped.
const CLAUDE: &str = r#"#!/bin/sh
case "$1" in
  --version) echo '9.9.9 (Scripted)' ;;
  auth) echo '{"loggedIn": true, "authMethod": "oauth"}' ;;
  *) echo "$*" > "$HOME/started"; exec tail -f /dev/null ;;
esac
"#;

pub(crate) struct EmptyMachine {
    pub(crate) user: CliUser,
    pub(crate) repo: PathBuf,
}

impl EmptyMachine {
    /// The machine with the program `claude`.
    pub(crate) fn with_claude() -> Self {
        let machine = Self::new();
        let program = machine.home().join("bin/claude");
        fs::write(&program, CLAUDE).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
        machine
    }

    pub(crate) fn new() -> Self {
        let mut user = CliUser::new();
        let bin = user.home.path().join("bin");
        fs::create_dir(&bin).expect("made");
        user.set("PATH", &format!("{}:{}", bin.display(), search_path()));
        // Tests share the machine: the usual port may be another test's.
        user.set("FORGE_BIND", "127.0.0.1:0");
        user.set("FORGE_EXECUTIONS_ON_RESTART", "end");
        user.set("FORGE_SHUTDOWN_GRACE_SECONDS", "1");
        let repo = repository(&user);
        Self { user, repo }
    }

    pub(crate) fn home(&self) -> &Path {
        self.user.home.path()
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.home().join(".local/share/forge")
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandResult {
        self.user.run_in(&self.repo, arguments)
    }

    /// The output of a command that must succeed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> CommandResult {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
        ended
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--json"]].concat();
        serde_json::from_str(&self.succeed(&arguments).out).expect("one document")
    }

    /// Follows the events until an agent works on the first task.
    pub(crate) fn wait_until_running(&self) {
        let url = self.server_url();
        let token = SecretString::new(stored_tokens(self).pop().expect("a token"));
        block_on(async {
            let client =
                ApiClient::new(url.parse().expect("a URL"), Some(&token)).expect("a client");
            let mut events = client.events().follow(EventQuery::default()).await.expect("a stream");
            let projects = client.projects().fetch_page(&Default::default()).await;
            let project = projects.expect("projects").items.first().expect("a project").id;
            loop {
                let task = client.tasks().fetch_by_number(project, 1).await.expect("the task");
                if task.busy == Some(ActivityView::Running) {
                    return;
                }
                events.next().await.expect("an event");
            }
        });
    }

    /// The address that the server published.
    fn server_url(&self) -> String {
        let text = fs::read_to_string(self.data_dir().join("server.json")).expect("a server");
        let address: Value = serde_json::from_str(&text).expect("JSON");
        format!("http://{}", address["address"].as_str().expect("an address"))
    }

    /// A named pipe in the home directory of the user and of the agents.
    pub(crate) fn make_pipe(&self, name: &str) -> PathBuf {
        let path = self.home().join(name);
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
        path
    }

    pub(crate) fn server_pid(&self) -> Option<i32> {
        let text = fs::read_to_string(self.data_dir().join("server.json")).ok()?;
        let address: Value = serde_json::from_str(&text).expect("JSON");
        i32::try_from(address["pid"].as_i64()?).ok()
    }

    /// Sends a signal to the started server and waits for its end.
    pub(crate) fn end_server(&self, signal: Signal) {
        let Some(pid) = self.server_pid().and_then(Pid::from_raw) else { return };
        // An ended server leaves its number in the file, which another process may have by now.
        let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { return };
        let arguments =
            fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
        let data_dir = self.data_dir().display().to_string();
        if !String::from_utf8_lossy(&arguments).contains(&data_dir) {
            return;
        }
        // It is no child of this process, so its end is read from a descriptor.
        if pidfd_send_signal(&process, signal).is_ok() {
            poll(&mut [PollFd::new(&process, PollFlags::IN)], None).expect("it ends");
        }
    }
}

impl Drop for EmptyMachine {
    fn drop(&mut self) {
        self.end_server(Signal::TERM);
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o777
}

/// The value of the token in the credentials file.
fn stored_tokens(machine: &EmptyMachine) -> Vec<String> {
    let file = machine.home().join(crate::cli_fixture::CREDENTIALS);
    let text = fs::read_to_string(file).unwrap_or_default();
    let tokens = text.lines().filter_map(|line| line.trim().strip_prefix("token = "));
    tokens.map(|token| token.trim_matches('"').to_owned()).collect()
}

/// When a server has ended, its port is free for every program of the machine.
#[test]
fn s_6_the_token_of_init_is_sent_to_its_server_only_and_replaced_at_a_new_address() {
    let machine = EmptyMachine::new();
    machine.succeed(&["init"]);
    let first = machine.server_url();
    let old = SecretString::new(stored_tokens(&machine).pop().expect("a token"));
    machine.end_server(Signal::KILL);
    let foreign = TcpListener::bind(first.trim_start_matches("http://")).expect("a free port");
    foreign.set_nonblocking(true).expect("set");

    let refused = machine.run(&["status"]);
    assert_eq!(refused.code, 5, "{refused:?}");
    assert!(refused.err.contains("does not run, so your token is not sent"), "{refused:?}");
    let connected = foreign.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(connected, Err(ErrorKind::WouldBlock), "the command talked to it");

    machine.succeed(&["init"]);
    machine.succeed(&["status"]);
    let second = machine.server_url();
    assert_ne!(first, second, "the old port is taken");
    let client = ApiClient::new(second.parse().expect("a URL"), Some(&old)).expect("a client");
    let error = block_on(client.accounts().fetch_me()).expect_err("the old token is revoked");
    assert!(matches!(error, ClientError::Api { status: 401, .. }), "{error:?}");
}

#[test]
fn s_4_init_starts_a_server_signs_in_and_changes_nothing_when_repeated() {
    let machine = EmptyMachine::with_claude();
    let first = machine.succeed(&["init"]);
    assert!(first.out.starts_with("Project widget works on "), "{first:?}");
    for words in [
        "Started a server at http://127.0.0.1:",
        "stop it: kill ",
        "serve.log",
        "Signed in as admin.",
    ] {
        assert!(first.err.contains(words), "{words}: {}", first.err);
    }
    assert!(
        first
            .err
            .contains("Found claude (9.9.9 (Scripted)); add it with: forge init --agent claude"),
        "{}",
        first.err
    );
    let pid = machine.server_pid().expect("a server");
    let process = Pid::from_raw(pid).expect("a process");
    let session = rustix::process::getsid(Some(process)).expect("it runs");
    assert_eq!(session.as_raw_nonzero().get(), pid, "the server leads a session of its own");
    let tokens = stored_tokens(&machine);
    assert_eq!(tokens.len(), 1);

    let again = machine.succeed(&["init"]);
    assert_eq!(again.out, first.out);
    assert!(again.err.contains("Found the server at http://127.0.0.1:"), "{}", again.err);
    assert!(!again.err.contains("Signed in"), "{}", again.err);
    assert_eq!((machine.server_pid(), stored_tokens(&machine)), (Some(pid), tokens.clone()));
    machine.succeed(&["init", "--agent", "claude"]);
    machine.succeed(&["init", "--agent", "claude"]);
    let lists = ["project", "agent"].map(|noun| machine.json(&[noun, "list"])["items"].clone());
    for list in lists {
        assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    }

    // The token is nowhere but in the user's own file.
    let secrets = [tokens[0].clone(), credential(&machine)];
    let document = machine.json(&["init"]).to_string();
    for secret in &secrets {
        for shown in [&first.out, &first.err, &again.out, &again.err, &document] {
            assert!(!shown.contains(secret), "{shown}");
        }
        let log = fs::read_to_string(machine.data_dir().join("serve.log")).expect("a log");
        assert!(!log.contains(secret) && !log.contains("#code="), "{log}");
        let arguments = fs::read(format!("/proc/{pid}/cmdline")).expect("arguments");
        assert!(!String::from_utf8_lossy(&arguments).contains(secret));
    }
    for file in ["local-credential", "server.json", "serve.log"] {
        assert_eq!(mode(&machine.data_dir().join(file)), 0o600, "{file}");
    }
}

fn credential(machine: &EmptyMachine) -> String {
    let text = fs::read_to_string(machine.data_dir().join("local-credential")).expect("one");
    text.trim().to_owned()
}

#[test]
fn s_6_the_local_credential_ends_with_its_server() {
    let machine = EmptyMachine::new();
    machine.succeed(&["init"]);
    let file = machine.data_dir().join("local-credential");
    let first = credential(&machine);
    machine.end_server(Signal::TERM);
    assert!(!file.exists(), "withdrawn at the end");
    let started = machine.succeed(&["init"]);
    assert!(started.err.contains("Started a server"), "{}", started.err);
    let second = credential(&machine);
    assert_ne!(second, first);
    machine.end_server(Signal::KILL);
    assert!(file.exists(), "a killed server leaves the file, whose content is worthless");
    machine.succeed(&["init"]);
    assert_ne!(credential(&machine), second);
    assert!(machine.json(&["project", "list"])["items"][0]["name"] == "widget", "the same data");
}

#[test]
fn s_6_a_credential_that_others_could_replace_is_not_used() {
    let machine = EmptyMachine::new();
    machine.succeed(&["init"]);
    // Without the stored token the credential is needed again.
    fs::remove_file(machine.home().join(crate::cli_fixture::CREDENTIALS)).expect("removed");
    let file = machine.data_dir().join("local-credential");
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    for (path, wide, usual, words) in [
        (&file, 0o644, 0o600, "is accessible by other users"),
        (&machine.data_dir(), 0o770, 0o700, "is writable by other users"),
        (&machine.home().join(".local"), 0o777, 0o755, "is writable by other users"),
    ] {
        set(path, wide).expect("ours");
        let refused = machine.run(&["init"]);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.err.contains(words) && refused.err.contains("chmod"), "{refused:?}");
        set(path, usual).expect("ours");
    }
    let secret = credential(&machine);
    let elsewhere = machine.home().join("elsewhere");
    fs::write(&elsewhere, &secret).expect("written");
    set(&elsewhere, 0o600).expect("ours");
    fs::remove_file(&file).expect("removed");
    symlink(&elsewhere, &file).expect("made");
    assert_eq!(machine.run(&["init"]).code, 1, "a link is not followed");
    fs::remove_file(&file).expect("removed");
    fs::write(&file, &secret).expect("written");
    set(&file, 0o600).expect("ours");
    machine.succeed(&["init"]);
}

#[test]
fn s_4_a_server_that_does_not_start_says_why() {
    let mut machine = EmptyMachine::new();
    machine.user.set("FORGE_DATABASE_URL", "sqlite:/nonexistent/forge.db");
    let ended = machine.run(&["init"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.err.contains("the server did not start: "), "{ended:?}");
    assert!(ended.err.contains("serve.log"), "{ended:?}");
}

#[test]
fn e_1_a_missing_program_is_noticed_before_anything_is_created() {
    let machine = EmptyMachine::new();
    machine.succeed(&["init"]);
    let refused = machine.run(&["init", "--agent", "codex"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("[program_missing]"), "{refused:?}");
    let refused = machine.run(&["task", "new", "One", "--agent", "codex", "--start"]);
    assert_eq!(refused.code, 3, "{refused:?}");
    assert!(refused.err.contains("its program is not on this shell's PATH"), "{refused:?}");
    let tasks = machine.json(&["task", "list"]);
    assert_eq!(tasks["items"].as_array().map(Vec::len), Some(0), "{tasks}");
    // A program that was removed after its agent was added.
    let machine = EmptyMachine::with_claude();
    machine.succeed(&["init", "--agent", "claude"]);
    fs::remove_file(machine.home().join("bin/claude")).expect("removed");
    machine.succeed(&["task", "new", "One"]);
    let refused = machine.run(&["task", "claim", "T-1", "--agent", "claude"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("[program_missing]"), "{refused:?}");
    let refused = machine.run(&["agent", "add", "second", "--kind", "claude"]);
    assert!(refused.err.contains("[program_missing]"), "{refused:?}");
    assert_eq!(machine.json(&["task", "show", "T-1"])["status"], "backlog");
    let unfinished = machine.run(&["task", "new", "One", "--agent", "codex"]);
    assert_eq!(unfinished.code, 2, "--agent needs --start: {unfinished:?}");
}
