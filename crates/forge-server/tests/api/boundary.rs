//! Limits of a member toward other projects and the server (S-6, docs/PERMISSIONS.md).

use serde_json::{Value, json};

use crate::support::{TestServer, TestUser};

fn shell(name: &str) -> Value {
    json!({ "name": name, "executor": { "kind": "shell", "command": ["true"] } })
}

fn id(answer: &Value) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("an id in {answer}")).to_owned()
}

async fn project(server: &TestServer, name: &str, settings: Value) -> String {
    let (_, project) =
        server.post("/projects", json!({ "name": name, "settings": settings })).await;
    id(&project)
}

#[tokio::test]
async fn issue_13_06_agents_of_the_server_are_changed_by_admins() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let own = project(&server, "Own", json!({})).await;
    bo.join(&own).await;
    let (_, agent) = server.post("/agents", shell("shared")).await;
    let path = format!("/agents/{}", id(&agent));

    assert_eq!(bo.get(&path).await.json(), agent, "a member sees it");
    let executor = json!({ "kind": "shell", "command": ["sh", "-c", "touch /tmp/gotcha"] });
    for patch in [
        json!({ "version": 1, "executor": executor }),
        json!({ "version": 1, "name": "mine" }),
        json!({ "version": 1, "max_concurrent": 100 }),
    ] {
        bo.patch(&path, patch).await.failed_with(403, "forbidden");
    }
    bo.post(&format!("{path}/pause"), json!({})).await.failed_with(403, "forbidden");
    bo.post(&format!("{path}/resume"), json!({})).await.failed_with(403, "forbidden");
    bo.post("/agents", shell("mine")).await.failed_with(403, "forbidden");
    assert_eq!(server.get(&path).await.1, agent);
    assert_eq!(server.get("/agents").await.1["items"], json!([agent]));
}

#[tokio::test]
async fn issue_13_06_a_member_manages_agents_of_own_projects_as_permitted() {
    let server = TestServer::start().await;
    let (bo, out) = (TestUser::new(&server, "Bo").await, TestUser::new(&server, "Out").await);
    let own = project(&server, "Own", json!({})).await;
    bo.join(&own).await;
    let mut asked = shell("helper");
    asked["project_id"] = json!(own);
    let refused = bo.post("/agents", asked.clone()).await;
    assert_eq!(refused.failed_with(403, "forbidden")["permission"], "define_commands");
    let (status, agent) = server.post("/agents", asked).await;
    assert_eq!((status, &agent["project_id"]), (201, &json!(own)), "{agent}");
    let path = format!("/agents/{}", id(&agent));

    let changed = bo.patch(&path, json!({ "version": 1, "max_concurrent": 2, "name": "h" })).await;
    assert_eq!((changed.status, &changed.json()["max_concurrent"]), (200, &json!(2)));
    let paused = bo.post(&format!("{path}/pause"), json!({})).await;
    assert_eq!((paused.status, &paused.json()["paused"]), (200, &json!(true)));
    let executor = json!({ "kind": "shell", "command": ["sh", "-c", "env"] });
    let patch = json!({ "version": 3, "executor": executor });
    let refused = bo.patch(&path, patch.clone()).await.failed_with(403, "forbidden");
    assert_eq!(refused["permission"], "define_commands");

    // Only an admin can give the permission.
    let settings = json!({ "members_may_define_commands": true });
    let asked = json!({ "version": 1, "settings": settings });
    bo.patch(&format!("/projects/{own}"), asked.clone()).await.failed_with(403, "forbidden");
    assert_eq!(server.patch(&format!("/projects/{own}"), asked).await.0, 200);
    assert_eq!(bo.patch(&path, patch).await.status, 200);
    let mut another = shell("another");
    another["project_id"] = json!(own);
    assert_eq!(bo.post("/agents", another).await.status, 201);

    let names = |page: &Value| page["items"].as_array().expect("items").len();
    assert_eq!(names(&bo.get("/agents").await.json()), 2);
    assert_eq!(names(&out.get("/agents").await.json()), 0);
    out.get(&path).await.failed_with(404, "not_found");
}

