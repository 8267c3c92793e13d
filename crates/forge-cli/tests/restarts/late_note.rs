//! An agent's program that ends around a `kill -9` of the server is not run again, even if the next start ends
//! running programs.

use crate::place::{RestartFixture, read};
use forge_api::ExecutionOutcome;
use nix::sys::stat::Mode;
use serde_json::json;

/// Prevents its exit recorder from writing the exit, and exits; a second run only records itself. The pipe closes
/// with the program.
const SCRIPT: &str = r#"
echo ran >> "$PLACE/ran"
echo work > work.txt
if [ "$(wc -l < "$PLACE/ran")" = 1 ]; then
    exec 3> "$PLACE/left"
    kill -STOP "$PPID"
fi
"#;

#[tokio::test]
async fn issue_13_04_an_execution_that_ended_before_its_exit_record_is_not_repeated() {
    const END: &[&str] = &["--executions-on-restart", "end"];
    let place = RestartFixture::new();
    let left = place.path().join("left");
    nix::unistd::mkfifo(&left, Mode::S_IRWXU).expect("a pipe");
    let left = tokio::spawn(tokio::fs::read(left));
    let server = place.serve(END);
    let client = &server.client;
    let asked = read(json!({ "name": "Board", "workflow": "autopilot" }));
    let project = client.projects().create(&asked).await.expect("a project").id;
    let repo = read(json!({ "path": place.repository() }));
    client.repos().add(project, &repo).await.expect("a repository");
    let agent = read(json!({
        "name": "worker",
        "executor": { "kind": "shell", "command": ["sh", "-ec", place.script(SCRIPT)] },
    }));
    let agent = client.agents().create(&agent).await.expect("an agent").id;
    let task = client.tasks().create(project, &read(json!({ "title": "Work" }))).await;
    let task = task.expect("a task").id;
    let claim = read(json!({ "agent_id": agent }));
    client.tasks().claim(task, &claim).await.expect("is claimed");
    left.await.expect("no panic").expect("the program has left");
    server.kill();

    let server = place.serve(END);
    server.await_landed(project, &[task]).await;
    let runs = server.executions(task).await;
    let outcomes: Vec<_> = runs.iter().map(|run| (run.outcome, run.exit_code)).collect();
    assert_eq!(outcomes, [(Some(ExecutionOutcome::Succeeded), Some(0))]);
    let ran = std::fs::read_to_string(place.path().join("ran")).expect("it ran");
    assert_eq!(ran, "ran\n");
    server.kill();
}
