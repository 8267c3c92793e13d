//! The git settings of a repository over HTTP: members see them, admins accept them (W-19).

use serde_json::{Value, json};

use crate::support::{TestServer, TestUser};

fn id(answer: &Value) -> &str {
    answer["id"].as_str().unwrap_or_else(|| panic!("an id in {answer}"))
}

#[tokio::test]
async fn issue_13_07_changed_git_settings_are_shown_to_members_and_accepted_by_admins() {
    let server = TestServer::start().await;
    let (_, one) = server.post("/projects", json!({ "name": "One" })).await;
    let (_, two) = server.post("/projects", json!({ "name": "Two" })).await;
    let (bo, out) = (TestUser::new(&server, "Bo").await, TestUser::new(&server, "Out").await);
    bo.join(id(&one)).await;
    out.join(id(&two)).await;
    let repository = server.repository().await;
    let repos = format!("/projects/{}/repos", id(&one));
    let (status, repo) = server.post(&repos, json!({ "path": repository.path() })).await;
    assert_eq!(status, 201, "{repo}");
    let config = format!("{repos}/{}/config", id(&repo));
    let accept = format!("{config}/accept");
    let elsewhere = format!("/projects/{}/repos/{}/config", id(&two), id(&repo));

    let unchanged = json!({ "holds": false, "changes": [] });
    assert_eq!(server.get(&config).await, (200, unchanged.clone()));
    repository.git(&["config", "filter.planted.clean", "touch /tmp/planted"]).await;
    repository.git(&["config", "alias.st", "status"]).await;
    let (status, changed) = server.get(&config).await;
    assert_eq!((status, &changed["holds"]), (200, &json!(true)), "{changed}");
    assert_eq!(bo.get(&config).await.json(), changed, "a member sees what holds the tasks up");
    let changes = changed["changes"].as_array().expect("changes");
    let change = |key: &str| {
        let found = changes.iter().find(|change| change["key"] == key);
        found.unwrap_or_else(|| panic!("{key} in {changed}"))
    };
    let file = repository.path().join(".git").join("config");
    let planted = json!({
        "key": "filter.planted.clean", "file": file, "kind": "added", "holds": true, "reason": null,
    });
    assert_eq!(*change("filter.planted.clean"), planted);
    assert_eq!(change("alias.st")["holds"], false);

    // A member of another project gets `not_found`, also through the path of the member's own project.
    out.get(&config).await.failed_with(404, "not_found");
    out.post(&accept, json!({})).await.failed_with(404, "not_found");
    out.get(&elsewhere).await.failed_with(404, "not_found");
    out.post(&format!("{elsewhere}/accept"), json!({})).await.failed_with(403, "forbidden");
    assert_eq!(server.get(&elsewhere).await.0, 404);
    assert_eq!(server.post(&format!("{elsewhere}/accept"), json!({})).await.0, 404);
    bo.post(&accept, json!({})).await.failed_with(403, "forbidden");
    assert_eq!(server.get(&config).await.1, changed, "nothing is accepted yet");

    let mut events = bo.events("").await;
    assert_eq!(server.post(&accept, json!({})).await, (200, changed.clone()));
    let other = server.repository_named("other").await;
    assert_eq!(server.post(&repos, json!({ "path": other.path() })).await.0, 201);
    let told = events.until(|event| event.kind.starts_with("repo.")).await;
    assert_eq!(
        (told.kind.as_str(), &told.data["data"]["id"]),
        ("repo.config_accepted", &repo["id"])
    );
    let keys: Vec<&Value> = changes.iter().map(|change| &change["key"]).collect();
    assert_eq!(told.data["data"]["keys"], json!(keys));
    assert_eq!(server.get(&config).await, (200, unchanged));
}
