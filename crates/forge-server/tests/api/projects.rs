//! Tests of projects (SPEC 7.1).

use serde_json::{Value, json};

use crate::support::TestServer;

async fn created(server: &TestServer, body: Value) -> Value {
    let (status, project) = server.post("/projects", body).await;
    assert_eq!(status, 201, "{project}");
    project
}

fn path(project: &Value, rest: &str) -> String {
    format!("/projects/{}{rest}", project["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn s_1_a_project_is_created_with_defaults() {
    let server = TestServer::start().await;
    let project = created(&server, json!({ "name": "My Shop" })).await;
    assert_eq!(project["slug"], "my-shop");
    assert_eq!(project["workspace_type"], "git_worktree");
    assert_eq!(project["workflow"]["name"], "default");
    assert_eq!(project["version"], 1);
    assert_eq!(project["paused_at"], Value::Null);
    assert_eq!(project["settings"]["default_review_config"]["ci_steps"], json!([]));
    assert_eq!(server.get(&path(&project, "")).await, (200, project.clone()));
    let (_, list) = server.get("/projects").await;
    assert_eq!(list, json!({ "items": [project], "next_cursor": null }));
}

#[tokio::test]
async fn s_1_a_project_changes_by_version() {
    let server = TestServer::start().await;
    let project = created(&server, json!({ "name": "Shop" })).await;
    let settings = json!({ "default_review_config": { "ci_steps": ["make test"] }, "metadata": { "team": "a" } });
    let patch = json!({ "version": 1, "name": "Market", "settings": settings });
    let (status, changed) = server.patch(&path(&project, ""), patch.clone()).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!((&changed["name"], &changed["version"]), (&json!("Market"), &json!(2)));
    assert_eq!(changed["settings"]["metadata"], json!({ "team": "a" }));
    let (status, refused) = server.patch(&path(&project, ""), patch).await;
    assert_eq!((status, &refused["code"]), (409, &json!("version_conflict")));
    assert_eq!(refused["details"], json!({ "expected": 1, "actual": 2 }));
    assert_eq!(server.get(&path(&project, "")).await.1, changed);
}

#[tokio::test]
async fn t_3_pausing_twice_changes_nothing() {
    let server = TestServer::start().await;
    let project = created(&server, json!({ "name": "Shop" })).await;
    let (status, paused) = server.post(&path(&project, "/pause"), json!({})).await;
    assert_eq!(status, 200, "{paused}");
    assert!(paused["paused_at"].as_str().is_some_and(|at| at.ends_with('Z')));
    assert_eq!(server.post(&path(&project, "/pause"), json!({})).await.1, paused);
    let (_, resumed) = server.post(&path(&project, "/resume"), json!({})).await;
    assert_eq!((&resumed["paused_at"], &resumed["version"]), (&Value::Null, &json!(3)));
}

#[tokio::test]
async fn s_1_names_are_unique() {
    let server = TestServer::start().await;
    created(&server, json!({ "name": "Shop" })).await;
    let (status, refused) = server.post("/projects", json!({ "name": "shop" })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")));
    assert_eq!(refused["details"]["field"], "name");
}

#[tokio::test]
async fn t_2_paging_returns_every_project_once() {
    let server = TestServer::start().await;
    for n in 0..5 {
        created(&server, json!({ "name": format!("project {n}") })).await;
    }
    let (mut names, mut cursor) = (Vec::new(), String::new());
    loop {
        let (_, page) = server.get(&format!("/projects?limit=2{cursor}")).await;
        let items = page["items"].as_array().expect("items");
        names.extend(
            items.iter().map(|project| project["name"].as_str().expect("a name").to_owned()),
        );
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(names, ["project 0", "project 1", "project 2", "project 3", "project 4"]);
}

#[tokio::test]
async fn s_1_all_problems_of_settings_are_named_at_once() {
    let server = TestServer::start().await;
    let settings = json!({
        "default_review_config": { "ci_steps": [" "] },
        "branch_template": "x/{numer}",
        "directory": "/tmp",
        "setup": { "ports": 21, "env": { "PATH": "/" } },
        "merge": { "window": 0 },
        "prompts": { "cook": "{{title}}" },
    });
    let asked = json!({ "name": "a", "settings": settings });
    let (status, refused) = server.post("/projects", asked).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
    let problems = refused["details"]["problems"].as_array().expect("problems");
    let paths: Vec<_> = problems.iter().map(|problem| &problem["path"]).collect();
    assert_eq!(
        paths,
        [
            "settings.default_review_config.ci_steps",
            "settings.setup.env",
            "settings.setup.ports",
            "settings.merge.window",
            "settings.branch_template",
            "settings.directory",
            "settings.prompts",
        ]
    );
    assert_eq!(refused["details"]["path"], *paths[0]);
    let message = refused["message"].as_str().expect("a message");
    for problem in problems {
        assert!(message.contains(problem["problem"].as_str().expect("text")), "{message}");
    }
}

#[tokio::test]
async fn t_24_templates_are_checked_when_they_are_saved() {
    let server = TestServer::start().await;
    for (settings, path, words) in [
        (json!({ "branch_template": "x/{numer}" }), "settings.branch_template", "{numer}"),
        (json!({ "branch_template": "a b/{number}" }), "settings.branch_template", "spaces"),
        (json!({ "branch_template": "{number}.{slug}" }), "settings.branch_template", ".lock"),
        (json!({ "branch_template": { "run": "{" } }), "settings.branch_template", "brace"),
        (json!({ "directory_template": "../{id}" }), "settings.directory_template", "directory"),
    ] {
        let asked = json!({ "name": "a", "settings": settings });
        let (status, refused) = server.post("/projects", asked).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
        assert_eq!(refused["details"]["path"], path);
        assert!(refused["message"].as_str().expect("a message").contains(words), "{refused}");
    }
    let misspelt = json!({ "name": "a", "settings": { "branch_template": { "tsak": "x" } } });
    let (status, refused) = server.post("/projects", misspelt).await;
    assert_eq!((status, &refused["code"]), (422, &json!("unknown_field")), "{refused}");
    assert_eq!(server.get("/projects").await.1["items"], json!([]));

    let table = json!({ "task": "feat/{task}-{slug}", "session": null, "run": null });
    let settings = json!({ "branch_template": table, "directory_template": "{number}-{id}" });
    let made = created(&server, json!({ "name": "a", "settings": settings })).await;
    assert_eq!(made["settings"]["branch_template"], table);
    let patch = json!({ "version": 1, "settings": { "branch_template": "nothing" } });
    let path = format!("/projects/{}", made["id"].as_str().expect("an id"));
    let (status, refused) = server.patch(&path, patch).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
    let patch = json!({ "version": 1, "settings": { "branch_template": "x/{number}" } });
    let (status, changed) = server.patch(&path, patch).await;
    assert_eq!((status, &changed["settings"]["branch_template"]), (200, &json!("x/{number}")));
}
