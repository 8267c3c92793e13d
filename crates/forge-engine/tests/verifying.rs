//! Landed commits are watched on the remote: a failure there is reported, and creates one fix task.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use forge_domain::task::{AnnotationType, TaskSnapshot, VerificationResult};
use forge_domain::{ProjectId, TaskId, WorkspaceType};
use forge_engine::{
    AccessToken, EngineError, FaultAction, GitHubClient, ProjectSpec, RemoteRepoSpec,
};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::git_server::GitServer;
use forge_testkit::test_repository::TestRepository;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The fake's answers for each commit in turn, and the commits that it was asked about.
#[derive(Debug, Default)]
struct Said {
    conclusions: Mutex<Vec<Option<&'static str>>>,
    asked: Mutex<Vec<String>>,
}

async fn runs(
    State(said): State<Arc<Said>>,
    Path((_, _, commit)): Path<(String, String, String)>,
) -> Json<Value> {
    said.asked.lock().unwrap().push(commit);
    let mut left = said.conclusions.lock().unwrap();
    let conclusion = if left.len() > 1 { left.remove(0) } else { left[0] };
    let status = if conclusion.is_some() { "completed" } else { "in_progress" };
    let run = json!({
        "name": "build", "status": status, "conclusion": conclusion,
        "html_url": "https://ci.example/build/1", "details_url": null,
    });
    Json(json!({ "total_count": 1, "check_runs": [run] }))
}

async fn statuses() -> Json<Value> {
    Json(json!({ "total_count": 0, "statuses": [] }))
}

async fn stand_in(said: Arc<Said>) -> String {
    let routes = Router::new()
        .route("/repos/{owner}/{name}/commits/{commit}/status", get(statuses))
        .route("/repos/{owner}/{name}/commits/{commit}/check-runs", get(runs))
        .with_state(said);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}")
}

struct Scene {
    world: EngineFixture,
    server: GitServer,
    said: Arc<Said>,
    _elsewhere: tempfile::TempDir,
}

