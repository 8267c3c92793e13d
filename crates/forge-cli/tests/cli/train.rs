//! `forge train` as a new user sees it, against the real server (SPEC M-11 to M-13).

use forge_api::{EventQuery, SecretString};
use forge_client::ApiClient;

use crate::serve::TOKEN;
use crate::walk::{git, start_server, wait_for_all_ended};

const CHECK: &str = "test -f README || ls";

/// Follows the events until this many branches wait to land; returns the project's identifier.
fn wait_for_waiting_branches(url: &str, count: usize) -> String {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let url = url.parse().expect("an address");
        let client = ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client");
        let mut events = client.events().follow(EventQuery::default()).await.expect("a stream");
        let projects =
            client.projects().fetch_page(&Default::default()).await.expect("projects").items;
        let project = projects.first().expect("a project").id;
        loop {
            let trains = client.trains().fetch(project).await.expect("the trains");
            if trains.iter().map(|train| train.entries.len()).sum::<usize>() == count {
                return project.to_string();
            }
            events.next().await.expect("an event");
        }
    })
}

#[test]
fn m_11_m_13_a_train_is_turned_on_watched_paused_and_resumed() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let ended = user.run_in(&repo, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {ended:?}");
        for word in words {
            assert!(ended.err.contains(word), "{word:?} is missing in {ended:?}");
        }
    };
    run(&["init", "--workflow", "no-review"]);
    assert_eq!(run(&["train", "status", "widget"]), "no branch waits to land\n");
    assert_eq!(run(&["train", "status", "widget", "--json"]).trim(), "[]");
    assert_eq!(run(&["train", "checks", "widget"]), "no check has run on a landing yet\n");
    refused(&["train", "status", "gadget"], 3, &["no project `gadget`", "widget"]);
    refused(&["train", "on", "widget", "--window", "0"], 1, &["settings.merge.window", "1 to 100"]);
    refused(&["train", "quarantine", "widget", " "], 1, &["command"]);

    let on = run(&["train", "on", "widget", "--window", "3"]);
    assert_eq!(on, "Waiting branches of widget are tested together\n");
    let paused = run(&["train", "pause", "widget"]);
    assert!(paused.starts_with("Landing is paused for widget"), "{paused}");
    run(&[
        "agent",
        "add",
        "ada",
        "--max-concurrent",
        "2",
        "--",
        "sh",
        "-c",
        "echo > $FORGE_TASK_ID",
    ]);
    for (title, key) in [("First", "T-1"), ("Second", "T-2")] {
        run(&["task", "new", title, "--ci", CHECK]);
        run(&["task", "claim", key, "--agent", "ada"]);
    }
    let project = wait_for_waiting_branches(serving.url(), 2);
    let status = run(&["train", "status", "widget"]);
    let lines: Vec<&str> = status.lines().collect();
    assert!(lines[0].contains("`forge train resume widget`"), "{status}");
    assert!(lines[1].starts_with("main (up to "), "{status}");
    assert!(status.contains("T-1    First") && status.contains("T-2    Second"), "{status}");
    assert_eq!(git(&repo, &["rev-list", "--count", "main"]), "1\n", "nothing lands meanwhile");

    assert!(run(&["train", "resume", "widget"]).starts_with("Landing is resumed for widget\n"));
    wait_for_all_ended(serving.url(), &project);
    assert_eq!(git(&repo, &["rev-list", "--count", "main"]), "3\n");
    assert_eq!(run(&["train", "status", "widget"]), "no branch waits to land\n");
    let checks = run(&["train", "checks", "widget"]);
    assert!(checks.lines().nth(1).is_some_and(|line| line.ends_with(CHECK)), "{checks}");
    let distrusted = run(&["train", "quarantine", "widget", CHECK, "--hours", "1"]);
    assert!(distrusted.contains("failures ignored, ends in "), "{distrusted}");
    let trusted = run(&["train", "quarantine", "widget", CHECK, "--hours", "0"]);
    assert!(!trusted.contains("failures ignored"), "{trusted}");
    assert_eq!(run(&["train", "off", "widget"]), "Branches of widget land one at a time\n");
    assert_eq!(serving.stop(), Some(0));
}
