//! `kill -9` of the server while branches are checked, tried, pushed and landed (M-1, M-7, M-11, P-4): each lands
//! once, and only tested trees land.

use crate::names::{DirectoryWatch, NameChange};
use crate::place::{RestartFixture, ServerProcess, read};
use forge_api::EventType;
use nix::sys::signal::Signal;
use serde_json::json;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use uuid::Uuid;

const CHECK: &str = include_str!("check.sh");
const HOOK: &str = include_str!("hook.sh");
const SETTINGS: &[&str] = &["--max-concurrent-checks", "4"];
const TRAIN: usize = 4;
/// Together with the tasks that an earlier kill left unfinished, enough to fill the train.
const TASKS_PER_ROUND: usize = 3;

/// How the test recognises the moment to kill the server.
#[derive(Debug, Clone, Copy)]
enum KillPoint {
    /// A program that the server started is blocked.
    Blocked(&'static str),
    /// A program on the remote side is blocked and continues once the server runs again.
    RemoteBlocked(&'static str),
    /// The server published an event.
    Event(EventType),
    /// A trial directory was created or removed.
    Trial(NameChange),
    /// The local target branch moved.
    Target,
}

const KILL_POINTS: [KillPoint; 11] = [
    KillPoint::Event(EventType::ReviewStarted),
    KillPoint::Blocked("gate"),
    KillPoint::Event(EventType::ReviewChecked),
    KillPoint::Event(EventType::MergeStarted),
    KillPoint::Trial(NameChange::Created),
    KillPoint::Blocked("trial"),
    KillPoint::Trial(NameChange::Removed),
    KillPoint::RemoteBlocked("pre-receive"),
    KillPoint::RemoteBlocked("post-receive"),
    KillPoint::Target,
    KillPoint::Event(EventType::MergeFinished),
];

struct LandingBoard {
    place: RestartFixture,
    hub: PathBuf,
    project: Uuid,
    agent: Uuid,
    /// The clone that tasks work on.
    clone: PathBuf,
    tasks: Vec<Uuid>,
}

impl LandingBoard {
    async fn new(place: RestartFixture, server: &ServerProcess) -> Self {
        let hub = place.path().join("hub.git");
        place.git(&["clone", "--quiet", "--bare", ".", hub.to_str().expect("text")]);
        std::fs::write(place.path().join("check.sh"), place.script(CHECK)).expect("a check");
        for name in ["pre-receive", "post-receive"] {
            let hook = hub.join("hooks").join(name);
            std::fs::create_dir_all(hub.join("hooks")).expect("a directory");
            std::fs::write(&hook, place.script(HOOK)).expect("a hook");
            std::fs::set_permissions(hook, PermissionsExt::from_mode(0o755)).expect("set");
        }
        let client = &server.client;
        let settings = json!({
            "merge": { "train": true, "window": TRAIN },
            "default_review_config": { "ci_steps": [place.script("sh \"$PLACE/check.sh\"")] },
        });
        let asked = json!({ "name": "Board", "workflow": "autopilot", "settings": settings });
        let project = client.projects().create(&read(asked)).await.expect("a project").id;
        let repo = read(json!({ "url": format!("file://{}", hub.display()) }));
        let repo = client.repos().add(project, &repo).await.expect("a repository");
        let agent = read(json!({
            "name": "worker", "max_concurrent": 100,
            "executor": { "kind": "shell", "command": ["sh", "-c", "echo whole > part-$FORGE_TASK_ID"] },
        }));
        let agent = client.agents().create(&agent).await.expect("an agent").id;
        let clone = PathBuf::from(repo.path.expect("its place"));
        Self { place, hub, project, agent, clone, tasks: Vec::new() }
    }

    /// Creates more tasks and starts all of them.
    async fn start_tasks(&mut self, server: &ServerProcess) {
        for _ in 0..TASKS_PER_ROUND {
            let asked = json!({ "title": format!("Work {}", self.tasks.len()) });
            let task =
                server.client.tasks().create(self.project, &read(asked)).await.expect("a task").id;
            let claim = read(json!({ "agent_id": self.agent }));
            server.client.tasks().claim(task, &claim).await.expect("is claimed");
            self.tasks.push(task);
        }
    }

    /// Starts tasks, and kills the server at this point.
    async fn kill_at(&mut self, server: ServerProcess, mark: KillPoint) {
        let workspaces = self.place.data().join("workspaces");
        match mark {
            KillPoint::Blocked(name) | KillPoint::RemoteBlocked(name) => {
                std::fs::write(self.place.path().join(format!("hold-{name}")), "").expect("a sign");
                self.start_tasks(&server).await;
                self.place.await_ups(1).await;
            }
            KillPoint::Event(kind) => {
                let query = read(json!({ "project": self.project }));
                let mut events = server.client.events().follow(query).await.expect("the events");
                self.start_tasks(&server).await;
                while events.next().await.expect("the stream goes on").kind != kind {}
            }
            KillPoint::Trial(change) => {
                let names = DirectoryWatch::watch(&workspaces);
                self.start_tasks(&server).await;
                names.until(|name| name.starts_with(b"_merge-"), change).await;
            }
            KillPoint::Target => {
                let heads = git(
                    &self.clone,
                    &["rev-parse", "--path-format=absolute", "--git-path", "refs/heads"],
                );
                let names = DirectoryWatch::watch(Path::new(&heads));
                self.start_tasks(&server).await;
                names.until(|name| name == b"main", NameChange::Created).await;
            }
        }
        server.kill();
    }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let out = std::process::Command::new("git").arg("-C").arg(directory).args(arguments).output();
    let out = out.expect("git");
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text").trim().to_owned()
}

#[tokio::test]
async fn m_1_m_7_m_11_each_branch_lands_once_and_tested_despite_kills() {
    let place = RestartFixture::new();
    let mut server = place.serve(SETTINGS);
    let mut board = LandingBoard::new(place, &server).await;
    for mark in KILL_POINTS {
        board.kill_at(server, mark).await;
        server = board.place.serve(SETTINGS);
        if let KillPoint::RemoteBlocked(_) = mark {
            board.place.open_gate(1);
        }
    }
    server.await_landed(board.project, &board.tasks).await;
    let main = git(&board.clone, &["rev-parse", "main"]);
    assert_eq!(git(&board.hub, &["rev-parse", "main"]), main, "both sides have the same");
    let mut subjects: Vec<_> =
        git(&board.clone, &["log", "--format=%s", "main"]).lines().map(str::to_owned).collect();
    assert_eq!(subjects.pop().as_deref(), Some("Begin"));
    subjects.sort();
    let mut expected =
        (0..board.tasks.len()).map(|n| format!("Work {n} (T-{})", n + 1)).collect::<Vec<_>>();
    expected.sort();
    assert_eq!(subjects, expected, "each landed once");
    assert_eq!(git(&board.clone, &["rev-list", "--merges", "--count", "main"]), "0");
    let tested = std::fs::read_to_string(board.place.path().join("tested")).expect("the trees");
    let tested: BTreeSet<_> = tested.lines().collect();
    for tree in git(&board.clone, &["log", "--format=%T", "main"]).lines().rev().skip(1) {
        assert!(tested.contains(tree), "{tree} was never tested");
    }
    let listed = git(&board.clone, &["worktree", "list"]);
    assert_eq!(listed.lines().count(), 1, "only the clone itself is left: {listed}");
    for task in &board.tasks {
        let steps = server
            .client
            .tasks()
            .fetch_effects(*task, &Default::default())
            .await
            .expect("the steps");
        let open: Vec<_> = steps.items.iter().filter(|step| step.finished_at.is_none()).collect();
        assert!(open.is_empty(), "{open:?}");
    }
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    let left = std::fs::read_dir(board.place.data().join("workspaces")).expect("the workspaces");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    let left: Vec<_> =
        left.iter().filter(|name| !name.as_encoded_bytes().starts_with(b".")).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(board.place.survivors(), Vec::<String>::new(), "nothing still runs");
    git(&board.hub, &["fsck", "--no-dangling"]);
}
