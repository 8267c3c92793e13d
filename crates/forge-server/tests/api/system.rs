//! Information about the server (S-7).

use http::Method;
use serde_json::json;

use crate::support::{TestServer, TestUser};

#[tokio::test]
async fn s_7_versions_and_directories() {
    let server = TestServer::start().await;
    let (status, info) = server.get("/system/info").await;
    assert_eq!(status, 200, "{info}");
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(info["database"], "sqlite");
    let data = server.directory().join("data").canonicalize().expect("the data");
    assert_eq!(info["data_dir"], json!(data));
    for version in ["git_version", "database_version"] {
        let text = info[version].as_str().unwrap_or_default();
        assert!(text.starts_with(|c: char| c.is_ascii_digit()), "{version}: {text}");
    }
    let node = info["node"].clone();
    let (_, recovery) = server.get("/system/recovery").await;
    assert_eq!(recovery["node"], node);
    assert_eq!((&recovery["effects_resumed"], &recovery["effects_open"]), (&json!(0), &json!(0)));
    let server = server.restart().await;
    assert_eq!(server.get("/system/info").await.1["node"], node);
}

#[tokio::test]
async fn e_12_w_10_the_recovery_report_lists_orphans_for_admins() {
    let server = TestServer::start().await;
    assert_eq!(server.get("/system/recovery").await.1["orphans"], json!([]));
    let data = server.directory().join("data").canonicalize().expect("the data");
    let lost = data.join("workspaces").join("lost");
    std::fs::create_dir_all(&lost).expect("made");
    let server = server.restart().await;
    let (_, report) = server.get("/system/recovery").await;
    let orphans = report["orphans"].as_array().expect("a list");
    assert_eq!(orphans.len(), 1, "{report}");
    assert_eq!(orphans[0]["path"], json!(lost));
    assert_eq!(orphans[0]["reason"], "no task has it as its workspace");
    assert!(lost.exists(), "it is left alone");
    let member = TestUser::new(&server, "mia").await;
    let answer = member.get("/system/recovery").await;
    assert_eq!(answer.json()["orphans"], json!(null), "places are for admins");
}

#[tokio::test]
async fn s_7_readiness_lists_its_checks() {
    let server = TestServer::start().await;
    let request = server.stranger(Method::GET, "/readyz");
    let ready = server.send(request, None::<String>).await;
    assert_eq!(ready.json()["ready"], true);
    let checks = ready.json()["checks"].as_array().expect("checks").len();
    assert!(checks >= 1);
}

#[tokio::test]
async fn s_7_metrics_count_by_route_and_not_by_path() {
    let server = TestServer::start().await;
    let id = uuid::Uuid::from_u128(77);
    server.get(&format!("/projects/{id}")).await;
    let request = server
        .stranger(Method::GET, "/metrics")
        .header("authorization", format!("Bearer {}", crate::support::server::TOKEN));
    let numbers = server.send(request, None::<String>).await;
    assert_eq!(numbers.status, 200);
    assert!(numbers.text.contains("route=\"/api/v1/projects/{id}\""), "{}", numbers.text);
    assert!(!numbers.text.contains(&id.to_string()));
}

#[tokio::test]
async fn issue_13_20_each_readiness_call_checks_the_database_and_the_disk() {
    let server = TestServer::start().await;
    let ready = async || {
        let request = server.stranger(Method::GET, "/readyz");
        let answer = server.send(request, None::<String>).await;
        let check = |name: &str| {
            let answer = answer.json();
            let checks = answer["checks"].as_array().expect("checks");
            checks.iter().find(|check| check["name"] == name).expect(name)["ok"].clone()
        };
        (answer.status, check("database"), check("disk"))
    };
    assert_eq!(ready().await, (200, json!(true), json!(true)));
    // A directory in the way prevents writing.
    let probe = server.directory().join("data").join("readiness.probe");
    std::fs::create_dir(&probe).expect("a directory");
    assert_eq!(ready().await, (503, json!(true), json!(false)));
    std::fs::remove_dir(&probe).expect("gone");
    assert_eq!(ready().await, (200, json!(true), json!(true)));
    server.engine().db().close().await;
    assert_eq!(ready().await, (503, json!(false), json!(true)));
}

#[tokio::test]
async fn issue_13_20_a_full_disk_has_its_own_error() {
    let server = TestServer::start().await;
    let (_, project) = server.post("/projects", json!({ "name": "Shop" })).await;
    let tasks = format!("/projects/{}/tasks", project["id"].as_str().expect("an id"));
    let limit = async |pages: &'static str| {
        let db = server.engine().db();
        let set = db.write(move |tx| {
            Box::pin(async move { tx.fetch_optional(forge_store::stmt(pages)).await.map(drop) })
        });
        let done: Result<(), forge_store::StoreError> = set.await;
        done.expect("it is set");
    };
    // Allows no more pages than exist: SQLite treats it like a full disk.
    limit("PRAGMA max_page_count = 1").await;
    let asked = json!({ "title": "Big", "description": "x".repeat(200_000) });
    let (status, refused) = server.post(&tasks, asked.clone()).await;
    assert_eq!((status, &refused["code"]), (507, &json!("storage_full")), "{refused}");
    limit("PRAGMA max_page_count = 1000000").await;
    assert_eq!(server.post(&tasks, asked).await.0, 201, "and goes on when there is space");
}
