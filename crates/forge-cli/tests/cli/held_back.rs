//! Conflicting branches, from the radar to the task that is held back, against the real server (SPEC M-14, E-10).

use forge_api::{EventQuery, SecretString};
use forge_client::ApiClient;
use serde_json::Value;

use crate::serve::TOKEN;
use crate::walk::{start_server, wait_until};

/// Follows the events until this many pairs conflict and no effect of any task is in progress.
fn wait_for_conflicts(url: &str, count: usize) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let url = url.parse().expect("an address");
        let client = ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client");
        let mut events = client.events().follow(EventQuery::default()).await.expect("a stream");
        let projects =
            client.projects().fetch_page(&Default::default()).await.expect("projects").items;
        let project = projects.first().expect("a project").id;
        loop {
            let found = client.conflicts().fetch(project).await.expect("the conflicts");
            if found.conflicts.len() == count {
                return;
            }
            events.next().await.expect("an event");
        }
    });
}

#[test]
fn m_14_e_10_a_conflict_is_reported_explained_and_cleared() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    assert_eq!(run(&["conflicts"]), "no conflict among 0 live branches\n");
    let script = "echo $FORGE_TASK_ID > same.txt";
    run(&["agent", "add", "ada", "--max-concurrent", "2", "--", "sh", "-c", script]);
    for (title, key) in [("First", "T-1"), ("Second", "T-2")] {
        run(&["task", "new", title]);
        run(&["task", "claim", key, "--agent", "ada"]);
    }
    wait_for_conflicts(serving.url(), 1);
    for arguments in [&["conflicts"][..], &["conflicts", "T-1"]] {
        let found = run(arguments);
        let line = found.lines().nth(1).unwrap_or_default();
        for part in ["T-1", "T-2", "same.txt"] {
            assert!(line.contains(part), "{part} is missing in {found}");
        }
    }
    let unknown = user.run_in(&repo, &["conflicts", "T-9"]);
    assert_eq!(unknown.code, 3, "{unknown:?}");

    wait_until(serving.url(), |task, _| task.review_passed_at.is_some() && task.busy.is_none());
    run(&["task", "move", "T-1", "todo"]);
    run(&["dispatch", "on", "widget", "--hold-conflicts"]);
    let why = run(&["why", "T-1"]);
    assert!(why.starts_with("T-1  todo  waits for an agent\n"), "{why}");
    assert!(why.contains("T-2") && why.contains("same.txt"), "{why}");
    let why: Value = serde_json::from_str(&run(&["why", "T-1", "--json"])).expect("JSON");
    assert_eq!(why["reasons"][0]["code"], "conflict_hold", "{why}");
    assert_eq!(why["reasons"][0]["subjects"][0], "T-2", "{why}");

    run(&["task", "cancel", "T-2"]);
    wait_until(serving.url(), |task, runs| runs == 2 && task.status == "review");
    assert_eq!(run(&["conflicts"]), "no conflict among 1 live branch\n");
    assert_eq!(serving.stop(), Some(0));
}
