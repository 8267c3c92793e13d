//! Landing by a pull request with a death, and a failure, at every fault point: exactly one pull request and one
//! landing result (M-1, M-16, P-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{ProjectId, WorkspaceType};
use forge_engine::{
    AccessToken, EngineError, FaultAction, GitHubClient, ProjectSpec, RemoteRepoSpec,
};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::github_server::GitHubServer;
use forge_testkit::test_repository::TestRepository;

const SECRET: &str = "ghp_9f8e7d6c5b4a39281706";
/// Each is a separate step; the points between them belong to every command, and other sweeps cover them.
const POINTS: [&str; 9] = [
    "pull.pushed",
    "pull.opened",
    "pull.journalled",
    "pull.merging",
    "pull.merged",
    "pull.fetched",
    "pull.noted",
    "pull.landed",
    "effect.performed",
];

/// The state at the end of a run.
#[derive(Debug, PartialEq, Eq)]
struct End {
    state: String,
    trouble: Option<String>,
    pull_request: Option<String>,
    pulls: usize,
    hub: Vec<String>,
    clone: Vec<String>,
    open_steps: i64,
}

async fn scenario(world: &EngineFixture, github: &GitHubServer) -> Result<ProjectId, EngineError> {
    let db = world.engine().db();
    let project = match tables::projects::by_slug(db, "remote").await? {
        Some(found) => found.id,
        None => {
            let asked = ProjectSpec {
                name: "Remote".to_owned(),
                workspace_type: WorkspaceType::GitWorktree,
                workflow: EngineFixture::workflow("default"),
                settings: EngineFixture::settings(
                    serde_json::json!({ "merge": { "mode": "pull_request" } }),
                ),
            };
            world.engine().projects().create_project(EngineFixture::acting_user(), asked).await?.id
        }
    };
    if tables::repos::primary_of(db, project).await?.is_none() {
        let token = Some(AccessToken::new(SECRET, None).unwrap());
        let asked = RemoteRepoSpec { url: github.git().url(), name: None, token };
        world.engine().repos().add_remote(EngineFixture::acting_user(), project, asked).await?;
    }
    let agent = world.agent("coder", "echo new > added.txt").await?;
    let task = world.task(project, EngineFixture::task_request("Walk")).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    world.move_between(task, "review", "merging").await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep) -> (End, Vec<&'static str>) {
    let github = GitHubServer::start(SECRET).await;
    github.set_checks(&[("build", Some(true))]);
    let mut limits = EngineFixture::limits();
    limits.remotes.github_url = github.git().origin();
    limits.remotes.github = GitHubClient::new(github.api(), None);
    let mut world = EngineFixture::with_limits(faults, None, limits).await;
    let sweep = world.faults.clone();
    let project = world.run_to_completion(async |world| scenario(world, &github).await).await;
    let db = world.engine().db();
    let task = world.find(project, "Walk").await.unwrap().unwrap();
    let repo = tables::repos::primary_of(db, project).await.unwrap().unwrap();
    let clone = TestRepository::open(std::path::Path::new(repo.path.as_ref().unwrap()));
    let end = End {
        state: task.state.to_string(),
        trouble: task.annotation.map(|trouble| format!("{:?}", trouble.kind)),
        pull_request: task.pull_request.map(|pull| format!("{} {:?}", pull.number, pull.state)),
        pulls: github.pulls().len(),
        hub: github.hub().subjects("main").await,
        clone: clone.subjects("main").await,
        open_steps: tables::effects::count_open(db).await.unwrap(),
    };
    (end, sweep.passed())
}

async fn sweep(fault: FaultAction, strikes: &[&str]) {
    let (expected, points) = run(FaultSweep::counting()).await;
    let landed = ["Walk (T-1)", "first"].map(str::to_owned);
    assert_eq!((expected.state.as_str(), &expected.trouble), ("done", &None), "{expected:?}");
    assert_eq!((&expected.hub[..], &expected.clone[..]), (&landed[..], &landed[..]));
    assert_eq!((expected.pulls, expected.pull_request.as_deref()), (1, Some("1 Merged")));
    let begin = points.iter().position(|point| *point == "pull.pushed").expect("it is pushed");
    let length = points.iter().skip(begin).position(|point| *point == "effect.performed");
    let length = length.expect("it comes to its end") + 1;
    let way: Vec<_> = points.iter().enumerate().skip(begin).take(length).collect();
    for point in POINTS {
        assert!(way.iter().any(|(_, found)| **found == point), "{point}: {way:?}");
    }
    for (nth, point) in way.into_iter().filter(|(_, point)| strikes.contains(*point)) {
        let (found, _) = run(FaultSweep::injecting_at_index(nth, fault)).await;
        assert_eq!(found, expected, "{fault:?} at point {nth} ({point})");
    }
}

#[tokio::test]
async fn m_16_dying_at_every_point_is_one_pull_request_and_one_landing() {
    sweep(FaultAction::Die, &POINTS).await;
}

#[tokio::test]
async fn m_16_failing_after_a_request_to_github_is_one_pull_request_and_one_landing() {
    sweep(FaultAction::Fail, &["pull.opened", "pull.merging", "pull.merged"]).await;
}
