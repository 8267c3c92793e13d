//! Searches everything that the real server writes, starts and prints for the token of a remote repository (SPEC
//! M-15).

use std::path::Path;

use forge_api::{EventQuery, EventType, EventView, SecretString};
use forge_client::{ApiClient, EventStream};
use forge_testkit::git_server::{GitServer, GitServerBehavior};
use forge_testkit::test_repository::TestRepository;

use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};

const SECRET: &str = "tok_5d1e0c9b8a7f6e4d3c2b1a09";
/// Prints what an agent or a check can see.
const SPY: &str = r#"env; tr '\0' '\n' </proc/self/environ; tr '\0' '\n' </proc/$PPID/environ"#;

struct LeakSearch {
    /// All forms in which it could be written.
    forms: [String; 2],
    count: usize,
}

impl LeakSearch {
    fn bytes(&mut self, place: &str, bytes: &[u8]) {
        self.count += 1;
        for form in &self.forms {
            let holds = bytes.windows(form.len()).any(|part| part == form.as_bytes());
            assert!(!holds, "the token is in {place}");
        }
    }

    fn directory(&mut self, directory: &Path) {
        for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            self.bytes("the name of a file", path.as_os_str().as_encoded_bytes());
            if kind.is_dir() {
                self.directory(&path);
            } else if kind.is_file() {
                self.bytes(&path.display().to_string(), &std::fs::read(&path).unwrap_or_default());
            }
        }
    }
}

async fn wait_for_event(events: &mut EventStream, all: &mut Vec<EventView>, kind: EventType) {
    loop {
        let event = events.next().await.expect("an event");
        let is_it = event.kind == kind;
        all.push(event);
        if is_it {
            return;
        }
    }
}

#[test]
fn m_15_the_token_never_leaks_from_the_server() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let place = tempfile::tempdir().expect("a directory");
    let hub = runtime.block_on(async {
        let repository = TestRepository::create(&place.path().join("repository")).await;
        GitServer::start(&place.path().join("server"), &repository, SECRET).await
    });
    let mut searched = LeakSearch { forms: [SECRET.to_owned(), hub.encoded_secret()], count: 0 };
    let serving = TestServer::start_with_full_log(&[
        ("FORGE_BOOTSTRAP_TOKEN", TOKEN),
        ("FORGE_PRIVATE_HOSTS", "127.0.0.1"),
    ]);
    let mut user = CliUser::at(serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    let client =
        ApiClient::new(serving.url().parse().expect("an address"), Some(&SecretString::new(TOKEN)));
    let client = client.expect("a client");
    let stream = client.events().follow(EventQuery::default());
    let (mut events, mut all) = (runtime.block_on(stream).expect("a stream"), Vec::new());
    let mut outputs = Vec::new();
    let mut run = |input: &str, arguments: &[&str], code: i32| {
        let ended = user.pipe(input, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {ended:?}");
        outputs.push(format!("{}{}", ended.out, ended.err));
    };
    run("", &["project", "new", "Remote", "--workflow", "autopilot"], 0);
    let url = hub.url();
    let add = ["repo", "add", url.as_str(), "--token"];
    // Refused, because other users could read it; and not repeated in the message.
    run("", &[&add[..], &[SECRET]].concat(), 2);
    hub.set_behavior(GitServerBehavior::EchoesCredentials);
    run(SECRET, &[&add[..], &["-"]].concat(), 1);
    hub.set_behavior(GitServerBehavior::Normal);
    run(SECRET, &[&add[..], &["-"]].concat(), 0);
    let script = format!("{SPY}; echo x > $FORGE_TASK_ID");
    run("", &["agent", "add", "ada", "--", "sh", "-c", &script], 0);
    run("", &["task", "new", "One", "--ci", SPY], 0);
    run("", &["task", "claim", "T-1", "--agent", "ada"], 0);
    runtime.block_on(wait_for_event(&mut events, &mut all, EventType::WorkspaceCleaned));
    assert_eq!(hub.pushes(), 1, "it has landed there");

    hub.set_behavior(GitServerBehavior::EchoesCredentials);
    run("", &["task", "new", "Two"], 0);
    run("", &["task", "claim", "T-2", "--agent", "ada"], 0);
    runtime.block_on(wait_for_event(&mut events, &mut all, EventType::TaskAnnotated));
    for task in ["T-1", "T-2"] {
        for what in ["show", "log", "review", "history", "effects"] {
            run("", &["task", what, task, "--json"], 0);
        }
        run("", &["task", "review", task, "--log"], 0);
    }
    run("", &["task", "show", "T-2"], 0);
    run("", &["repo", "list", "--json"], 0);
    run("", &["doctor"], 1);
    assert!(outputs.iter().any(|output| output.contains("push_failed")), "it says what is wrong");

    for output in &outputs {
        searched.bytes("an output", output.as_bytes());
    }
    for event in &all {
        searched.bytes("an event", serde_json::to_string(event).expect("JSON").as_bytes());
    }
    let seen = hub.observed_processes();
    assert!(String::from_utf8_lossy(&seen).contains("git-remote-http"), "git was seen at it");
    searched.bytes("an argument or an environment", &seen);
    searched.directory(&serving.home().join("data"));
    let log = std::fs::read_to_string(serving.home().join("server.log")).expect("a log");
    assert!(log.contains("TRACE") && log.contains("DEBUG"), "everything is logged");
    searched.directory(serving.home());
    searched.directory(hub.hub().path());
    assert!(searched.count > 100, "{}", searched.count);
}
