//! The directories and addresses that a project may use (S-6).

use std::os::unix::fs::symlink;
use std::path::Path;

use forge_testkit::test_repository::TestRepository;
use serde_json::{Value, json};

use crate::support::{TestServer, TestUser};

async fn project(server: &TestServer, name: &str) -> String {
    let (status, project) = server.post("/projects", json!({ "name": name })).await;
    assert_eq!(status, 201, "{project}");
    format!("/projects/{}/repos", project["id"].as_str().expect("an id"))
}

fn own(repos: &str) -> &str {
    repos.trim_start_matches("/projects/").trim_end_matches("/repos")
}

fn file_url(path: &Path) -> Value {
    json!({ "url": format!("file://{}", path.display()) })
}

async fn refused(server: &TestServer, path: &str, asked: Value) {
    let (status, answer) = server.post(path, asked.clone()).await;
    assert_eq!((status, &answer["code"]), (422, &json!("path_not_allowed")), "{asked}: {answer}");
}

#[tokio::test]
async fn issue_13_06_another_projects_repository_is_always_refused() {
    let server = TestServer::start().await;
    let (one, two) = (project(&server, "One").await, project(&server, "Two").await);
    let theirs = server.repository().await;
    assert_eq!(server.post(&one, json!({ "path": theirs.path() })).await.0, 201);
    let elsewhere = server.repository_named("elsewhere").await;
    let (_, clone) = server.post(&one, file_url(elsewhere.path())).await;
    let clone = clone["path"].as_str().expect("a path").to_owned();

    let base = server.directory();
    let link = base.join("link");
    symlink(theirs.path(), &link).expect("a symlink");
    let linked = base.join("linked");
    theirs.git(&["worktree", "add", "-q", "-b", "side", linked.to_str().expect("UTF-8")]).await;
    let borrower = server.repository_named("borrower").await;
    let alternates = borrower.path().join(".git/objects/info/alternates");
    let objects = theirs.path().join(".git/objects");
    std::fs::write(alternates, format!("{}\n", objects.display())).expect("alternates");

    for path in [theirs.path(), &link, &linked, borrower.path(), Path::new(&clone)] {
        refused(&server, &two, json!({ "path": path })).await;
        refused(&server, &two, file_url(path)).await;
        refused(&server, "/projects", json!({ "name": "Three", "repo_path": path })).await;
    }
    let plain_url = format!("file://{}", theirs.path().display()).replace("repo", "rep%6f");
    refused(&server, &two, json!({ "url": plain_url })).await;
    // git would find it without its suffix too.
    let bare = base.join("bare.git");
    std::fs::rename(elsewhere.path(), &bare).expect("renamed");
    let third = project(&server, "Third").await;
    assert_eq!(server.post(&third, json!({ "path": bare })).await.0, 201);
    refused(&server, &two, file_url(&base.join("bare"))).await;
    assert_eq!(server.get(&two).await.1["items"], json!([]));
    let kept = server.get("/projects").await.1["items"].as_array().expect("items").len();
    assert_eq!(kept, 3, "nothing is left of what was refused");
}

#[tokio::test]
async fn issue_13_06_the_servers_own_directories_are_always_refused() {
    let server = TestServer::start().await;
    let repos = project(&server, "One").await;
    let data = server.directory().join("data");
    let inside = TestRepository::create(&data.join("inside")).await;
    let workspace = TestRepository::create(&data.join("workspaces/x")).await;
    symlink(&data, server.directory().join("way")).expect("a symlink");
    let by_way = server.directory().join("way/inside");
    for path in [inside.path(), workspace.path(), &by_way] {
        refused(&server, &repos, json!({ "path": path })).await;
        refused(&server, &repos, file_url(path)).await;
    }
    let plain = |directory: &Path| {
        json!({ "name": "Plain", "workspace_type": "persistent_directory",
                "settings": { "directory": directory } })
    };
    let theirs = server.repository().await;
    assert_eq!(server.post(&repos, json!({ "path": theirs.path() })).await.0, 201);
    std::fs::create_dir(theirs.path().join("sub")).expect("a directory");
    for directory in [
        data.clone(),
        data.join("logs"),
        data.join("workspaces").join("y"),
        server.directory().join("way").join("new"),
        server.directory().parent().expect("a parent").to_owned(),
        theirs.path().to_owned(),
        theirs.path().join("sub"),
        theirs.path().join(".git").join("hooks"),
    ] {
        refused(&server, "/projects", plain(&directory)).await;
    }
    let good = server.directory().join("plain");
    let (status, made) = server.post("/projects", plain(&good)).await;
    assert_eq!(status, 201, "{made}");
    let path = format!("/projects/{}", made["id"].as_str().expect("an id"));
    let patch = json!({ "version": 1, "settings": { "directory": data.join("logs") } });
    let (status, answer) = server.patch(&path, patch).await;
    assert_eq!((status, &answer["code"]), (422, &json!("path_not_allowed")), "{answer}");
    let mut again = plain(&good);
    again["name"] = json!("Other");
    refused(&server, "/projects", again).await;
}

