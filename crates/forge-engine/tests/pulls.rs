//! Landing by pull requests, against a stand-in of GitHub whose merges are git's (M-16).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{
    AnnotationType, MergeConfig, MergeStrategy, PullRequest, PullRequestState, PullRequestWait,
    Snapshot,
};
use forge_domain::{ProjectId, TaskId};
use forge_engine::{EngineError, GitHub, NewProject, NewRemote, NewTask, ProjectPatch, Token};
use forge_store::tables::repos;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::github_server::{GitHubServer, Route, Trouble};
use forge_testkit::repository::Repository;
use forge_testkit::world::World;
use serde_json::{Value, json};
use std::path::Path;

const SECRET: &str = "ghp_9f8e7d6c5b4a39281706";

struct Scene {
    world: World,
    github: GitHubServer,
    project: ProjectId,
    repo: repos::Repo,
}

fn by_pull_request() -> Value {
    json!({ "merge": { "mode": "pull_request" } })
}

async fn scene() -> Scene {
    let github = GitHubServer::start(SECRET).await;
    let mut limits = World::limits();
    limits.remotes.github_url = github.git().origin();
    limits.remotes.github = GitHub::new(github.api(), None);
    let world = World::with_limits(FaultSweep::counting(), None, limits).await;
    let asked = NewProject {
        name: "Remote".to_owned(),
        workspace_type: "git_worktree".to_owned(),
        workflow: World::workflow("default"),
        settings: by_pull_request(),
    };
    let project = world.engine().create_project(World::person(), asked).await.unwrap().id;
    let token = Some(Token::new(SECRET, None).unwrap());
    let asked = NewRemote { url: github.git().url(), name: None, token };
    let repo = world.engine().add_remote(World::person(), project, asked).await.unwrap();
    Scene { world, github, project, repo }
}

impl Scene {
    /// A task whose file waits for a person to let it land.
    async fn reviewed(&self, asked: NewTask) -> TaskId {
        let title = asked.title.clone();
        let script = format!("echo {title} > {title}.txt");
        let task = self.world.claimed(self.project, asked, &title, &script).await;
        self.world.settle().await.unwrap();
        assert_eq!(self.world.now(task).await.state.as_str(), "review");
        task
    }

    /// Lets it land, without waiting for what comes later by itself.
    async fn try_to_land(&self, task: TaskId) -> Snapshot {
        if self.world.now(task).await.state.as_str() == "blocked" {
            self.world.move_to(task, "review").await;
        }
        self.world.ask_to_move(task, "merging").await;
        self.world.engine().drain().await.unwrap();
        self.world.now(task).await
    }

    /// What is seen when somebody asks for a look, after the time that checks have to begin.
    async fn look(&self, task: TaskId) -> Snapshot {
        let clock = &self.world.clock;
        clock.advance_to(self.world.engine().now().plus_seconds(40));
        self.world.engine().look_at_pull_request(task).await.unwrap();
        self.world.engine().drain().await.unwrap();
        self.world.now(task).await
    }

    fn clone(&self) -> Repository {
        Repository::at(Path::new(self.repo.path.as_ref().unwrap()))
    }

    async fn main(&self) -> Vec<String> {
        let there = self.github.hub().subjects("main").await;
        assert_eq!(self.clone().subjects("main").await, there, "the branch here follows");
        there
    }
}

fn standing(task: &Snapshot) -> (u64, PullRequestState, Option<PullRequestWait>) {
    let PullRequest { number, state, waits_for, .. } = task.pull_request.clone().expect("recorded");
    (number, state, waits_for)
}

fn trouble(task: &Snapshot) -> (AnnotationType, String, Value) {
    let trouble = task.annotation.clone().expect("it says why");
    assert!(!format!("{trouble:?}").contains(SECRET), "{trouble:?}");
    (trouble.kind, trouble.message, trouble.details)
}

