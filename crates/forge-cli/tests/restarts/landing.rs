//! `kill -9` of the server while branches are checked, tried, pushed and landed (M-1, M-7, M-11, P-4): each lands once,
//! and what lands is what was tested.

use crate::names::{Change, Names};
use crate::place::{Place, Server, read};
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
/// With what an earlier kill left unfinished there are enough to fill the train.
const WAVE: usize = 3;

/// By what it is known that the server is in the middle of something.
#[derive(Debug, Clone, Copy)]
enum Mark {
    /// A program that runs for it, which stands still.
    Held(&'static str),
    /// A program of the other side, which stands still and goes on once the server is there again.
    HeldElsewhere(&'static str),
    /// An event.
    Told(EventType),
    /// A trial's directory.
    Trial(Change),
    /// The target branch here.
    Target,
}

const MARKS: [Mark; 11] = [
    Mark::Told(EventType::ReviewStarted),
    Mark::Held("gate"),
    Mark::Told(EventType::ReviewChecked),
    Mark::Told(EventType::MergeStarted),
    Mark::Trial(Change::Came),
    Mark::Held("trial"),
    Mark::Trial(Change::Went),
    Mark::HeldElsewhere("pre-receive"),
    Mark::HeldElsewhere("post-receive"),
    Mark::Target,
    Mark::Told(EventType::MergeFinished),
];

struct Board {
    place: Place,
    hub: PathBuf,
    project: Uuid,
    agent: Uuid,
    /// The clone that tasks work on.
    clone: PathBuf,
    tasks: Vec<Uuid>,
}

impl Board {
    async fn new(place: Place, server: &Server) -> Self {
        let hub = place.path().join("hub.git");
        place.git(&["clone", "--quiet", "--bare", ".", hub.to_str().expect("text")]);
        std::fs::write(place.path().join("check.sh"), CHECK).expect("a check");
        for name in ["pre-receive", "post-receive"] {
            let place = place.path().to_str().expect("text");
            let hook = hub.join("hooks").join(name);
            std::fs::create_dir_all(hub.join("hooks")).expect("a directory");
            std::fs::write(&hook, HOOK.replace("$PLACE", place)).expect("a hook");
            std::fs::set_permissions(hook, PermissionsExt::from_mode(0o755)).expect("set");
        }
        let client = &server.client;
        let settings = json!({
            "merge": { "train": true, "window": TRAIN },
            "default_review_config": { "ci_steps": ["sh \"$PLACE/check.sh\""] },
        });
        let asked = json!({ "name": "Board", "workflow": "autopilot", "settings": settings });
        let project = client.create_project(&read(asked)).await.expect("a project").id;
        let repo = read(json!({ "url": format!("file://{}", hub.display()) }));
        let repo = client.add_repo(project, &repo).await.expect("a repository");
        let agent = read(json!({
            "name": "worker", "max_concurrent": 100,
            "executor": { "kind": "shell", "command": ["sh", "-c", "echo whole > part-$FORGE_TASK_ID"] },
        }));
        let agent = client.create_agent(&agent).await.expect("an agent").id;
        let clone = PathBuf::from(repo.path.expect("its place"));
        Self { place, hub, project, agent, clone, tasks: Vec::new() }
    }

    /// Some more tasks, all begun.
    async fn begin(&mut self, server: &Server) {
        for _ in 0..WAVE {
            let asked = json!({ "title": format!("Work {}", self.tasks.len()) });
            let task =
                server.client.create_task(self.project, &read(asked)).await.expect("a task").id;
            let claim = read(json!({ "agent_id": self.agent }));
            server.client.claim_task(task, &claim).await.expect("is claimed");
            self.tasks.push(task);
        }
    }

    /// Begins tasks, and kills the server when it is in the middle of this.
    async fn killed_at(&mut self, server: Server, mark: Mark) {
        let workspaces = self.place.data().join("workspaces");
        match mark {
            Mark::Held(name) | Mark::HeldElsewhere(name) => {
                std::fs::write(self.place.path().join(format!("hold-{name}")), "").expect("a sign");
                self.begin(&server).await;
                self.place.await_ups(1).await;
            }
            Mark::Told(kind) => {
                let query = read(json!({ "project": self.project }));
                let mut events = server.client.follow_events(query).await.expect("the events");
                self.begin(&server).await;
                while events.next().await.expect("the stream goes on").kind != kind {}
            }
            Mark::Trial(change) => {
                let names = Names::of(&workspaces);
                self.begin(&server).await;
                names.until(|name| name.starts_with(b"_merge-"), change).await;
            }
            Mark::Target => {
                let heads = git(
                    &self.clone,
                    &["rev-parse", "--path-format=absolute", "--git-path", "refs/heads"],
                );
                let names = Names::of(Path::new(&heads));
                self.begin(&server).await;
                names.until(|name| name == b"main", Change::Came).await;
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
async fn m_1_m_7_m_11_whenever_the_server_is_killed_each_branch_lands_once_and_tested() {
    let place = Place::new();
    let mut server = place.serve(SETTINGS);
    let mut board = Board::new(place, &server).await;
    for mark in MARKS {
        board.killed_at(server, mark).await;
        server = board.place.serve(SETTINGS);
        if let Mark::HeldElsewhere(_) = mark {
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
        let steps = server.client.fetch_steps(*task, &Default::default()).await.expect("the steps");
        let open: Vec<_> = steps.items.iter().filter(|step| step.finished_at.is_none()).collect();
        assert!(open.is_empty(), "{open:?}");
    }
    server.signal(Signal::SIGTERM);
    assert_eq!(server.ended().await.code(), Some(0));
    let left = std::fs::read_dir(board.place.data().join("workspaces")).expect("the workspaces");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    let left: Vec<_> =
        left.iter().filter(|name| !name.as_encoded_bytes().starts_with(b".")).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(board.place.survivors(), Vec::<String>::new(), "nothing still runs");
    git(&board.hub, &["fsck", "--no-dangling"]);
}
