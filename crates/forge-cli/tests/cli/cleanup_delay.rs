//! `FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS`, from the environment to the directory (SPEC W-7).

use std::path::PathBuf;

use forge_api::{EventQuery, SecretString};
use forge_client::ApiClient;
use jiff::Timestamp;
use serde_json::Value;

use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};
use crate::walk::repository;

/// A task that a user claimed and then cancelled: its workspace, the effect that removes it, and the server.
struct CancelledTask {
    serving: TestServer,
    /// Owns the home directory that contains the repository.
    _user: CliUser,
    path: PathBuf,
    step: Value,
}

fn cancel_task(delay: Option<&str>) -> CancelledTask {
    let mut variables = vec![("FORGE_BOOTSTRAP_TOKEN", TOKEN)];
    variables.extend(delay.map(|delay| ("FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS", delay)));
    let serving = TestServer::start(&variables);
    let mut user = CliUser::at(serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    let repo = repository(&user);
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    run(&["task", "new", "Look around"]);
    run(&["task", "claim", "T-1"]);
    let shown: Value = serde_json::from_str(&run(&["workspace", "show", "T-1", "--json"])).unwrap();
    let path = PathBuf::from(shown["path"].as_str().expect("a path"));
    assert!(path.is_dir());
    run(&["task", "cancel", "T-1"]);
    let steps: Value = serde_json::from_str(&run(&["task", "effects", "T-1", "--json"])).unwrap();
    let steps = steps["items"].as_array().expect("a list");
    let step = steps.iter().find(|step| step["kind"] == "clean_workspace").expect("a step").clone();
    CancelledTask { serving, _user: user, path, step }
}

fn waits_seconds(step: &Value) -> i64 {
    let at =
        |name: &str| step[name].as_str().expect("a time").parse::<Timestamp>().expect("a time");
    at("not_before").as_second() - at("created_at").as_second()
}

/// Reads the events from the first one on until the workspace is removed.
fn wait_for_cleaning(url: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let client = ApiClient::new(url.parse().unwrap(), Some(&SecretString::new(TOKEN))).unwrap();
        let from_the_first =
            serde_json::from_value::<EventQuery>(serde_json::json!({ "after": "0" }));
        let mut events = client.events().follow(from_the_first.unwrap()).await.expect("a stream");
        loop {
            let event = events.next().await.expect("an event");
            if serde_json::to_value(&event).unwrap()["type"] == "workspace.cleaned" {
                return;
            }
        }
    });
}

#[test]
fn w_7_without_the_variable_a_cancelled_workspace_stays_a_day() {
    let found = cancel_task(None);
    assert_eq!(waits_seconds(&found.step), 86_400);
    assert!(found.path.is_dir(), "there is time to inspect it");
    assert_eq!(found.serving.stop(), Some(0));
}

#[test]
fn w_7_the_variable_sets_how_long_a_cancelled_workspace_stays() {
    let found = cancel_task(Some("4000"));
    assert_eq!(waits_seconds(&found.step), 4000);
    assert!(found.path.is_dir());
    assert_eq!(found.serving.stop(), Some(0));
}

#[test]
fn w_7_after_the_configured_delay_the_workspace_is_removed() {
    let found = cancel_task(Some("1"));
    wait_for_cleaning(found.serving.url());
    assert!(!found.path.exists());
    assert_eq!(found.serving.stop(), Some(0));
}