async fn scene(conclusions: &[Option<&'static str>], faults: FaultSweep) -> Scene {
    let elsewhere = tempfile::tempdir().unwrap();
    let seed = TestRepository::create(&elsewhere.path().join("seed")).await;
    let root = elsewhere.path().join("server");
    let server = GitServer::start_as(&root, &seed, "secret_1", "team/shop.git").await;
    let said = Arc::new(Said { conclusions: Mutex::new(conclusions.to_vec()), ..Said::default() });
    let mut limits = EngineFixture::limits();
    limits.remotes.github_url = server.origin();
    limits.remotes.github = GitHubClient::new(stand_in(said.clone()).await, None);
    limits.remotes.github_token = Some(AccessToken::new("secret_1", None).unwrap());
    let world = EngineFixture::with_limits(faults, None, limits).await;
    Scene { world, server, said, _elsewhere: elsewhere }
}

/// A task that lands on a clone and is pushed.
async fn landed(scene: &Scene, verify: &str) -> Result<(ProjectId, TaskId), EngineError> {
    let (world, engine) = (&scene.world, scene.world.engine());
    let project = match tables::projects::by_slug(engine.db(), "shop").await? {
        Some(found) => found.id,
        None => {
            let asked = ProjectSpec {
                name: "Shop".to_owned(),
                workspace_type: WorkspaceType::GitWorktree,
                workflow: EngineFixture::workflow("autopilot"),
                settings: EngineFixture::settings(json!({ "merge": { "verify": verify } })),
            };
            engine.projects().create_project(EngineFixture::acting_user(), asked).await?.id
        }
    };
    if tables::repos::primary_of(engine.db(), project).await?.is_none() {
        let asked = RemoteRepoSpec { url: scene.server.url(), name: None, token: None };
        engine.repos().add_remote(EngineFixture::acting_user(), project, asked).await?;
    }
    let agent = world.agent("coder", "echo new > new.txt").await?;
    let task = world.task(project, EngineFixture::task_request("Work")).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    Ok((project, task))
}

async fn end(scene: &Scene, project: ProjectId, task: TaskId) -> (TaskSnapshot, Vec<TaskSnapshot>) {
    let db = scene.world.engine().db();
    let page = tables::PageRequest::first(10);
    let filter = tables::tasks::TaskFilter::new(project);
    let (all, _) = tables::tasks::list(db, &filter, &page).await.unwrap();
    let others = all.into_iter().filter(|other| other.id != task).collect();
    (scene.world.load_task(task).await, others)
}

#[tokio::test]
async fn m_16_checks_that_fail_after_a_landing_create_a_fix_task() {
    let scene = scene(&[None, None, Some("failure")], FaultSweep::counting()).await;
    let (project, task) = landed(&scene, "remote_checks").await.unwrap();
    let (task, others) = end(&scene, project, task).await;
    let commit = task.post_landing.landed.as_ref().unwrap().commit.clone().unwrap();
    assert_eq!(scene.server.hub().git(&["rev-parse", "main"]).await, commit);
    assert_eq!(*scene.said.asked.lock().unwrap(), [&*commit; 3], "exactly what landed, thrice");
    let trouble = task.annotation.as_ref().expect("it is told");
    assert_eq!(trouble.kind, AnnotationType::Regressed);
    assert_eq!(trouble.details["checks"][0]["url"], "https://ci.example/build/1");
    assert_eq!(task.post_landing.verified, Some(VerificationResult::Failed));
    let [fix] = &others[..] else { panic!("one task mends it: {others:?}") };
    assert_eq!(task.post_landing.regression.unwrap().fix, fix.id);
    assert!(fix.claimable);
    for part in ["build", "https://ci.example/build/1", "new.txt"] {
        assert!(fix.description.contains(part), "{part}: {}", fix.description);
    }
}

#[tokio::test]
async fn m_16_checks_that_pass_never_end_or_are_not_wanted_make_no_task() {
    let passes = scene(&[None, Some("success")], FaultSweep::counting()).await;
    let (project, task) = landed(&passes, "remote_checks").await.unwrap();
    let (task, others) = end(&passes, project, task).await;
    assert_eq!((task.post_landing.verified, others.len()), (Some(VerificationResult::Passed), 0));

    let hangs = scene(&[None], FaultSweep::counting()).await;
    let (project, task) = landed(&hangs, "remote_checks").await.unwrap();
    let (task, others) = end(&hangs, project, task).await;
    assert!(matches!(task.post_landing.verified, Some(VerificationResult::Unknown { .. })));
    assert!(others.is_empty() && task.annotation.is_none());
    let asked = hangs.said.asked.lock().unwrap().len();
    assert!((50..400).contains(&asked), "for a day, and not all the time: {asked}");

    let off = scene(&[Some("failure")], FaultSweep::counting()).await;
    let (project, task) = landed(&off, "off").await.unwrap();
    let (task, others) = end(&off, project, task).await;
    assert_eq!((task.post_landing.verified, others.len()), (None, 0));
    assert!(off.said.asked.lock().unwrap().is_empty());
}

async fn run(faults: FaultSweep) -> (usize, bool, Vec<&'static str>) {
    let mut scene = scene(&[Some("failure")], faults).await;
    let (sweep, died) = (scene.world.faults.clone(), scene.world.faults.died());
    for _ in 0..3 {
        let ended = tokio::select! {
            biased;
            () = died.cancelled(), if !died.is_cancelled() => None,
            ended = landed(&scene, "remote_checks") => Some(ended),
        };
        match ended {
            Some(Ok((project, task))) => {
                let (task, others) = end(&scene, project, task).await;
                return (others.len(), task.annotation.is_some(), sweep.passed());
            }
            Some(Err(EngineError::Planned(_))) => {}
            Some(Err(error)) => panic!("the scenario failed by itself: {error}"),
            None => scene.world.restart().await,
        }
    }
    panic!("the scenario never gets through")
}

/// With a death or failure at every point exactly one fix task results.
#[tokio::test]
async fn m_1_p_4_a_failure_after_a_landing_creates_exactly_one_fix_task() {
    let (fixes, said, points) = run(FaultSweep::counting()).await;
    assert_eq!((fixes, said), (1, true));
    let begin = points.iter().position(|point| *point == "verify.asking").expect("it looks");
    let told = points.iter().position(|point| *point == "verify.told").expect("it tells");
    for fault in [FaultAction::Die, FaultAction::Fail] {
        for (nth, point) in points.iter().enumerate().take(told + 1).skip(begin) {
            let (fixes, told, _) = run(FaultSweep::injecting_at_index(nth, fault)).await;
            assert_eq!((fixes, told), (1, true), "{fault:?} at point {nth} ({point})");
        }
    }
}
