//! `kill -9` of the server in the middle of a message to an agent at work (T-22, P-4): the agent is told once.

use crate::place::{Place, Server, read};
use serde_json::json;
use std::path::{Path, PathBuf};
use uuid::Uuid;

const LISTENER: &str = include_str!("listener.sh");

/// When the server dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// While the message is on its way to it.
    Asked,
    /// When it has said that the message is on its way to the agent.
    Answered,
    /// When the message is where the agent hears it, and nobody may know yet.
    Written,
}

const MOMENTS: [Moment; 3] = [Moment::Asked, Moment::Answered, Moment::Written];
const ROUNDS: usize = 4;
const STRIDE: usize = 50;

fn controls(directory: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?.flatten();
    entries.map(|entry| entry.path()).find_map(|path| match path.is_dir() {
        true => controls(&path),
        false => path.extension().is_some_and(|kind| kind == "controls").then_some(path),
    })
}

async fn listening(place: &Place, server: &Server) -> (Uuid, Uuid) {
    let client = &server.client;
    let asked = read(json!({ "name": "Board", "workflow": "autopilot" }));
    let project = client.create_project(&asked).await.expect("a project").id;
    let repo = read(json!({ "path": place.repository() }));
    client.add_repo(project, &repo).await.expect("a repository");
    let executor = json!({ "kind": "acp", "command": ["sh", "-c", LISTENER] });
    let agent = read(json!({ "name": "ada", "executor": executor }));
    let agent = client.create_agent(&agent).await.expect("an agent").id;
    let task = client.create_task(project, &read(json!({ "title": "Listen" }))).await;
    let task = task.expect("a task").id;
    client.claim_task(task, &read(json!({ "agent_id": agent }))).await.expect("is claimed");
    (project, task)
}

/// Says it, and kills the server at that moment. Whether the message was accepted, as far as who sent it knows.
async fn say_and_kill(
    place: &Place,
    server: Server,
    run: Uuid,
    (word, round): (&str, usize),
    when: Moment,
) -> bool {
    let (client, message) = (server.client.clone(), read(json!({ "message": word })));
    let asking = tokio::spawn(async move { client.steer_execution(run, &message).await });
    match when {
        Moment::Asked => {
            // A little further each time.
            for _ in 0..=round * STRIDE {
                tokio::task::yield_now().await;
            }
        }
        Moment::Answered => {
            asking.await.expect("no panic").expect("it is on its way");
            server.kill();
            return true;
        }
        Moment::Written => {
            let heard = || {
                let path = controls(&place.data());
                let text = path.and_then(|path| std::fs::read_to_string(path).ok());
                text.is_some_and(|text| text.contains(word))
            };
            while !heard() {
                tokio::task::yield_now().await;
            }
        }
    }
    server.kill();
    asking.await.expect("no panic").is_ok() || when == Moment::Written
}

#[tokio::test]
async fn t_22_a_message_is_told_once_whenever_the_server_is_killed() {
    let mut place = Place::new();
    let mut server = place.serve(&[]);
    let (project, task) = listening(&place, &server).await;
    place.await_ups(1).await;
    server.await_running(project, &[task]).await;
    let run = server.executions(task).await[0].id;
    let mut said = Vec::new();
    for round in 0..ROUNDS {
        for when in MOMENTS {
            let word = format!("word-{round}-{when:?}");
            let accepted = say_and_kill(&place, server, run, (&word, round), when).await;
            said.push((word, accepted));
            server = place.serve(&[]);
            let report = server.client.fetch_recovery().await.expect("the report");
            assert_eq!(report.executions_adopted, 1, "{report:?}");
        }
    }
    let last = read(json!({ "message": "word-end" }));
    server.client.steer_execution(run, &last).await.expect("it is on its way");
    server.await_landed(project, &[task]).await;

    let told = std::fs::read_to_string(place.path().join("told")).expect("what it was told");
    for (word, accepted) in said {
        let times = told.matches(&word).count();
        assert!(times <= 1, "{word} was said {times} times: {told}");
        assert!(times == 1 || !accepted, "{word} was lost: {told}");
    }
    let left = server.client.fetch_task(task).await.expect("the task").messages;
    assert!(left.is_empty(), "{left:?}");
    server.kill();
    assert_eq!(place.survivors(), Vec::<String>::new());
}
