//! `kill -9` of the server every second, while agents work and their branches land in a branch that a user has
//! checked out (P-1, P-2, P-4). `FORGE_TEST_KILLS` sets the number of kills; `make kills` makes it 500.

use crate::place::{RestartFixture, ServerProcess, read};
use forge_api::{ExecutionOutcome, Page, Task, TaskQuery};
use forge_client::{ApiClient, ClientError};
use nix::sys::signal::Signal;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use uuid::Uuid;

const KILLS: usize = 8;
const LIFE: Duration = Duration::from_secs(1);
/// The largest number of open tasks: more would only wait for the processor.
const UNDER_WAY: usize = 8;
/// How long the last server may take for the remaining work: less than the test runner's limit, so that unfinished
/// tasks are reported.
const LAST_LIFE: Duration = Duration::from_secs(400);

/// Records its start, works for a moment, writes one file, and records its completion.
const SCRIPT: &str = r#"
echo "$FORGE_TASK_ID" >> "$PLACE/begun"
seq 1 40000 | sha256sum > /dev/null
echo "$FORGE_TASK_ID" > "part-$FORGE_TASK_ID.txt"
echo "$FORGE_TASK_ID" >> "$PLACE/complete"
"#;

/// The knowledge of a user at a terminal: the requested and the acknowledged tasks.
struct LoadGenerator {
    project: Uuid,
    agent: Uuid,
    asked: usize,
    acknowledged: Vec<(Uuid, String)>,
    claimed: usize,
}

impl LoadGenerator {
    async fn new(place: &RestartFixture, server: &ServerProcess) -> Self {
        let client = &server.client;
        let asked = read(json!({ "name": "Board", "workflow": "autopilot" }));
        let project = client.projects().create(&asked).await.expect("a project").id;
        let repo = read(json!({ "path": place.repository() }));
        client.repos().add(project, &repo).await.expect("a repository");
        let agent = read(json!({
            "name": "worker", "max_concurrent": 100,
            "executor": { "kind": "shell", "command": ["sh", "-ec", place.script(SCRIPT)] },
        }));
        let agent = client.agents().create(&agent).await.expect("an agent").id;
        Self { project, agent, asked: 0, acknowledged: Vec::new(), claimed: 0 }
    }

    /// Creates and claims tasks until the server dies or enough tasks are open.
    async fn create_tasks(&mut self, client: &ApiClient, landed: usize) {
        loop {
            while let Some((task, _)) = self.acknowledged.get(self.claimed) {
                let claim = read(json!({ "agent_id": self.agent }));
                match client.tasks().claim(*task, &claim).await {
                    Ok(_) => {}
                    // An earlier server had claimed it and died before it could answer.
                    Err(ClientError::Api { status: 409, .. }) => {}
                    Err(_) => return,
                }
                self.claimed += 1;
            }
            if self.claimed >= landed + UNDER_WAY {
                // The rest of this server's life is for the open tasks.
                return std::future::pending().await;
            }
            self.asked += 1;
            let title = format!("Work {}", self.asked);
            match client.tasks().create(self.project, &read(json!({ "title": title }))).await {
                Ok(task) => self.acknowledged.push((task.id, title)),
                Err(_) => return,
            }
        }
    }

    async fn tasks(&self, client: &ApiClient) -> Vec<Task> {
        let mut tasks = Vec::new();
        let mut cursor = None;
        loop {
            let query = TaskQuery { limit: Some(200), cursor, ..TaskQuery::default() };
            let page: Page<Task> =
                client.tasks().fetch_page(self.project, &query).await.expect("the tasks");
            tasks.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                return tasks;
            }
        }
    }
}

fn landed(place: &RestartFixture) -> usize {
    place.git(&["rev-list", "--count", "main"]).parse::<usize>().expect("a number") - 1
}

/// How often each line is in a file.
fn counted(place: &RestartFixture, name: &str) -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(place.path().join(name)).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

#[expect(clippy::disallowed_methods, reason = "a test has no settings but the environment")]
fn kills() -> usize {
    let given = std::env::var("FORGE_TEST_KILLS").ok();
    given.map_or(KILLS, |kills| kills.parse().expect("FORGE_TEST_KILLS is a number"))
}