#[tokio::test]
async fn m_16_a_task_lands_by_its_pull_request_once_its_checks_and_the_rules_let_it() {
    let scene = scene().await;
    let github = &scene.github;
    github.check(&[("build", None), ("lint", Some(true))]);
    let description = "Why, and how.".to_owned();
    let one = scene.reviewed(NewTask { description, ..World::titled("One") }).await;
    let task = scene.try_to_land(one).await;
    let open = PullRequestState::Open;
    assert_eq!(task.state.as_str(), "merging");
    assert_eq!(standing(&task), (1, open, Some(PullRequestWait::Checks)));
    let pull = &github.pulls()[0];
    assert_eq!((pull.title.as_str(), pull.base.as_str()), ("One (T-1)", "main"));
    assert!(pull.body.starts_with("Why, and how.\n\nForge task T-1\n\nForge-Task: "), "{pull:?}");
    let url = task.pull_request.as_ref().unwrap().url.clone();
    assert!(url.ends_with("/team/shop/pull/1"), "{url}");

    let asked = github.asked(Route::Show);
    scene.world.engine().drain().await.unwrap();
    assert_eq!(github.asked(Route::Show), asked, "it looks again later, or when somebody asks");
    github.check(&[("build", Some(true)), ("lint", Some(true))]);
    github.block(true);
    let task = scene.look(one).await;
    assert_eq!(standing(&task), (1, open, Some(PullRequestWait::Rules)));
    github.block(false);
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
    let workspace = scene.world.now(one).await.workspace.unwrap();
    assert!(!Path::new(&workspace.path).exists(), "cleaned like any landing");

    // A repository without checks: a moment passes in which they could begin.
    github.check(&[]);
    for (title, strategy, landed) in
        [("Two", MergeStrategy::Merge, "Two (T-2)"), ("Three", MergeStrategy::Rebase, "Three")]
    {
        let merge_config = MergeConfig { strategy, ..MergeConfig::default() };
        let task = scene.reviewed(NewTask { merge_config, ..World::titled(title) }).await;
        let waiting = scene.try_to_land(task).await;
        assert_eq!(standing(&waiting).2, Some(PullRequestWait::Checks));
        assert_eq!(scene.look(task).await.state.as_str(), "done");
        assert_eq!(scene.main().await[0], landed);
    }
    assert_eq!(github.pulls().len(), 3);
}

#[tokio::test]
async fn m_16_failed_checks_and_conflicts_send_it_back_and_the_same_pull_request_goes_on() {
    let scene = scene().await;
    let github = &scene.github;
    github.check(&[("build", Some(false)), ("lint", Some(false)), ("docs", Some(true))]);
    let one = scene.reviewed(World::titled("One")).await;
    let task = scene.try_to_land(one).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    let (kind, message, details) = trouble(&task);
    assert_eq!(kind, AnnotationType::MergeChecksFailed);
    assert!(message.contains("build, lint"), "{message}");
    assert_eq!(details["failed"][1], json!({ "name": "lint", "url": "https://ci/lint" }));
    assert!(task.feedback.as_deref().is_some_and(|text| text.contains("https://ci/build")));

    // Mended; meanwhile somebody else has the same file.
    github.check(&[("build", Some(true))]);
    github.push("main", "One.txt", "theirs\n").await;
    let task = scene.try_to_land(one).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    let (kind, _, details) = trouble(&task);
    assert_eq!((kind, &details["files"]), (AnnotationType::MergeConflict, &json!(["One.txt"])));

    // The same, found by GitHub while it was waited for.
    let two = scene.reviewed(World::titled("Two")).await;
    github.check(&[("build", None)]);
    assert_eq!(standing(&scene.try_to_land(two).await).0, 2);
    github.push("main", "Two.txt", "theirs\n").await;
    let task = scene.look(two).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    assert_eq!(trouble(&task).2["files"], json!(["Two.txt"]));
    assert_eq!(github.pulls().len(), 2, "one for each");
    assert_eq!(github.asked(Route::Merge), 0);
}

