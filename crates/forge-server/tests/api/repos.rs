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
async fn s_1_a_path_without_a_repository_is_refused() {
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
async fn a_repository_is_added_by_its_address_and_cloned_into_the_data_directory() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let repository = server.repository().await;
    let url = format!("file://{}", repository.path().display());
    let (status, added) = server.post(&repos, json!({ "url": url })).await;
    assert_eq!(status, 201, "{added}");
    assert_eq!((&added["url"], &added["default_branch"]), (&json!(url), &json!("main")));
    assert_eq!(added["primary"], true);
    let path = std::path::PathBuf::from(added["path"].as_str().expect("a path"));
    assert!(
        path.join("HEAD").is_file()
            && path.ends_with(format!("{}.git", added["id"].as_str().expect("an id")))
    );
    let (status, refused) = server.post(&repos, json!({ "url": url })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")), "{refused}");
    let clones = std::fs::read_dir(path.parent().expect("a parent")).expect("read").count();
    assert_eq!(clones, 1, "nothing is left of what was refused");
}

#[tokio::test]
async fn s_1_m_15_addresses_are_plain_and_contain_no_secret() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    for url in [
        "https://me:hunter2@example.org/shop.git",
        "https://hunter2@example.org/shop.git",
        "ext::sh -c hunter2",
        "--upload-pack=hunter2",
        "git://example.org/shop.git",
    ] {
        let (status, refused) = server.post(&repos, json!({ "url": url })).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
        assert_eq!(refused["details"]["path"], "url");
        assert!(!refused.to_string().contains("hunter2"), "it is not repeated: {refused}");
    }
    let gone = format!("file://{}", server.directory().join("gone").display());
    let (status, refused) = server.post(&repos, json!({ "url": gone })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("repo_unusable")), "{refused}");
    assert_eq!(server.get(&repos).await.1["items"], json!([]));
    for body in [json!({}), json!({ "path": "/a", "url": "b" })] {
        let (status, refused) = server.post(&repos, body).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
    }
    let unknown = format!("/projects/{}/repos", uuid::Uuid::from_u128(1));
    let repository = server.repository().await;
    let (status, refused) = server.post(&unknown, json!({ "path": repository.path() })).await;
    assert_eq!((status, &refused["details"]["kind"]), (404, &json!("project")));
}

#[tokio::test]
async fn m_15_a_token_is_accepted_and_never_returned() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let repository = server.repository().await;
    let url = format!("file://{}", repository.path().display());
    let (_, added) = server.post(&repos, json!({ "url": url, "token": "hunter2hunter2" })).await;
    assert!(!added.to_string().contains("hunter2"), "{added}");
    let repo = format!("{repos}/{}", added["id"].as_str().expect("an id"));
    let (status, remote) = server.get(&format!("{repo}/remote")).await;
    assert_eq!(status, 200, "{remote}");
    let expected = json!({ "url": url, "push": true, "installation_id": null, "has_token": true });
    assert_eq!(remote, expected);
    let patch = json!({ "push": false, "installation_id": 7 });
    let (status, remote) = server.patch(&format!("{repo}/remote"), patch).await;
    assert_eq!(
        (status, &remote["push"], &remote["installation_id"]),
        (200, &json!(false), &json!(7))
    );
    let (status, _) = server.delete(&format!("{repo}/credential")).await;
    assert_eq!(status, 204);
    assert_eq!(server.get(&format!("{repo}/remote")).await.1["has_token"], false);
    let body = json!({ "token": "hunter2 hunter2" });
    let (status, refused) = server.put(&format!("{repo}/credential"), body).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
    assert!(!refused.to_string().contains("hunter2"), "{refused}");
    let body = json!({ "token": "hunter2hunter2", "user_name": "me" });
    assert_eq!(server.put(&format!("{repo}/credential"), body).await.0, 204);
    assert_eq!(server.get(&format!("{repo}/remote")).await.1["has_token"], true);

    // A repository on the server's disk pushes to its remote `origin`, if it has one.
    let other = server.repository_named("other").await;
    let other = other.path();
    let (_, added) = server.post(&repos, json!({ "path": other })).await;
    let repo = format!("{repos}/{}", added["id"].as_str().expect("an id"));
    assert_eq!(server.get(&format!("{repo}/remote")).await.1["push"], false);
    let (status, refused) = server.patch(&format!("{repo}/remote"), json!({ "push": true })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("repo_unusable")), "{refused}");
    let body = json!({ "path": other, "name": "third", "token": "hunter2hunter2" });
    let (status, refused) = server.post(&repos, body).await;
    assert_eq!((status, &refused["details"]["path"]), (422, &json!("token")), "{refused}");
}

#[tokio::test]
async fn s_1_a_repository_is_removed_unless_a_task_needs_it() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let repository = server.repository().await;
    let (_, added) = server.post(&repos, json!({ "path": repository.path() })).await;
    let repo = format!("{repos}/{}", added["id"].as_str().expect("an id"));
    let tasks = repos.replace("/repos", "/tasks");
    let (_, task) = server.post(&tasks, json!({ "title": "Uses it" })).await;
    let (status, refused) = server.delete(&repo).await;
    assert_eq!((status, &refused["code"]), (409, &json!("repo_in_use")), "{refused}");
    assert_eq!(refused["details"], json!({ "name": "repo", "tasks": ["T-1"], "more": false }));
    let cancel = format!("/tasks/{}/cancel", task["id"].as_str().expect("an id"));
    assert_eq!(server.post(&cancel, json!({})).await.0, 200);
    assert_eq!(server.delete(&repo).await.0, 204);
    assert_eq!(server.get(&repos).await.1["items"], json!([]));
    assert_eq!(server.delete(&repo).await.0, 404);
    assert!(repository.path().join("README.md").is_file(), "a person's own stays");
}

#[tokio::test]
async fn issue_13_21_an_unclear_default_branch_is_refused_with_candidates() {
    let server = TestServer::start().await;
    let repos = project(&server).await;
    let repository = server.repository().await;
    repository.git(&["branch", "-m", "main", "trunk"]).await;
    repository.git(&["checkout", "-q", "-b", "topic"]).await;
    let asked = json!({ "path": repository.path() });
    let (status, refused) = server.post(&repos, asked.clone()).await;
    assert_eq!((status, &refused["code"]), (422, &json!("default_branch_unclear")), "{refused}");
    assert_eq!(refused["details"]["candidates"], json!(["topic", "trunk"]));
    let (status, refused) =
        server.post("/projects", json!({ "name": "Other", "repo_path": repository.path() })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("default_branch_unclear")), "{refused}");

    let named = |branch: &str| json!({ "path": repository.path(), "default_branch": branch });
    let (status, refused) = server.post(&repos, named("absent")).await;
    assert_eq!((status, &refused["details"]["path"]), (422, &json!("default_branch")), "{refused}");
    let (status, added) = server.post(&repos, named("trunk")).await;
    assert_eq!((status, &added["default_branch"]), (201, &json!("trunk")), "{added}");

    let second = server.repository_named("second").await;
    second.git(&["checkout", "-q", "-b", "topic"]).await;
    let (_, added) = server.post(&repos, json!({ "path": second.path() })).await;
    assert_eq!(added["default_branch"], "main", "not what is checked out: {added}");
}