#[tokio::test]
async fn issue_13_kills_under_load_lose_double_and_repeat_nothing() {
    let place = RestartFixture::new();
    let mut server = place.serve(&[]);
    let mut load = LoadGenerator::new(&place, &server).await;
    let kills = kills();
    for kill in 0..kills {
        let before = landed(&place);
        let life = load.create_tasks(&server.client, before);
        let died = tokio::time::timeout(LIFE, life).await.is_ok();
        assert!(!died, "the server died by itself before kill {kill}: {}", place.server_errors());
        server.kill();
        server = place.serve(&[]);
    }
    // A user who got no answer to a creation checks whether the task exists.
    for task in load.tasks(&server.client).await {
        if !load.acknowledged.iter().any(|(known, _)| *known == task.id) {
            load.acknowledged.push((task.id, task.title));
        }
    }
    let tasks: Vec<Uuid> = load.acknowledged.iter().map(|(task, _)| *task).collect();
    for task in tasks.iter().skip(load.claimed) {
        let claim = read(json!({ "agent_id": load.agent }));
        // Tasks that were claimed without an answer refuse it.
        server.client.tasks().claim(*task, &claim).await.ok();
    }
    let over = async |_: &ServerProcess, task: Task| {
        let done = serde_json::to_value(task.phase).expect("a word") == "done";
        task.busy.is_none() && (done || task.error_annotation.is_some())
    };
    let ended = server.await_all(load.project, &tasks, over);
    let ended = tokio::time::timeout(LAST_LIFE, ended).await.is_ok();

    let (mut unfinished, mut titles) = (Vec::new(), BTreeMap::<String, usize>::new());
    for task in load.tasks(&server.client).await {
        *titles.entry(task.title.clone()).or_default() += 1;
        if serde_json::to_value(task.phase).expect("a word") != "done" {
            unfinished.push((task.key, task.status, task.busy, task.error_annotation));
        }
    }
    let mut lost_runs = 0;
    let mut succeeded_twice = Vec::new();
    for task in &tasks {
        let runs = server.executions(*task).await;
        let with = |outcome| runs.iter().filter(|run| run.outcome == Some(outcome)).count();
        lost_runs += with(ExecutionOutcome::Lost);
        if with(ExecutionOutcome::Succeeded) > 1 {
            succeeded_twice.push(*task);
        }
    }
    let complete = counted(&place, "complete");
    let begun: usize = counted(&place, "begun").values().sum();
    println!(
        "{kills} kills, {} tasks, {begun} runs begun, {} complete, {lost_runs} lost before their end",
        tasks.len(),
        complete.values().sum::<usize>(),
    );
    assert!(ended && unfinished.is_empty(), "all landed: {unfinished:#?}");
    let repeated: Vec<_> = complete.iter().filter(|(_, count)| **count > 1).collect();
    assert!(repeated.is_empty(), "complete runs that ran again: {repeated:?}");
    assert_eq!(succeeded_twice, Vec::<Uuid>::new(), "one success each");
    let doubled: Vec<_> = titles.iter().filter(|(_, count)| **count > 1).collect();
    assert!(doubled.is_empty(), "doubled: {doubled:?}");
    let subjects = place.git(&["log", "--format=%s", "main"]);
    let mut subjects: Vec<_> = subjects.lines().collect();
    subjects.sort_unstable();
    let count = subjects.len();
    subjects.dedup();
    assert_eq!(subjects.len(), count, "each landed once");
    for (task, title) in &load.acknowledged {
        assert!(titles.contains_key(title), "acknowledged and lost: {title}");
        let file = format!("main:part-{task}.txt");
        assert_eq!(place.git(&["show", &file]), task.to_string(), "{title} is on main");
    }
    assert_eq!(place.git(&["status", "--porcelain"]), "", "the person's checkout is clean");
    place.git(&["fsck", "--no-dangling"]);
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert_eq!(place.survivors(), Vec::<String>::new(), "nothing still runs");
}
