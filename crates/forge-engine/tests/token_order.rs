//! Order of the tokens for a repository on GitHub: the project's installation, the repository's installation, the
//! repository's own token, the environment's token (M-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use axum::extract::Path;
use axum::routing::post;
use axum::{Json, Router};
use forge_domain::{ProjectId, WorkspaceType};
use forge_engine::{AccessToken, AppKey, GitHubClient, ProjectSpec, RemoteChange, RemoteRepoSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::git_server::GitServer;
use forge_testkit::test_repository::TestRepository;
use serde_json::{Value, json};

const KEY: &str = include_str!("../../forge-github/tests/app_key.pem");

/// Installation 1 opens the server; the tokens of others open nothing.
async fn give(Path(installation): Path<u64>) -> Json<Value> {
    Json(
        json!({ "token": format!("ghs_installed_{installation}"), "expires_at": "2100-01-01T00:00:00Z" }),
    )
}

async fn stand_in() -> String {
    let routes = Router::new().route("/app/installations/{id}/access_tokens", post(give));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}")
}

struct Scene {
    world: EngineFixture,
    server: GitServer,
    _elsewhere: tempfile::TempDir,
}

/// A fake GitHub that requires one token, and an environment with the other.
async fn scene(wanted: &str, environment: &str) -> Scene {
    let elsewhere = tempfile::tempdir().unwrap();
    let seed = TestRepository::create(&elsewhere.path().join("seed")).await;
    let server = GitServer::start(&elsewhere.path().join("server"), &seed, wanted).await;
    let mut limits = EngineFixture::limits();
    limits.remotes.github_url = server.origin();
    limits.remotes.github =
        GitHubClient::new(stand_in().await, Some(AppKey::new("1", KEY).unwrap()));
    limits.remotes.github_token = Some(AccessToken::new(environment, None).unwrap());
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    Scene { world, server, _elsewhere: elsewhere }
}

impl Scene {
    async fn project(&self, name: &str, settings: Value) -> ProjectId {
        let asked = ProjectSpec {
            name: name.to_owned(),
            workspace_type: WorkspaceType::GitWorktree,
            workflow: EngineFixture::workflow("autopilot"),
            settings: EngineFixture::settings(settings),
        };
        self.world
            .engine()
            .projects()
            .create_project(EngineFixture::acting_user(), asked)
            .await
            .unwrap()
            .id
    }

    /// Whether a clone and a landing work.
    async fn works(&self, project: ProjectId, token: Option<&str>, repo: Option<u64>) -> bool {
        let token = token.map(|token| AccessToken::new(token, None).unwrap());
        let asked = RemoteRepoSpec { url: self.server.url(), name: None, token };
        let engine = self.world.engine();
        let Ok(row) = engine.repos().add_remote(EngineFixture::acting_user(), project, asked).await
        else {
            return false;
        };
        if repo.is_some() {
            let patch = RemoteChange { push: None, installation_id: Some(repo) };
            engine
                .repos()
                .change_repo_remote(EngineFixture::acting_user(), project, row.id, patch)
                .await
                .unwrap();
        }
        let title = format!("Task of {project}");
        let script = format!("echo {project} > {project}.txt");
        let task = self
            .world
            .claimed_task(project, EngineFixture::task_request(&title), &title, &script)
            .await;
        engine.drain().await.unwrap();
        self.world.load_task(task).await.state.as_str() == "done"
    }
}

#[tokio::test]
async fn m_15_an_installation_comes_before_tokens_and_the_projects_before_the_repositorys() {
    let scene = scene("ghs_installed_1", "wrong_environment").await;
    let one = scene.project("One", json!({ "github_installation_id": 1 })).await;
    assert!(scene.works(one, Some("wrong_own"), Some(2)).await, "the project's is first");
    let two = scene.project("Two", json!({ "github_installation_id": 2 })).await;
    assert!(!scene.works(two, Some("ghs_installed_1"), Some(1)).await, "and stays it");
    let three = scene.project("Three", json!({})).await;
    assert!(scene.works(three, Some("ghs_installed_1"), Some(1)).await, "then the repository's");
    assert_eq!(scene.server.pushes(), 2);
}

#[tokio::test]
async fn m_15_without_an_installation_the_repositorys_token_comes_before_the_environments() {
    let scene = scene("the_right_one", "the_right_one").await;
    let one = scene.project("One", json!({})).await;
    assert!(scene.works(one, None, None).await, "the environment's");
    let two = scene.project("Two", json!({})).await;
    assert!(!scene.works(two, Some("wrong_own"), None).await, "the repository's own is first");
}

#[tokio::test]
async fn m_15_githubs_token_is_sent_to_no_other_host() {
    let scene = scene("the_right_one", "the_right_one").await;
    let elsewhere = tempfile::tempdir().unwrap();
    let seed = TestRepository::create(&elsewhere.path().join("seed")).await;
    let other = GitServer::start(&elsewhere.path().join("server"), &seed, "the_right_one").await;
    let project = scene.project("One", json!({ "github_installation_id": 1 })).await;
    let asked = RemoteRepoSpec { url: other.url(), name: None, token: None };
    let asked =
        scene.world.engine().repos().add_remote(EngineFixture::acting_user(), project, asked);
    asked.await.expect_err("it would have opened it");
}
