//! Landings are pushed to a git server over http with a password, with typical server behaviour (M-7, M-15, M-16,
//! M-17).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::project::ProjectSettings;
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{ProjectId, TaskId, WorkspaceType};
use forge_engine::{AccessToken, EngineLimits, ProjectSpec, RemoteRepoSpec};
use forge_store::tables::repos;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::git_server::{GitServer, GitServerBehavior};
use forge_testkit::test_repository::TestRepository;
use std::path::{Path, PathBuf};

const SECRET: &str = "tok_9f8e7d6c5b4a39281706";

struct Scene {
    world: EngineFixture,
    server: GitServer,
    project: ProjectId,
    repo: repos::RepoRow,
}

fn token(secret: &str) -> Option<AccessToken> {
    Some(AccessToken::new(secret, None).unwrap())
}

async fn scene(workflow: &str, limits: EngineLimits) -> Scene {
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    let directory = world.home().join("server");
    let server = GitServer::start(&directory, &world.repository, SECRET).await;
    let asked = ProjectSpec {
        name: "Remote".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: EngineFixture::workflow(workflow),
        settings: ProjectSettings::default(),
    };
    let project = world
        .engine()
        .projects()
        .create_project(EngineFixture::acting_user(), asked)
        .await
        .unwrap()
        .id;
    let asked = RemoteRepoSpec { url: server.url(), name: None, token: token(SECRET) };
    let repo = world
        .engine()
        .repos()
        .add_remote(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap();
    Scene { world, server, project, repo }
}

impl Scene {
    /// A task that waits for a person to let it land.
    async fn reviewed(&self, title: &str) -> TaskId {
        let script = format!("echo {title} > {title}.txt");
        let task = self
            .world
            .claimed_task(self.project, EngineFixture::task_request(title), title, &script)
            .await;
        self.world.settle().await.unwrap();
        assert_eq!(self.world.load_task(task).await.state.as_str(), "review");
        task
    }

    /// Lets it land, without waiting for later retries.
    async fn try_to_land(&self, task: TaskId) -> TaskSnapshot {
        if self.world.load_task(task).await.state.as_str() == "blocked" {
            assert_eq!(self.world.move_to(task, "review").await.state.as_str(), "review");
        }
        self.world.request_move(task, "merging").await;
        self.world.engine().drain().await.unwrap();
        self.world.load_task(task).await
    }

    async fn hub(&self) -> Vec<String> {
        self.server.hub().subjects("main").await
    }

    fn clone(&self) -> TestRepository {
        TestRepository::open(Path::new(self.repo.path.as_ref().unwrap()))
    }

    /// The kind and message of a failed push; the work is still there.
    async fn failed(&self, task: &TaskSnapshot) -> (String, String) {
        let trouble = task.annotation.clone().expect("it says why");
        assert_eq!(trouble.kind, AnnotationType::PushFailed, "{trouble:?}");
        let workspace = task.workspace.clone().expect("the workspace is on record");
        assert!(Path::new(&workspace.path).is_dir(), "the worktree is kept");
        self.clone().git(&["rev-parse", "--verify", &workspace.branch]).await;
        assert!(!format!("{trouble:?}").contains(SECRET), "{trouble:?}");
        assert!(trouble.details["next_step"].as_str().is_some_and(|next| !next.is_empty()));
        (trouble.details["kind"].as_str().unwrap().to_owned(), trouble.message)
    }
}

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => files(&entry.path(), found),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn m_15_m_16_a_server_with_a_password_gets_the_landing_and_the_token_stays_secret() {
    let scene = scene("autopilot", EngineFixture::limits()).await;
    let script =
        "env > seen.txt; tr '\\0' '\\n' </proc/$PPID/environ >> seen.txt; echo one > one.txt";
    let task = scene
        .world
        .claimed_task(scene.project, EngineFixture::task_request("One"), "One", script)
        .await;
    scene.world.settle().await.unwrap();
    let task = scene.world.load_task(task).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(scene.hub().await, ["One (T-1)", "first"]);
    assert_eq!(scene.clone().subjects("main").await, ["One (T-1)", "first"]);
    assert_eq!(scene.server.pushes(), 1);
    let seen = scene.server.observed_processes();
    assert!(holds(&seen, "git-remote-http") || holds(&seen, "remote-http"), "git was seen at it");
    assert!(!holds(&seen, SECRET), "neither an argument nor an environment holds it");
    let mut all = Vec::new();
    files(&scene.world.home().join("data"), &mut all);
    files(scene.server.hub().path(), &mut all);
    assert!(all.len() > 20, "{all:?}");
    for file in all {
        assert!(!holds(&std::fs::read(&file).unwrap_or_default(), SECRET), "{}", file.display());
    }
    assert!(!scene.world.home().join("data/isolated-git").read_dir().unwrap().any(|_| true));
}

#[tokio::test]
async fn m_15_a_clone_without_the_right_token_is_refused_and_leaves_nothing() {
    let scene = scene("default", EngineFixture::limits()).await;
    for token in [None, token("wrong_0123456789")] {
        let asked =
            RemoteRepoSpec { url: scene.server.url(), name: Some("again".to_owned()), token };
        let asked = scene.world.engine().repos().add_remote(
            EngineFixture::acting_user(),
            scene.project,
            asked,
        );
        let error = asked.await.unwrap_err().to_string();
        assert!(error.contains("check the address and that this server may read it"), "{error}");
        assert!(!error.contains("wrong_0123456789"), "{error}");
    }
}

#[tokio::test]
async fn m_17_a_forbidden_push_is_parked_with_what_to_do() {
    let scene = scene("default", EngineFixture::limits()).await;
    let (one, engine) = (scene.reviewed("One").await, scene.world.engine());
    let set = async |secret: &str| {
        let (project, repo) = (scene.project, scene.repo.id);
        engine
            .repos()
            .set_repo_token(EngineFixture::acting_user(), project, repo, token(secret))
            .await
            .unwrap();
    };
    set("wrong_0123456789").await;
    let task = scene.try_to_land(one).await;
    let (kind, message) = scene.failed(&task).await;
    assert_eq!(kind, "auth", "{message}");
    assert!(!message.contains("wrong_0123456789"), "{message}");
    assert_eq!(task.state.as_str(), "blocked");

    set(SECRET).await;
    scene.server.protect("main is protected");
    let task = scene.try_to_land(one).await;
    let (kind, message) = scene.failed(&task).await;
    assert_eq!(kind, "rejected", "{message}");
    assert!(message.contains("main is protected"), "{message}");

    scene.server.set_behavior(GitServerBehavior::Redirects);
    let task = scene.try_to_land(one).await;
    assert_eq!(scene.failed(&task).await.0, "address");
    scene.server.set_behavior(GitServerBehavior::EchoesCredentials);
    let task = scene.try_to_land(one).await;
    assert_eq!(scene.failed(&task).await.0, "auth");
    assert_eq!(scene.hub().await, ["first"]);

    scene.server.set_behavior(GitServerBehavior::Normal);
    scene.server.unprotect();
    let task = scene.try_to_land(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(scene.hub().await, ["One (T-1)", "first"]);
}

#[tokio::test]
async fn m_17_a_server_that_is_away_or_says_nothing_is_waited_for() {
    let mut limits = EngineFixture::limits();
    limits.remotes.timeout_seconds = 2;
    let scene = scene("default", limits).await;
    for (title, manner) in
        [("One", GitServerBehavior::Unavailable), ("Two", GitServerBehavior::Silent)]
    {
        let task = scene.reviewed(title).await;
        scene.server.set_behavior(manner);
        let waiting = scene.try_to_land(task).await;
        assert_eq!(scene.failed(&waiting).await.0, "network");
        assert_eq!(waiting.state.as_str(), "merging", "it goes on by itself");
        scene.server.set_behavior(GitServerBehavior::Normal);
        scene.world.settle().await.unwrap();
        assert_eq!(scene.world.load_task(task).await.state.as_str(), "done");
    }
    assert_eq!(scene.hub().await, ["Two (T-2)", "One (T-1)", "first"]);
}

#[tokio::test]
async fn m_17_a_connection_that_drops_after_the_push_was_taken_is_one_landing() {
    let scene = scene("default", EngineFixture::limits()).await;
    let task = scene.reviewed("One").await;
    scene.server.set_behavior(GitServerBehavior::DropsAfterPush);
    let task = scene.try_to_land(task).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(scene.hub().await, ["One (T-1)", "first"]);
    assert_eq!(scene.clone().subjects("main").await, ["One (T-1)", "first"]);
}

#[tokio::test]
async fn m_9_others_who_push_at_the_same_time_lose_nothing_and_cost_no_attempt() {
    const TASKS: usize = 20;
    let scene = scene("autopilot", EngineFixture::limits()).await;
    let other = scene.world.home().join("other");
    let hub = scene.server.hub();
    hub.git(&["clone", "--quiet", ".", other.to_str().unwrap()]).await;
    let other = TestRepository::open(&other);
    for number in 0..TASKS {
        let title = format!("Task{number}");
        let script = format!("echo {number} > task{number}.txt");
        scene
            .world
            .claimed_task(scene.project, EngineFixture::task_request(&title), &title, &script)
            .await;
    }
    let pushing = async {
        for number in 0..TASKS {
            other.write(&format!("other{number}.txt"), "theirs\n");
            other.commit(&format!("Other {number}")).await;
            while !other.try_git(&["push", "--quiet", "origin", "main"]).await.0 {
                other.git(&["pull", "--quiet", "--rebase", "origin", "main"]).await;
            }
        }
    };
    let (settled, ()) = tokio::join!(scene.world.settle(), pushing);
    settled.unwrap();
    let mut found = scene.hub().await;
    assert_eq!(found.len(), 2 * TASKS + 1, "{found:?}");
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 2 * TASKS + 1, "each once: {found:?}");
    assert_eq!(hub.git(&["rev-list", "--merges", "main"]).await, "", "the history is linear");
    for number in 0..TASKS {
        let title = format!("Task{number}");
        let task = scene.world.find(scene.project, &title).await.unwrap().unwrap();
        assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    }
}

#[tokio::test]
async fn m_9_a_target_that_was_deleted_or_rewritten_elsewhere_is_noticed() {
    let scene = scene("default", EngineFixture::limits()).await;
    let (one, hub) = (scene.reviewed("One").await, scene.server.hub());
    hub.git(&["branch", "-m", "main", "trunk"]).await;
    let task = scene.try_to_land(one).await;
    assert_eq!(scene.failed(&task).await.0, "gone");
    hub.git(&["branch", "-m", "trunk", "main"]).await;
    let task = scene.try_to_land(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);

    let two = scene.reviewed("Two").await;
    let tree = hub.git(&["rev-parse", "main~1^{tree}"]).await;
    let anew = hub.git(&["commit-tree", "-m", "anew", &tree]).await;
    hub.git(&["update-ref", "refs/heads/main", &anew]).await;
    let task = scene.try_to_land(two).await;
    let kept = scene.clone().git(&["for-each-ref", "refs/forge/archive/rewritten"]).await;
    assert!(!kept.is_empty(), "what was given up there is kept here");
    let subjects = scene.hub().await;
    assert_eq!(subjects.last().map(String::as_str), Some("anew"), "{task:?}");
    assert!(!subjects.contains(&"One (T-1)".to_owned()), "what they took out stays out");
}
