//! Removing agents, users and projects (P-1, S-4, S-6).

use http::Method;
use serde_json::json;

use super::board::{Board, WAITS, text};
use super::support::TestUser;
use super::support::server::API;

#[tokio::test]
async fn s_4_an_agent_at_work_is_not_removed() {
    let board = Board::new().await;
    let agent = board.agent("ada", WAITS).await;
    let task = board.task(json!({ "title": "Long" })).await;
    board.claim(&task, &agent).await;
    let path = format!("/agents/{agent}");
    let (status, answer) = board.server.delete(&path).await;
    assert_eq!((status, &answer["code"]), (409, &json!("agent_in_use")), "{answer}");
    let execution = board.items(&format!("/tasks/{task}/executions")).await[0]["id"].clone();
    let named = json!([{ "id": execution, "task": "T-1", "project": "board" }]);
    assert_eq!(answer["details"]["executions"], named);
    assert!(text(&answer["message"]).contains("T-1 of board"), "{answer}");
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    assert_eq!(board.server.delete(&path).await.0, 204);
    assert_eq!(board.server.delete(&path).await.0, 404, "it is gone");
}

#[tokio::test]
async fn s_4_a_removed_agent_loses_its_roles_and_keeps_its_name_in_the_history() {
    let board = Board::new().await;
    let (ada, ben) = (board.agent("ada", "true").await, board.agent("ben", "true").await);
    let patch = json!({ "version": 1, "fallback": ada });
    assert_eq!(board.server.patch(&format!("/agents/{ben}"), patch).await.0, 200);
    let project = board.read(&format!("/projects/{}", board.project)).await;
    let settings = json!({ "default_reviewer": { "agent_id": ada } });
    let patch = json!({ "version": project["version"], "settings": settings });
    let (status, answer) = board.server.patch(&format!("/projects/{}", board.project), patch).await;
    assert_eq!(status, 200, "{answer}");
    let roles = json!({ "coder": { "agent_id": ada }, "reviewer": { "agent_id": ben } });
    let held = board.task(json!({ "title": "Held", "roles": roles })).await;
    assert_eq!(board.server.delete(&format!("/agents/{ada}")).await.0, 204);

    let task = board.show(&held).await;
    assert_eq!(task["roles"], json!({ "reviewer": { "agent_id": ben, "user_id": null } }));
    assert_eq!(board.read(&format!("/agents/{ben}")).await["fallback"], json!(null));
    let project = board.read(&format!("/projects/{}", board.project)).await;
    assert_eq!(project["settings"]["default_reviewer"], json!(null));
    let shown = board.read(&format!("/agents/{ada}")).await;
    assert_eq!(shown["name"], "ada");
    assert!(shown["removed_at"].is_string(), "{shown}");
    let names: Vec<_> = board.items("/agents").await.iter().map(|one| text(&one["name"])).collect();
    assert_eq!(names, ["ben"]);

    let again = board.agent("ada", "true").await;
    assert_ne!(again, ada, "the name is given to another agent");
    let assign = format!("/tasks/{held}/roles/coder");
    assert_eq!(board.server.post(&assign, json!({ "agent_id": ada })).await.0, 404);
    let claim = json!({ "agent_id": ada });
    assert_eq!(board.server.post(&format!("/tasks/{held}/claim"), claim).await.0, 404);
    for action in ["pause", "resume", "probe"] {
        let path = format!("/agents/{ada}/{action}");
        assert_eq!(board.server.post(&path, json!({})).await.0, 404, "{action}");
    }
}

#[tokio::test]
async fn s_6_a_removed_user_is_out_at_once() {
    let board = Board::new().await;
    let ada = TestUser::new(&board.server, "Ada").await;
    ada.join(&board.project).await;
    let task = board.task(json!({ "title": "Talk" })).await;
    let said = ada.request(Method::POST, &format!("/tasks/{task}/comments"));
    let said = board.server.send(said, Some(json!({ "body": "Hello" }).to_string())).await;
    assert_eq!(said.status, 201);
    let login = json!({ "name": "Ada", "password": "a long password" });
    let sign_in = async || {
        let request = board.server.stranger(Method::POST, &format!("{API}/auth/login"));
        board.server.send(request, Some(login.to_string())).await
    };
    let cookie =
        sign_in().await.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    assert_eq!(ada.get("/auth/me").await.status, 200, "the token is in the cache now");
    let path = format!("/users/{}", ada.id);
    let refused = board.server.send(ada.request(Method::DELETE, &path), None::<String>).await;
    assert_eq!(refused.status, 403, "a member removes no user");

    assert_eq!(board.server.delete(&path).await.0, 204);
    assert_eq!(ada.get("/auth/me").await.status, 401);
    let request =
        board.server.stranger(Method::GET, &format!("{API}/auth/me")).header("cookie", cookie);
    assert_eq!(board.server.send(request, None::<String>).await.status, 401);
    assert_eq!(sign_in().await.status, 401);
    let shown = board.read(&path).await;
    assert_eq!(shown["name"], "Ada");
    assert!(shown["removed_at"].is_string(), "{shown}");
    let comments = board.items(&format!("/tasks/{task}/comments")).await;
    assert_eq!(comments[0]["author"]["id"], json!(ada.id), "the history stays");
    assert_eq!(board.server.delete(&path).await.0, 404);
    let me = board.read("/auth/me").await;
    let (status, own) = board.server.delete(&format!("/users/{}", text(&me["user"]["id"]))).await;
    assert_eq!((status, &own["code"]), (403, &json!("forbidden")), "{own}");
    let twin = TestUser::new(&board.server, "Ada").await;
    assert_ne!(twin.id, ada.id, "the name is given again");
}

