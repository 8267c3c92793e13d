//! The server about itself (S-7).

use http::Method;
use serde_json::json;

use crate::support::{Person, TestServer};

#[tokio::test]
async fn s_7_versions_and_places() {
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
    assert_eq!((&recovery["steps_resumed"], &recovery["steps_open"]), (&json!(0), &json!(0)));
    let server = server.restart().await;
    assert_eq!(server.get("/system/info").await.1["node"], node);
}

#[tokio::test]
async fn e_12_w_10_the_report_of_the_start_names_orphans_to_admins() {
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
    let member = Person::new(&server, "mia").await;
    let answer = member.get("/system/recovery").await;
    assert_eq!(answer.json()["orphans"], json!(null), "places are for admins");
}

#[tokio::test]
async fn s_7_ready_says_what_was_looked_at() {
    let server = TestServer::start().await;
    let request = server.stranger(Method::GET, "/readyz");
    let ready = server.send(request, None::<String>).await;
    assert_eq!(ready.json()["ready"], true);
    let checks = ready.json()["checks"].as_array().expect("checks").len();
    assert!(checks >= 1);
}

#[tokio::test]
async fn s_7_numbers_are_counted_by_route_and_not_by_path() {
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
