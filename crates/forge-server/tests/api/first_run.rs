//! An empty server and its one-time link (S-6).

use http::Method;
use serde_json::{Value, json};

use crate::support::{HttpAnswer, TestServer};

fn code(server: &TestServer) -> String {
    let link = server.first_run_link().expect("an empty server has a link");
    let start = format!("http://{}/welcome#code=", server.address());
    let code = link.strip_prefix(&start).expect("the code is in the fragment only");
    code.to_owned()
}

async fn use_link(server: &TestServer, body: Value) -> HttpAnswer {
    let request = server.stranger(Method::POST, "/api/v1/auth/link");
    server.send(request, Some(body.to_string())).await
}

fn session(answer: &HttpAnswer) -> String {
    let cookie = answer.header("set-cookie");
    cookie.split(';').next().expect("a cookie").to_owned()
}

#[tokio::test]
async fn s_6_the_link_makes_the_first_admin_and_signs_in() {
    let server = TestServer::start_empty().await;
    let answer = use_link(&server, json!({ "code": code(&server) })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let user = &answer.json()["user"];
    assert_eq!((&user["name"], &user["role"]), (&json!("admin"), &json!("admin")));
    let cookie = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let me = server.stranger(Method::GET, "/api/v1/auth/me").header("cookie", session(&answer));
    let me = server.send(me, None::<String>).await.json();
    assert_eq!((&me["via"], &me["user"]["id"]), (&json!("session"), &user["id"]));
    assert_eq!(me["actor"]["id"], user["id"]);
}

#[tokio::test]
async fn s_6_a_link_works_once() {
    let server = TestServer::start_empty().await;
    let body = json!({ "code": code(&server) });
    assert_eq!(use_link(&server, body.clone()).await.status, 200);
    use_link(&server, body).await.failed_with(410, "link_used");
    let users = forge_store::tables::users::count(server.engine().db()).await;
    assert_eq!(users, Ok(1));
}

#[tokio::test]
async fn s_6_of_many_concurrent_uses_one_becomes_the_admin() {
    let server = TestServer::start_empty().await;
    let body = json!({ "code": code(&server) });
    let uses = (0..8).map(|_| use_link(&server, body.clone()));
    let answers = futures::future::join_all(uses).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410, 410, 410, 410, 410, 410, 410]);
}

#[tokio::test]
async fn s_6_a_wrong_code_is_refused_and_keeps_the_link_valid() {
    let server = TestServer::start_empty().await;
    let wrong = json!({ "code": "x".repeat(43) });
    use_link(&server, wrong).await.failed_with(410, "link_used");
    let named = json!({ "code": code(&server), "name": "-rf" });
    use_link(&server, named).await.failed_with(422, "invalid_name");
    let short = json!({ "code": code(&server), "password": "short" });
    use_link(&server, short).await.failed_with(422, "invalid_field");
    let named = json!({ "code": code(&server), "name": "Ada", "password": "a long password" });
    let answer = use_link(&server, named).await;
    assert_eq!(answer.json()["user"]["name"], "Ada", "{}", answer.text);
    let login = json!({ "name": "Ada", "password": "a long password" });
    let request = server.stranger(Method::POST, "/api/v1/auth/login");
    let signed_in = server.send(request, Some(login.to_string())).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.text);
}

#[tokio::test]
async fn s_6_restarting_an_empty_server_makes_a_new_link() {
    let server = TestServer::start_empty().await;
    let first = code(&server);
    let server = server.restart().await;
    let second = code(&server);
    assert_ne!(first, second);
    let answer = use_link(&server, json!({ "code": second })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    use_link(&server, json!({ "code": first })).await.failed_with(410, "link_used");
    assert_eq!(server.restart().await.first_run_link(), None);
}

#[tokio::test]
async fn s_6_the_code_is_not_stored() {
    let server = TestServer::start_empty().await;
    let code = code(&server);
    let directory = server.stop().await;
    for file in ["forge.db", "forge.db-wal"] {
        let path = directory.path().join("data").join(file);
        let Ok(bytes) = std::fs::read(path) else {
            continue;
        };
        let found = bytes.windows(code.len()).any(|part| part == code.as_bytes());
        assert!(!found, "{file}");
    }
}
