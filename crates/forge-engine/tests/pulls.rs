//! Landing by pull requests, against a fake GitHub that merges with git (M-16).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{
    AnnotationType, MergeConfig, MergeStrategy, PullRequest, PullRequestState, PullRequestWait,
    TaskSnapshot,
};
use forge_domain::{ProjectId, TaskId, WorkspaceType};
use forge_engine::{
    AccessToken, EngineError, GitHubClient, ProjectChange, ProjectSpec, RemoteRepoSpec, TaskSpec,
};
use forge_store::tables::repos;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::github_server::{GitHubFault, GitHubRoute, GitHubServer};
use forge_testkit::test_repository::TestRepository;
use serde_json::{Value, json};
use std::path::Path;

const SECRET: &str = "ghp_9f8e7d6c5b4a39281706";

struct Scene {
    world: EngineFixture,
    github: GitHubServer,
    project: ProjectId,
    repo: repos::RepoRow,
}

fn by_pull_request() -> Value {
    json!({ "merge": { "mode": "pull_request" } })
}

async fn scene() -> Scene {
    let github = GitHubServer::start(SECRET).await;
    let mut limits = EngineFixture::limits();
    limits.remotes.github_url = github.git().origin();
    limits.remotes.github = GitHubClient::new(github.api(), None);
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    let asked = ProjectSpec {
        name: "Remote".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: EngineFixture::workflow("default"),
        settings: EngineFixture::settings(by_pull_request()),
    };
    let project = world
        .engine()
        .projects()
        .create_project(EngineFixture::acting_user(), asked)
        .await
        .unwrap()
        .id;
    let token = Some(AccessToken::new(SECRET, None).unwrap());
    let asked = RemoteRepoSpec { url: github.git().url(), name: None, token };
    let repo = world
        .engine()
        .repos()
        .add_remote(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap();
    Scene { world, github, project, repo }
}

impl Scene {
    /// A task whose file waits for a person to let it land.
    async fn reviewed(&self, asked: TaskSpec) -> TaskId {
        let title = asked.title.clone();
        let script = format!("echo {title} > {title}.txt");
        let task = self.world.claimed_task(self.project, asked, &title, &script).await;
        self.world.settle().await.unwrap();
        assert_eq!(self.world.load_task(task).await.state.as_str(), "review");
        task
    }

    /// Lets it land, without waiting for later retries.
    async fn try_to_land(&self, task: TaskId) -> TaskSnapshot {
        if self.world.load_task(task).await.state.as_str() == "blocked" {
            self.world.move_to(task, "review").await;
        }
        self.world.request_move(task, "merging").await;
        self.world.engine().drain().await.unwrap();
        self.world.load_task(task).await
    }

    /// The task after a requested look, later than checks need to appear.
    async fn look(&self, task: TaskId) -> TaskSnapshot {
        let clock = &self.world.clock;
        clock.advance_to(self.world.engine().now().plus_seconds(40));
        self.world.engine().pull_requests().check_pull_request_now(task).await.unwrap();
        self.world.engine().drain().await.unwrap();
        self.world.load_task(task).await
    }

    fn clone(&self) -> TestRepository {
        TestRepository::open(Path::new(self.repo.path.as_ref().unwrap()))
    }

    async fn main(&self) -> Vec<String> {
        let there = self.github.hub().subjects("main").await;
        assert_eq!(self.clone().subjects("main").await, there, "the branch here follows");
        there
    }
}

fn standing(task: &TaskSnapshot) -> (u64, PullRequestState, Option<PullRequestWait>) {
    let PullRequest { number, state, waits_for, .. } = task.pull_request.clone().expect("recorded");
    (number, state, waits_for)
}

fn trouble(task: &TaskSnapshot) -> (AnnotationType, String, Value) {
    let trouble = task.annotation.clone().expect("it says why");
    assert!(!format!("{trouble:?}").contains(SECRET), "{trouble:?}");
    (trouble.kind, trouble.message, trouble.details)
}

#[tokio::test]
async fn m_16_a_task_lands_by_its_pull_request_once_its_checks_and_the_rules_let_it() {
    let scene = scene().await;
    let github = &scene.github;
    github.set_checks(&[("build", None), ("lint", Some(true))]);
    let description = "Why, and how.".to_owned();
    let one = scene.reviewed(TaskSpec { description, ..EngineFixture::task_request("One") }).await;
    let task = scene.try_to_land(one).await;
    let open = PullRequestState::Open;
    assert_eq!(task.state.as_str(), "merging");
    assert_eq!(standing(&task), (1, open, Some(PullRequestWait::Checks)));
    let pull = &github.pulls()[0];
    assert_eq!((pull.title.as_str(), pull.base.as_str()), ("One (T-1)", "main"));
    assert!(pull.body.starts_with("Why, and how.\n\nForge task T-1\n\nForge-Task: "), "{pull:?}");
    let url = task.pull_request.as_ref().unwrap().url.clone();
    assert!(url.ends_with("/team/shop/pull/1"), "{url}");

    let asked = github.request_count(GitHubRoute::Show);
    scene.world.engine().drain().await.unwrap();
    assert_eq!(
        github.request_count(GitHubRoute::Show),
        asked,
        "it looks again later, or on request"
    );
    github.set_checks(&[("build", Some(true)), ("lint", Some(true))]);
    github.set_blocked(true);
    let task = scene.look(one).await;
    assert_eq!(standing(&task), (1, open, Some(PullRequestWait::Rules)));
    github.set_blocked(false);
    github.push("main", "theirs.txt", "theirs\n").await;
    let task = scene.look(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(standing(&task), (1, PullRequestState::Merged, None));
    assert_eq!(scene.main().await, ["One (T-1)", "theirs", "first"]);
    let message = scene.clone().git(&["log", "-1", "--format=%B", "main"]).await;
    assert!(message.contains(&format!("Forge-Task: {one}")), "{message}");
    assert!(message.contains(&format!("Forge-Pull-Request: {url}")), "{message}");
    assert!(message.contains("Forge-Agent: One"), "{message}");
    scene.world.settle().await.unwrap();
    let workspace = scene.world.load_task(one).await.workspace.unwrap();
    assert!(!Path::new(&workspace.path).exists(), "cleaned like any landing");

    // A repository without checks: wait for the time in which they could appear.
    github.set_checks(&[]);
    for (title, strategy, landed) in
        [("Two", MergeStrategy::Merge, "Two (T-2)"), ("Three", MergeStrategy::Rebase, "Three")]
    {
        let merge_config = MergeConfig { strategy, ..MergeConfig::default() };
        let task =
            scene.reviewed(TaskSpec { merge_config, ..EngineFixture::task_request(title) }).await;
        let waiting = scene.try_to_land(task).await;
        assert_eq!(standing(&waiting).2, Some(PullRequestWait::Checks));
        assert_eq!(scene.look(task).await.state.as_str(), "done");
        assert_eq!(scene.main().await[0], landed);
    }
    assert_eq!(github.pulls().len(), 3);
}

#[tokio::test]
async fn m_16_failed_checks_and_conflicts_send_it_back_and_keep_the_pull_request() {
    let scene = scene().await;
    let github = &scene.github;
    github.set_checks(&[("build", Some(false)), ("lint", Some(false)), ("docs", Some(true))]);
    let one = scene.reviewed(EngineFixture::task_request("One")).await;
    let task = scene.try_to_land(one).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    let (kind, message, details) = trouble(&task);
    assert_eq!(kind, AnnotationType::MergeChecksFailed);
    assert!(message.contains("build, lint"), "{message}");
    assert_eq!(details["failed"][1], json!({ "name": "lint", "url": "https://ci/lint" }));
    assert!(task.feedback.as_deref().is_some_and(|text| text.contains("https://ci/build")));

    // Fixed; meanwhile another client changed the same file.
    github.set_checks(&[("build", Some(true))]);
    github.push("main", "One.txt", "theirs\n").await;
    let task = scene.try_to_land(one).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    let (kind, _, details) = trouble(&task);
    assert_eq!((kind, &details["files"]), (AnnotationType::MergeConflict, &json!(["One.txt"])));

    // The same, found by GitHub while the landing waits.
    let two = scene.reviewed(EngineFixture::task_request("Two")).await;
    github.set_checks(&[("build", None)]);
    assert_eq!(standing(&scene.try_to_land(two).await).0, 2);
    github.push("main", "Two.txt", "theirs\n").await;
    let task = scene.look(two).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    assert_eq!(trouble(&task).2["files"], json!(["Two.txt"]));
    assert_eq!(github.pulls().len(), 2, "one for each");
    assert_eq!(github.request_count(GitHubRoute::Merge), 0);
}

#[tokio::test]
async fn m_16_changes_by_users_to_a_pull_request_count() {
    let scene = scene().await;
    let github = &scene.github;
    github.set_checks(&[("build", None)]);
    let one = scene.reviewed(EngineFixture::task_request("One")).await;
    scene.try_to_land(one).await;
    github.merge_by_hand(1).await;
    let task = scene.look(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(scene.main().await[0], "Merged by hand");

    let two = scene.reviewed(EngineFixture::task_request("Two")).await;
    scene.try_to_land(two).await;
    github.close(2);
    let task = scene.look(two).await;
    assert_eq!(task.state.as_str(), "blocked");
    assert_eq!(standing(&task), (2, PullRequestState::Closed, None));
    assert_eq!(trouble(&task).0, AnnotationType::PullRequestClosed);
    let task = scene.try_to_land(two).await;
    assert_eq!(standing(&task).0, 3, "another one, since a person let it land again");

    // Another client pushes to its branch: that was never reviewed.
    let theirs = github.push(&github.pulls()[2].head, "extra.txt", "extra\n").await;
    github.set_checks(&[("build", Some(true))]);
    let task = scene.look(two).await;
    assert_eq!(task.state.as_str(), "blocked");
    let (kind, message, details) = trouble(&task);
    assert_eq!((kind, &details["head"]), (AnnotationType::Unreviewed, &json!(theirs)), "{message}");
    let task = scene.try_to_land(two).await;
    assert_eq!(trouble(&task).0, AnnotationType::Unreviewed, "and it is not pushed over either");
    let branch = github.pulls()[2].head.clone();
    assert_eq!(github.hub().git(&["rev-parse", &branch]).await, theirs);
    assert_eq!(github.request_count(GitHubRoute::Merge), 0);

    // Parked by hand while it waits: it is not merged.
    let three = scene.reviewed(EngineFixture::task_request("Three")).await;
    github.set_checks(&[("build", None)]);
    scene.try_to_land(three).await;
    assert_eq!(scene.world.move_to(three, "blocked").await.state.as_str(), "blocked");
    github.set_checks(&[("build", Some(true))]);
    scene.look(three).await;
    assert_eq!(github.request_count(GitHubRoute::Merge), 0);
    assert_eq!(scene.try_to_land(three).await.state.as_str(), "done");
    assert_eq!(github.pulls().len(), 4);
}

#[tokio::test]
async fn m_16_answers_that_are_lost_and_refusals_end_in_one_pull_request_and_one_landing() {
    let scene = scene().await;
    let github = &scene.github;
    github.set_checks(&[("build", Some(true))]);
    for route in [
        GitHubRoute::Open,
        GitHubRoute::Find,
        GitHubRoute::Show,
        GitHubRoute::Checks,
        GitHubRoute::Merge,
    ] {
        github.inject_fault(route, GitHubFault::LosesAnswer);
    }
    github.inject_fault(GitHubRoute::Show, GitHubFault::Refuses(502, "Bad Gateway"));
    github.inject_fault(GitHubRoute::Checks, GitHubFault::Refuses(429, "slow down"));
    let one = scene.reviewed(EngineFixture::task_request("One")).await;
    let task = scene.try_to_land(one).await;
    let (kind, _, details) = trouble(&task);
    assert_eq!((kind, &details["kind"]), (AnnotationType::PushFailed, &json!("network")));
    scene.world.settle().await.unwrap();
    let task = scene.world.load_task(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!((github.pulls().len(), github.request_count(GitHubRoute::Open)), (1, 1));
    assert_eq!(github.request_count(GitHubRoute::Merge), 1);
    assert_eq!(scene.main().await, ["One (T-1)", "first"]);

    let two = scene.reviewed(EngineFixture::task_request("Two")).await;
    for (status, kind) in [(401, "auth"), (403, "auth"), (404, "address"), (422, "rejected")] {
        github.inject_fault(GitHubRoute::Open, GitHubFault::Refuses(status, "no"));
        let task = scene.try_to_land(two).await;
        assert_eq!(task.state.as_str(), "blocked");
        let (trouble, message, details) = trouble(&task);
        assert_eq!(trouble, AnnotationType::PullRequestFailed, "{message}");
        assert_eq!(details["kind"], kind, "{message}");
        assert!(details["next_step"].as_str().is_some_and(|next| !next.is_empty()));
    }
    let words = "Squash merges are not allowed on this repository.";
    github.inject_fault(GitHubRoute::Merge, GitHubFault::Refuses(405, words));
    let task = scene.try_to_land(two).await;
    assert!(trouble(&task).1.contains("merge_config.strategy"));
    github.inject_fault(GitHubRoute::Merge, GitHubFault::Refuses(405, "Base branch was modified."));
    scene.try_to_land(two).await;
    scene.world.settle().await.unwrap();
    assert_eq!(scene.main().await, ["Two (T-2)", "One (T-1)", "first"]);
    assert_eq!(github.pulls().len(), 2);
}

#[tokio::test]
async fn m_16_without_github_there_are_no_pull_requests() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let version = world.engine().records().project(project).await.unwrap().version;
    let settings = Some(EngineFixture::settings(by_pull_request()));
    let patch = ProjectChange { version, name: None, settings };
    let refused = world
        .engine()
        .projects()
        .update_project(EngineFixture::acting_user(), project, patch)
        .await;
    assert!(matches!(refused, Err(EngineError::PullRequestUnavailable { .. })), "{refused:?}");

    let workflow = EngineFixture::workflow("default");
    let project = world.project_with("Other", workflow, by_pull_request()).await.unwrap();
    let task = world
        .claimed_task(project, EngineFixture::task_request("One"), "coder", "echo 1 > 1.txt")
        .await;
    world.settle().await.unwrap();
    let task = world.land_task(task).await;
    let trouble = task.annotation.expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::PullRequestUnavailable);
    assert!(trouble.message.contains("merge.mode"), "{}", trouble.message);
    assert_eq!(world.repository.subjects("main").await, ["first"]);
}