#[tokio::test]
async fn m_16_what_people_do_with_a_pull_request_counts() {
    let scene = scene().await;
    let github = &scene.github;
    github.check(&[("build", None)]);
    let one = scene.reviewed(World::titled("One")).await;
    scene.try_to_land(one).await;
    github.merge_by_hand(1).await;
    let task = scene.look(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(scene.main().await[0], "Merged by hand");

    let two = scene.reviewed(World::titled("Two")).await;
    scene.try_to_land(two).await;
    github.close(2);
    let task = scene.look(two).await;
    assert_eq!(task.state.as_str(), "blocked");
    assert_eq!(standing(&task), (2, PullRequestState::Closed, None));
    assert_eq!(trouble(&task).0, AnnotationType::PullRequestClosed);
    let task = scene.try_to_land(two).await;
    assert_eq!(standing(&task).0, 3, "another one, since a person let it land again");

    // Somebody pushes to its branch: that was never reviewed.
    let theirs = github.push(&github.pulls()[2].head, "extra.txt", "extra\n").await;
    github.check(&[("build", Some(true))]);
    let task = scene.look(two).await;
    assert_eq!(task.state.as_str(), "blocked");
    let (kind, message, details) = trouble(&task);
    assert_eq!((kind, &details["head"]), (AnnotationType::Unreviewed, &json!(theirs)), "{message}");
    let task = scene.try_to_land(two).await;
    assert_eq!(trouble(&task).0, AnnotationType::Unreviewed, "and it is not pushed over either");
    let branch = github.pulls()[2].head.clone();
    assert_eq!(github.hub().git(&["rev-parse", &branch]).await, theirs);
    assert_eq!(github.asked(Route::Merge), 0);

    // Parked by hand while it waits: nobody merges it.
    let three = scene.reviewed(World::titled("Three")).await;
    github.check(&[("build", None)]);
    scene.try_to_land(three).await;
    assert_eq!(scene.world.move_to(three, "blocked").await.state.as_str(), "blocked");
    github.check(&[("build", Some(true))]);
    scene.look(three).await;
    assert_eq!(github.asked(Route::Merge), 0);
    assert_eq!(scene.try_to_land(three).await.state.as_str(), "done");
    assert_eq!(github.pulls().len(), 4);
}

#[tokio::test]
async fn m_16_answers_that_are_lost_and_refusals_end_in_one_pull_request_and_one_landing() {
    let scene = scene().await;
    let github = &scene.github;
    github.check(&[("build", Some(true))]);
    for route in [Route::Open, Route::Find, Route::Show, Route::Checks, Route::Merge] {
        github.trouble(route, Trouble::LosesAnswer);
    }
    github.trouble(Route::Show, Trouble::Refuses(502, "Bad Gateway"));
    github.trouble(Route::Checks, Trouble::Refuses(429, "slow down"));
    let one = scene.reviewed(World::titled("One")).await;
    let task = scene.try_to_land(one).await;
    let (kind, _, details) = trouble(&task);
    assert_eq!((kind, &details["kind"]), (AnnotationType::PushFailed, &json!("network")));
    scene.world.settle().await.unwrap();
    let task = scene.world.now(one).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!((github.pulls().len(), github.asked(Route::Open)), (1, 1));
    assert_eq!(github.asked(Route::Merge), 1);
    assert_eq!(scene.main().await, ["One (T-1)", "first"]);

    let two = scene.reviewed(World::titled("Two")).await;
    for (status, kind) in [(401, "auth"), (403, "auth"), (404, "address"), (422, "rejected")] {
        github.trouble(Route::Open, Trouble::Refuses(status, "no"));
        let task = scene.try_to_land(two).await;
        assert_eq!(task.state.as_str(), "blocked");
        let (trouble, message, details) = trouble(&task);
        assert_eq!(trouble, AnnotationType::PullRequestFailed, "{message}");
        assert_eq!(details["kind"], kind, "{message}");
        assert!(details["next_step"].as_str().is_some_and(|next| !next.is_empty()));
    }
    let words = "Squash merges are not allowed on this repository.";
    github.trouble(Route::Merge, Trouble::Refuses(405, words));
    let task = scene.try_to_land(two).await;
    assert!(trouble(&task).1.contains("merge_config.strategy"));
    github.trouble(Route::Merge, Trouble::Refuses(405, "Base branch was modified."));
    scene.try_to_land(two).await;
    scene.world.settle().await.unwrap();
    assert_eq!(scene.main().await, ["Two (T-2)", "One (T-1)", "first"]);
    assert_eq!(github.pulls().len(), 2);
}

#[tokio::test]
async fn m_16_without_github_there_are_no_pull_requests() {
    let world = World::new().await;
    let project = world.board().await;
    let version = world.engine().project(project).await.unwrap().version;
    let settings = Some(by_pull_request());
    let patch = ProjectPatch { version, name: None, settings };
    let refused = world.engine().update_project(World::person(), project, patch).await;
    assert!(matches!(refused, Err(EngineError::PullRequestUnavailable { .. })), "{refused:?}");

    let workflow = World::workflow("default");
    let project = world.project_with("Other", workflow, by_pull_request()).await.unwrap();
    let task = world.claimed(project, World::titled("One"), "coder", "echo 1 > 1.txt").await;
    world.settle().await.unwrap();
    let task = world.landed(task).await;
    let trouble = task.annotation.expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::PullRequestUnavailable);
    assert!(trouble.message.contains("merge.mode"), "{}", trouble.message);
    assert_eq!(world.repository.subjects("main").await, ["first"]);
}
