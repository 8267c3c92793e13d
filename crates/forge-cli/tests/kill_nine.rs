//! `kill -9` of the real server, a hundred times while demos run (P-4): every acknowledged write survives, every task
//! ends, the repositories are valid, and no process is left.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::disallowed_methods,
    reason = "this test acts as a user at a terminal: it starts and kills the binary"
)]

use forge_api::{NewProject, NewTask, Page, PageQuery, SecretString, Task, TaskQuery};
use forge_client::{ApiClient, ClientError, EventStream, ServerUrl};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use uuid::Uuid;

const KILLS: u64 = 100;
const LONGEST_LIFE_MILLIS: u64 = 900;
const TOKEN: &str = "fg_a-token-that-only-this-test-knows-0123456789";

/// A server process that is killed without a request to stop.
struct KilledServer {
    child: Child,
    client: ApiClient,
}

impl KilledServer {
    /// Starts the binary and waits for the line with its address.
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_forge"))
            .args(["serve", "--bind", "127.0.0.1:0", "--data-dir"])
            .arg(data)
            .env("FORGE_BOOTSTRAP_TOKEN", TOKEN)
            .env_remove("FORGE_TOKEN")
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(data.with_extension("log")).expect("a log"))
            .spawn()
            .expect("the binary starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let address = lines.map_while(Result::ok).find_map(|line| {
            line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
        });
        let address = address.unwrap_or_else(|| {
            let log = std::fs::read_to_string(data.with_extension("log")).unwrap_or_default();
            panic!("the server did not start: {log}")
        });
        let url: ServerUrl = address.parse().expect("an address");
        let client = ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client");
        Self { child, client }
    }

    fn kill(mut self) {
        self.child.kill().expect("SIGKILL");
        self.child.wait().expect("it is gone");
    }
}

/// A small seeded generator; the seed is printed, so that a failure can be repeated.
struct KillRandom(u64);

impl KillRandom {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Creates tasks one after the other until the server dies; records each acknowledged one.
async fn write_until_death(
    client: &ApiClient,
    project: Uuid,
    acknowledged: &mut Vec<(Uuid, String)>,
) {
    loop {
        let title = format!("write {}", acknowledged.len());
        let asked: NewTask = serde_json::from_value(serde_json::json!({ "title": title })).unwrap();
        match client.tasks().create(project, &asked).await {
            Ok(task) => acknowledged.push((task.id, title)),
            Err(_) => return,
        }
    }
}

async fn tasks_of(client: &ApiClient, project: Uuid) -> Vec<Task> {
    let query = TaskQuery { limit: Some(200), ..TaskQuery::default() };
    let page: Page<Task> = client.tasks().fetch_page(project, &query).await.expect("the tasks");
    page.items
}

fn has_ended(task: &Task) -> bool {
    let terminal = serde_json::to_value(task.phase).unwrap() == "done";
    task.busy.is_none() && (terminal || task.error_annotation.is_some())
}

/// Follows the events until every task of the demo has landed or waits for a person.
async fn await_ends(client: &ApiClient, demo: Uuid) {
    let query = serde_json::from_value(serde_json::json!({ "project": demo })).unwrap();
    let mut events: EventStream = client.events().follow(query).await.expect("the events");
    loop {
        let tasks = tasks_of(client, demo).await;
        if tasks.len() == 6 && tasks.iter().all(has_ended) {
            return;
        }
        let next: Result<_, ClientError> = events.next().await;
        next.expect("the stream goes on");
    }
}

/// Processes that work below the data directory, without the git processes of the living server.
fn survivors(data: &Path, server: u32) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("/proc");
    let read = |path: &Path, name: &str| {
        let text = std::fs::read(path.join(name)).unwrap_or_default();
        String::from_utf8_lossy(&text).replace('\0', " ")
    };
    processes
        .flatten()
        .map(|entry| entry.path())
        .filter(|process| {
            std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(data))
        })
        .filter(|process| {
            let ours = read(process, "status").contains(&format!("PPid:\t{server}\n"));
            !ours || read(process, "environ").contains("FORGE_EXECUTION_ID=")
        })
        .map(|process| format!("{process:?} {}", read(&process, "cmdline")))
        .collect()
}

fn fsck(repository: &str) {
    let out = Command::new("git")
        .args(["-C", repository, "fsck", "--no-dangling"])
        .output()
        .expect("git");
    assert!(out.status.success(), "fsck of {repository}: {}", String::from_utf8_lossy(&out.stderr));
}

#[tokio::test]
async fn p_4_a_hundred_kills_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let seed = u64::from(std::process::id()) | 1;
    println!("seed {seed}");
    let mut chance = KillRandom(seed);
    let mut server = KilledServer::start(&data);
    let asked: NewProject =
        serde_json::from_value(serde_json::json!({ "name": "Writes" })).unwrap();
    let writes = server.client.projects().create(&asked).await.expect("a project").id;
    let mut acknowledged = Vec::new();
    let mut demos = Vec::new();
    for kill in 0..KILLS {
        // A demo is always running: a new one starts whenever the last one has finished.
        let finished = match demos.last() {
            None => true,
            Some((project, _)) => tasks_of(&server.client, *project).await.iter().all(has_ended),
        };
        if finished {
            let started = server.client.demo().start().await.expect("a demo");
            demos.push((started.project_id, started.repo_path));
        }
        let life = Duration::from_millis(chance.below(LONGEST_LIFE_MILLIS));
        let writing = write_until_death(&server.client, writes, &mut acknowledged);
        let cut_short = tokio::time::timeout(life, writing).await.is_err();
        assert!(cut_short, "the server died by itself before kill {kill}");
        server.kill();
        server = KilledServer::start(&data);
    }
    assert!(
        acknowledged.len() > 100,
        "the server did useful work between the kills: {}",
        acknowledged.len()
    );
    for (id, title) in &acknowledged {
        let task = server.client.tasks().fetch(*id).await.expect("an acknowledged task is there");
        assert_eq!(&task.title, title);
    }
    for (project, repository) in &demos {
        await_ends(&server.client, *project).await;
        for task in tasks_of(&server.client, *project).await {
            let steps = server
                .client
                .tasks()
                .fetch_effects(task.id, &PageQuery::default())
                .await
                .expect("the steps");
            let open = steps.items.iter().filter(|step| step.finished_at.is_none()).count();
            assert_eq!(open, 0, "{} has steps left", task.key);
        }
        fsck(repository);
    }
    println!("{} kills, {} writes, {} demos", KILLS, acknowledged.len(), demos.len());
    assert_eq!(
        survivors(&data, server.child.id()),
        Vec::<String>::new(),
        "no agent outlives its task"
    );
    server.kill();
}
