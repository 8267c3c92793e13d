//! Copies of the embedded database (S-7).

use http::Method;
use http_body_util::{BodyExt, Full};
use serde_json::json;

use crate::support::{TestServer, TestUser};

#[tokio::test]
async fn s_7_only_an_admin_downloads_a_copy_of_the_database() {
    let server = TestServer::start().await;
    let (_, project) = server.post("/projects", json!({ "name": "Saved" })).await;
    let request = server.request(Method::POST, "/system/backup").body(Full::default());
    let answer = server.open(request.expect("a request")).await;
    assert_eq!(answer.status(), 200);
    let header = |name: &str| answer.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(header("content-type"), "application/vnd.sqlite3");
    assert!(header("content-disposition").starts_with("attachment; filename=\"forge-20"));
    let length: usize = header("content-length").parse().expect("a number");
    let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
    assert_eq!(bytes.len(), length);
    assert!(bytes.starts_with(b"SQLite format 3\0"));
    assert!(!server.directory().join("backup.tmp").exists(), "the server keeps no copy");
    let member = TestUser::new(&server, "Ada").await;
    let asked = server.send(member.request(Method::POST, "/system/backup"), None::<String>).await;
    assert_eq!(asked.status, 403, "only an admin");
    assert_eq!(server.get(&format!("/projects/{}", project["id"].as_str().unwrap())).await.0, 200);
}
