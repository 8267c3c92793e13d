//! Landing in a remote with a failure, and a death, at every fault point, while others use the remote too: exactly one
//! landing results (M-1, M-7, P-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::project::ProjectSettings;
use forge_domain::{ProjectId, WorkspaceType};
use forge_engine::{EngineError, FaultAction, ProjectSpec, RemoteRepoSpec};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};
use forge_testkit::kill_sweep::{CompletedScenario, kill_at_every_point};
use forge_testkit::test_repository::TestRepository;

/// The state at the end of a run.
#[derive(Debug, PartialEq, Eq)]
struct End {
    state: String,
    trouble: Option<String>,
    hub: Vec<String>,
    clone: Vec<String>,
    open_steps: i64,
}

fn hub(world: &EngineFixture) -> TestRepository {
    TestRepository::open(&world.home().join("hub.git"))
}

/// A project whose repository is a clone, a reviewed task, another client's commit, and then the landing.
async fn scenario(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    let hub = hub(world);
    if !hub.path().exists() {
        let path = hub.path().to_str().unwrap();
        world.repository.git(&["clone", "--quiet", "--bare", ".", path]).await;
    }
    let db = world.engine().db();
    let project = match tables::projects::by_slug(db, "remote").await? {
        Some(found) => found.id,
        None => {
            let asked = ProjectSpec {
                name: "Remote".to_owned(),
                workspace_type: WorkspaceType::GitWorktree,
                workflow: EngineFixture::workflow("default"),
                settings: ProjectSettings::default(),
            };
            world.engine().projects().create_project(EngineFixture::acting_user(), asked).await?.id
        }
    };
    if tables::repos::primary_of(db, project).await?.is_none() {
        let url = format!("file://{}", hub.path().display());
        let asked = RemoteRepoSpec { url, name: None, token: None };
        world.engine().repos().add_remote(EngineFixture::acting_user(), project, asked).await?;
    }
    let agent = world.agent("coder", "echo new > added.txt").await?;
    let task = world.task(project, EngineFixture::task_request("Walk")).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    if hub.subjects("main").await == ["first"] {
        let tree = hub.git(&["rev-parse", "main^{tree}"]).await;
        let other = hub.git(&["commit-tree", "-p", "main", "-m", "other", &tree]).await;
        hub.git(&["update-ref", "refs/heads/main", &other]).await;
    }
    world.move_between(task, "review", "merging").await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep) -> (End, Vec<&'static str>) {
    through(EngineFixture::with(faults, None).await).await
}

async fn through(mut world: EngineFixture) -> (End, Vec<&'static str>) {
    let sweep = world.faults.clone();
    let project = world.run_to_completion(scenario).await;
    let db = world.engine().db();
    let task = world.find(project, "Walk").await.unwrap().unwrap();
    let repo = tables::repos::primary_of(db, project).await.unwrap().unwrap();
    let clone = TestRepository::open(std::path::Path::new(repo.path.as_ref().unwrap()));
    let end = End {
        state: task.state.to_string(),
        trouble: task.annotation.map(|trouble| format!("{:?}", trouble.kind)),
        hub: hub(&world).subjects("main").await,
        clone: clone.subjects("main").await,
        open_steps: tables::effects::count_open(db).await.unwrap(),
    };
    (end, sweep.passed())
}

/// The index of a point shortly before the landing is journalled.
fn begins(points: &[&str]) -> usize {
    let journalled = points.iter().position(|point| *point == "land.journalled");
    journalled.unwrap_or_default().saturating_sub(2)
}

async fn sweep(fault: FaultAction) {
    let (expected, points) = run(FaultSweep::counting()).await;
    let landed = ["Walk (T-1)", "other", "first"].map(str::to_owned);
    assert_eq!((expected.state.as_str(), &expected.trouble), ("done", &None), "{expected:?}");
    assert_eq!((&expected.hub[..], &expected.clone[..]), (&landed[..], &landed[..]));
    for point in ["publish.asked", "publish.fetched", "publish.pushed", "publish.noted"] {
        assert!(points.contains(&point), "{point}: {points:?}");
    }
    let again = async |faults| run(faults).await.0;
    sweep_faults(fault, &points, begins(&points)..points.len(), &expected, again).await;
}

#[tokio::test]
async fn m_7_dying_at_every_point_of_a_landing_elsewhere_is_one_landing() {
    sweep(FaultAction::Die).await;
}

#[tokio::test]
async fn m_7_failing_at_every_point_of_a_landing_elsewhere_is_one_landing() {
    sweep(FaultAction::Fail).await;
}

#[tokio::test]
async fn p_4_m_7_a_landing_elsewhere_killed_anywhere_is_one_landing() {
    const TEST: &str = "p_4_m_7_a_landing_elsewhere_killed_anywhere_is_one_landing";
    kill_at_every_point(TEST, EngineFixture::limits(), async |world| {
        let (end_state, points) = through(world).await;
        CompletedScenario { end_state, first_point: begins(&points), points }
    })
    .await;
}