#[tokio::test]
async fn issue_13_06_members_use_only_directories_below_listed_ones() {
    let directory = tempfile::tempdir().expect("a directory");
    let open = directory.path().join("open");
    std::fs::create_dir(&open).expect("a directory");
    let listed = open.display().to_string();
    let server = TestServer::start_in(directory, &[("FORGE_MEMBER_DIRECTORIES", &listed)]).await;
    let bo = TestUser::new(&server, "Bo").await;
    let repos = project(&server, "Own").await;
    bo.join(own(&repos)).await;
    let outside = server.repository_named("outside").await;
    let inside = server.repository_named("open/inside").await;
    symlink(outside.path(), open.join("link")).expect("a symlink");
    let missing = server.directory().join("missing");

    let forbidden = async |asked: Value| {
        let refused = bo.post(&repos, asked).await;
        let details = refused.failed_with(403, "forbidden");
        assert_eq!(details["permission"], "name_directories");
        refused.json()["message"].clone()
    };
    let told = forbidden(json!({ "path": outside.path() })).await;
    assert_eq!(
        forbidden(json!({ "path": missing })).await,
        told,
        "whether it is there is not said"
    );
    for path in [outside.path(), &open.join("link")] {
        forbidden(json!({ "path": path })).await;
        forbidden(file_url(path)).await;
        let asked = json!({ "name": "New", "repo_path": path });
        bo.post("/projects", asked).await.failed_with(403, "forbidden");
    }
    let plain = |directory: &Path| {
        json!({ "name": "Plain", "workspace_type": "persistent_directory",
                "settings": { "directory": directory } })
    };
    bo.post("/projects", plain(&server.directory().join("p"))).await.failed_with(403, "forbidden");
    assert_eq!(bo.post("/projects", plain(&open.join("p"))).await.status, 201);
    let added = bo.post(&repos, json!({ "path": inside.path() })).await;
    assert_eq!(added.status, 201, "{}", added.text);
}

#[tokio::test]
async fn issue_13_06_without_a_list_members_use_no_directories() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let repos = project(&server, "Own").await;
    bo.join(own(&repos)).await;
    let repository = server.repository().await;
    for asked in [json!({ "path": repository.path() }), file_url(repository.path())] {
        bo.post(&repos, asked.clone()).await.failed_with(403, "forbidden");
        assert_eq!(server.post(&repos, asked).await.0, 201, "an admin may");
        let added = server.get(&repos).await.1["items"][0]["id"].clone();
        let added = added.as_str().expect("an id");
        assert_eq!(server.delete(&format!("{repos}/{added}")).await.0, 204);
    }
}

#[tokio::test]
async fn issue_13_06_private_addresses_are_refused_unless_allowed() {
    let server = TestServer::start().await;
    let repos = project(&server, "One").await;
    for url in [
        "http://127.0.0.1:9/a.git",
        "http://127.1:9/a.git",
        "http://2130706433:9/a.git",
        "https://localhost:9/a.git",
        "http://169.254.169.254/latest/a.git",
        "ssh://git@10.0.0.1/a.git",
        "git@192.168.1.1:a.git",
        "http://0.0.0.0:9/a.git",
    ] {
        let (status, refused) = server.post(&repos, json!({ "url": url })).await;
        let found = (status, &refused["code"]);
        assert_eq!(found, (422, &json!("address_not_allowed")), "{url}: {refused}");
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains("--private-hosts"), "{message}");
    }
    let allowing = TestServer::start_with(&[("FORGE_PRIVATE_HOSTS", "localhost,10.0.0.0/8")]).await;
    let repos = project(&allowing, "One").await;
    let (_, refused) = allowing.post(&repos, json!({ "url": "http://localhost:9/a.git" })).await;
    assert_eq!(refused["code"], "repo_unusable", "nothing answers there: {refused}");
    let (_, refused) = allowing.post(&repos, json!({ "url": "http://127.0.0.1:9/a.git" })).await;
    assert_eq!(refused["code"], "address_not_allowed", "it was allowed by name only");
}

#[tokio::test]
async fn issue_13_06_members_do_not_use_the_servers_own_credentials() {
    let variables = [
        ("GITHUB_TOKEN", "hunter2hunter2"),
        ("FORGE_GITHUB_URL", "http://127.0.0.1:9"),
        ("SSH_AUTH_SOCK", "/nonexistent/agent"),
    ];
    let server = TestServer::start_with(&variables).await;
    let bo = TestUser::new(&server, "Bo").await;
    let repos = project(&server, "Own").await;
    bo.join(own(&repos)).await;
    for url in ["http://127.0.0.1:9/team/shop.git", "git@example.org:team/shop.git"] {
        let refused = bo.post(&repos, json!({ "url": url })).await;
        assert_eq!(refused.failed_with(403, "forbidden")["permission"], "lend_credentials");
    }
    let own_token = json!({ "url": "http://127.0.0.1:9/team/shop.git", "token": "mine_mine_mine" });
    let refused = bo.post(&repos, own_token).await;
    refused.failed_with(422, "repo_unusable");
}
