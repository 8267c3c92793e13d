//! `kill -9` of the server during a message to an agent at work (T-22, P-4): the agent gets the message once.

use crate::names::WriteWatch;
use crate::place::{RestartFixture, ServerProcess, client_at, read};
use forge_testkit::intercepting_proxy::{InterceptingProxy, PassedOn};
use serde_json::json;
use std::path::{Path, PathBuf};
use uuid::Uuid;

const LISTENER: &str = include_str!("listener.sh");

/// When the server dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KillMoment {
    /// While the request is on its way to the server, after this much of it.
    Asked(PassedOn),
    /// After the server has acknowledged the message.
    Answered,
    /// After the message is written to the agent's file, possibly before it is acknowledged.
    Written,
}

const MOMENTS: [KillMoment; 5] = [
    KillMoment::Asked(PassedOn::Nothing),
    KillMoment::Answered,
    KillMoment::Asked(PassedOn::Half),
    KillMoment::Written,
    KillMoment::Asked(PassedOn::Everything),
];
const ROUNDS: usize = 3;

fn controls(directory: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?.flatten();
    entries.map(|entry| entry.path()).find_map(|path| match path.is_dir() {
        true => controls(&path),
        false => path.extension().is_some_and(|kind| kind == "controls").then_some(path),
    })
}

async fn start_listening_agent(place: &RestartFixture, server: &ServerProcess) -> (Uuid, Uuid) {
    let client = &server.client;
    let asked = read(json!({ "name": "Board", "workflow": "autopilot" }));
    let project = client.projects().create(&asked).await.expect("a project").id;
    let repo = read(json!({ "path": place.repository() }));
    client.repos().add(project, &repo).await.expect("a repository");
    let executor = json!({ "kind": "acp", "command": ["sh", "-c", place.script(LISTENER)] });
    let agent = read(json!({ "name": "ada", "executor": executor }));
    let agent = client.agents().create(&agent).await.expect("an agent").id;
    let task = client.tasks().create(project, &read(json!({ "title": "Listen" }))).await;
    let task = task.expect("a task").id;
    client.tasks().claim(task, &read(json!({ "agent_id": agent }))).await.expect("is claimed");
    (project, task)
}

/// Sends the message and kills the server at that moment. Returns whether the sender saw the message accepted.
async fn send_and_kill(
    place: &RestartFixture,
    server: ServerProcess,
    run: Uuid,
    word: &str,
    when: KillMoment,
) -> bool {
    let (client, message) = (server.client.clone(), read(json!({ "message": word })));
    match when {
        KillMoment::Asked(passed_on) => {
            let (killed, kill) = tokio::sync::oneshot::channel();
            let url = server.url().to_owned();
            let proxy = InterceptingProxy::start(&url, "/steer", passed_on, move || {
                server.kill();
                killed.send(()).expect("the test waits");
            });
            let answer = client_at(proxy.url()).executions().steer(run, &message).await;
            kill.await.expect("no panic");
            answer.is_ok()
        }
        KillMoment::Answered => {
            client.executions().steer(run, &message).await.expect("it is on its way");
            server.kill();
            true
        }
        KillMoment::Written => {
            let controls = controls(&place.data()).expect("the file of the earlier messages");
            let writes = WriteWatch::watch(controls.parent().expect("a directory"));
            let asking =
                tokio::spawn(async move { client.executions().steer(run, &message).await });
            let word = word.to_owned();
            let is_written =
                move || std::fs::read_to_string(&controls).is_ok_and(|text| text.contains(&word));
            writes.until(is_written).await;
            server.kill();
            // The server may die before it answers, but the message is written.
            let _ = asking.await.expect("no panic");
            true
        }
    }
}

#[tokio::test]
async fn t_22_a_message_is_delivered_once_despite_kills() {
    let mut place = RestartFixture::new();
    let mut server = place.serve(&[]);
    let (project, task) = start_listening_agent(&place, &server).await;
    place.await_ups(1).await;
    server.await_running(project, &[task]).await;
    let run = server.executions(task).await[0].id;
    let mut said = Vec::new();
    for round in 0..ROUNDS {
        for (number, when) in MOMENTS.into_iter().enumerate() {
            let word = format!("word-{round}-{number}");
            let accepted = send_and_kill(&place, server, run, &word, when).await;
            said.push((word, accepted));
            server = place.serve(&[]);
            let report = server.client.system().fetch_recovery().await.expect("the report");
            assert_eq!(report.executions_adopted, 1, "{report:?}");
        }
    }
    let last = read(json!({ "message": "word-end" }));
    server.client.executions().steer(run, &last).await.expect("it is on its way");
    server.await_landed(project, &[task]).await;

    let told = std::fs::read_to_string(place.path().join("told")).expect("what it was told");
    for (word, accepted) in said {
        let times = told.matches(&word).count();
        assert!(times <= 1, "{word} was said {times} times: {told}");
        assert!(times == 1 || !accepted, "{word} was lost: {told}");
    }
    let left = server.client.tasks().fetch(task).await.expect("the task").messages;
    assert!(left.is_empty(), "{left:?}");
    server.kill();
    assert_eq!(place.survivors(), Vec::<String>::new());
}