#[tokio::test]
async fn issue_13_06_an_agent_works_for_its_own_project_only() {
    let server = TestServer::start().await;
    let (one, two) =
        (project(&server, "One", json!({})).await, project(&server, "Two", json!({})).await);
    let repository = server.repository().await;
    let repos = format!("/projects/{two}/repos");
    assert_eq!(server.post(&repos, json!({ "path": repository.path() })).await.0, 201);
    let mut asked = shell("ones");
    asked["project_id"] = json!(one);
    let (_, agent) = server.post("/agents", asked).await;
    let (_, task) = server.post(&format!("/projects/{two}/tasks"), json!({ "title": "x" })).await;
    let task = format!("/tasks/{}", id(&task));
    let named = json!({ "agent_id": agent["id"] });
    for (path, asked) in [
        (format!("{task}/claim"), named.clone()),
        (format!("{task}/roles/coder"), named.clone()),
        (format!("/projects/{two}/tasks"), json!({ "title": "y", "roles": { "coder": named } })),
    ] {
        let (status, refused) = server.post(&path, asked).await;
        assert_eq!((status, &refused["details"]["kind"]), (404, &json!("agent")), "{refused}");
    }
    // It cannot take over from an agent of the server either.
    let mut shared = shell("shared");
    shared["fallback"] = agent["id"].clone();
    assert_eq!(server.post("/agents", shared).await.0, 404);
    let (_, why) = server.get(&format!("{task}/why")).await;
    assert!(!why.to_string().contains("ones"), "{why}");
}

#[tokio::test]
async fn issue_13_06_commands_are_defined_by_admins() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let checks = json!({ "ci_steps": ["make test"], "setup_steps": ["make deps"] });
    let own = project(&server, "Own", json!({ "default_review_config": checks })).await;
    bo.join(&own).await;
    let repository = server.repository().await;
    let repos = format!("/projects/{own}/repos");
    assert_eq!(server.post(&repos, json!({ "path": repository.path() })).await.0, 201);

    let settings = |settings: Value| json!({ "name": "Mine", "settings": settings });
    for asked in [
        settings(json!({ "setup": { "commands": ["id > /tmp/who"] } })),
        settings(json!({ "setup": { "env": { "LD_PRELOAD": "/tmp/x.so" } } })),
        settings(json!({ "default_review_config": { "ci_steps": ["id"] } })),
        settings(json!({ "default_review_config": { "setup_steps": ["id"] } })),
        settings(json!({ "members_may_define_commands": true })),
        settings(json!({ "github_installation_id": 7 })),
    ] {
        bo.post("/projects", asked.clone()).await.failed_with(403, "forbidden");
        let patch = json!({ "version": 1, "settings": asked["settings"] });
        bo.patch(&format!("/projects/{own}"), patch).await.failed_with(403, "forbidden");
    }

    let tasks = format!("/projects/{own}/tasks");
    let task = |steps: Value| json!({ "title": "x", "review_config": { "ci_steps": steps } });
    let refused = bo.post(&tasks, task(json!(["make test", "id"]))).await;
    let refused = refused.failed_with(403, "forbidden");
    assert_eq!(refused["commands"], json!(["id"]), "those that are new are named");
    let made = bo.post(&tasks, task(json!(["make test"]))).await;
    assert_eq!(made.status, 201, "what is defined may be chosen: {}", made.text);
    let path = format!("/tasks/{}", id(&made.json()));
    let patch = json!({ "version": 1, "review_config": { "ci_steps": ["id"] } });
    bo.patch(&path, patch.clone()).await.failed_with(403, "forbidden");
    let (status, _) = server.patch(&path, patch).await;
    assert_eq!(status, 200, "an admin may");
    let patch = json!({ "version": 2, "review_config": { "ci_steps": ["id", "make deps"] } });
    assert_eq!(bo.patch(&path, patch).await.status, 200, "and a member may keep it");
    let bare = bo.patch(&path, json!({ "version": 3, "review_config": null })).await;
    assert_eq!(bare.status, 200, "{}", bare.text);
}

#[tokio::test]
async fn issue_13_06_a_setting_lets_members_define_commands_everywhere() {
    let server = TestServer::start_with(&[("FORGE_MEMBERS_MAY_DEFINE_COMMANDS", "true")]).await;
    let bo = TestUser::new(&server, "Bo").await;
    let settings = json!({ "setup": { "commands": ["true"] } });
    let made = bo.post("/projects", json!({ "name": "Mine", "settings": settings })).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let mut asked = shell("helper");
    asked["project_id"] = made.json()["id"].clone();
    assert_eq!(bo.post("/agents", asked).await.status, 201);
    bo.post("/agents", shell("shared")).await.failed_with(403, "forbidden");
}

#[tokio::test]
async fn issue_13_06_members_see_no_paths_of_the_server() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let info = bo.get("/system/info").await;
    assert_eq!((info.status, &info.json()["data_dir"]), (200, &Value::Null));
    assert!(!info.text.contains(server.directory().to_str().expect("UTF-8")), "{}", info.text);
    assert!(server.get("/system/info").await.1["data_dir"].is_string(), "an admin is");
}
