//! Repositories of a project (SPEC 7.1).

use serde_json::json;

use crate::support::TestServer;

async fn project(server: &TestServer) -> String {
    let (status, project) = server.post("/projects", json!({ "name": "Shop" })).await;
    assert_eq!(status, 201, "{project}");
    format!("/projects/{}/repos", project["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn s_1_the_first_repository_is_the_primary_one() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let (first, second) = (server.repository().await, server.repository_named("other").await);
    let (status, added) = server.post(&repos, json!({ "path": first.path() })).await;
    assert_eq!(status, 201, "{added}");
    assert_eq!((&added["name"], &added["primary"]), (&json!("repo"), &json!(true)));
    assert_eq!(added["default_branch"], "main");
    let body = json!({ "path": second.path(), "name": "tools" });
    let (_, other) = server.post(&repos, body).await;
    assert_eq!((&other["name"], &other["primary"]), (&json!("tools"), &json!(false)));
    let (_, list) = server.get(&repos).await;
    assert_eq!(list["items"], json!([added, other]));
    let (status, refused) = server.post(&repos, json!({ "path": first.path() })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")), "{refused}");
}

#[tokio::test]
async fn s_1_paths_are_absolute_and_plain() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let repository = server.repository().await;
    let inside = repository.path().join("x").join("..").display().to_string();
    for path in ["repo", "./repo", "../repo", "~", "", "/etc/../etc", &inside] {
        let (status, refused) = server.post(&repos, json!({ "path": path })).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_path")), "{path}: {refused}");
    }
    assert_eq!(server.get(&repos).await.1["items"], json!([]));
}

#[tokio::test]
async fn s_1_what_is_no_repository_is_said_to_be_none() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let plain = server.directory().join("plain");
    std::fs::create_dir(&plain).expect("a directory");
    let missing = server.directory().join("missing");
    for path in [&plain, &missing] {
        let (status, refused) = server.post(&repos, json!({ "path": path })).await;
        assert_eq!((status, &refused["code"]), (422, &json!("repo_unusable")), "{refused}");
        assert!(refused["details"]["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
    }
}

#[tokio::test]
async fn s_1_urls_come_later_and_are_not_ignored() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let (status, refused) =
        server.post(&repos, json!({ "url": "https://example.org/shop.git" })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")));
    assert_eq!(refused["details"]["path"], "url");
    for body in [json!({}), json!({ "path": "/a", "url": "b" })] {
        let (status, refused) = server.post(&repos, body).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
    }
    let unknown = format!("/projects/{}/repos", uuid::Uuid::from_u128(1));
    let repository = server.repository().await;
    let (status, refused) = server.post(&unknown, json!({ "path": repository.path() })).await;
    assert_eq!((status, &refused["details"]["kind"]), (404, &json!("project")));
}