#[tokio::test]
async fn s_6_a_link_sets_the_password_of_its_user_once() {
    let board = Board::new().await;
    let user = board.created("/users", json!({ "name": "Ada" })).await;
    let links = format!("/users/{}/link", text(&user["id"]));
    let old = board.created(&links, json!({})).await;
    let link = board.created(&links, json!({})).await;
    assert_eq!(link["user"]["name"], "Ada");
    let use_link = async |body: serde_json::Value| {
        let request = board.server.stranger(Method::POST, &format!("{API}/auth/link"));
        board.server.send(request, Some(body.to_string())).await
    };
    let (code, password) = (&link["code"], "a long password");
    assert_eq!(use_link(json!({ "code": old["code"], "password": password })).await.status, 410);
    assert_eq!(use_link(json!({ "code": code })).await.status, 422, "it sets a password");
    let other = json!({ "code": code, "name": "Ben", "password": password });
    assert_eq!(use_link(other).await.status, 403, "it is for one user");
    let answer = use_link(json!({ "code": code, "password": password })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.json()["user"]["name"], "Ada");
    assert_eq!(use_link(json!({ "code": code, "password": password })).await.status, 410);
    let login = board.server.stranger(Method::POST, &format!("{API}/auth/login"));
    let login = board
        .server
        .send(login, Some(json!({ "name": "Ada", "password": password }).to_string()))
        .await;
    assert_eq!(login.status, 200);
    let member = TestUser::new(&board.server, "Ben").await;
    let asked = board.server.send(member.request(Method::POST, &links), None::<String>).await;
    assert_eq!(asked.status, 403, "only an admin makes links");
}

#[tokio::test]
async fn p_1_a_project_is_removed_without_its_branches() {
    let board = Board::new().await;
    let agent = board.agent("ada", "echo one > one.txt").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
    let branch = text(&board.read(&format!("/tasks/{task}/workspace")).await["branch"]);
    let path = format!("/projects/{}", board.project);
    let (status, answer) = board.server.delete(&path).await;
    assert_eq!((status, &answer["code"]), (409, &json!("project_in_use")), "{answer}");
    assert_eq!(answer["details"]["tasks"], json!(["T-1"]));
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    assert_eq!(board.server.delete(&path).await.0, 409, "its workspace is still there");
    board.done(&format!("/tasks/{task}/workspace/clean"), json!({ "dry_run": false })).await;
    board.quiet(&task).await;
    let member = TestUser::new(&board.server, "Ben").await;
    member.join(&board.project).await;
    let asked = board.server.send(member.request(Method::DELETE, &path), None::<String>).await;
    assert_eq!(asked.status, 403, "only an admin removes a project");

    let (status, kept) = board.server.delete(&path).await;
    assert_eq!(status, 200, "{kept}");
    let repository = &kept["repositories"][0];
    assert_eq!(repository["branches"], json!([branch]), "{kept}");
    assert!(repository["journal_entries"].as_u64() > Some(0), "{kept}");
    let tip =
        board.repository.git(&["rev-parse", "--verify", &format!("refs/heads/{branch}")]).await;
    assert!(!tip.is_empty(), "the branch is still there");
    assert_eq!(board.server.get(&path).await.0, 404);
    assert_eq!(board.items("/projects").await.len(), 0);
    assert_eq!(board.show(&task).await["status"], "cancelled", "the history can be read");
    let asked = json!({ "title": "Late" });
    assert_eq!(board.server.post(&format!("{path}/tasks"), asked).await.0, 404);

    let again = board.created("/projects", json!({ "name": "Board" })).await;
    assert_eq!(again["slug"], "board", "the name and the slug are given again");
    let repo = json!({ "path": board.repository.path() });
    board.created(&format!("/projects/{}/repos", text(&again["id"])), repo).await;
}
