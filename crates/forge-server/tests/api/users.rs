//! People (S-6).

use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn s_6_an_admin_adds_people() {
    let server = TestServer::start().await;
    let (status, ada) = server.post("/users", json!({ "name": "Ada", "role": "admin" })).await;
    assert_eq!(status, 201, "{ada}");
    assert_eq!(ada["role"], "admin");
    let id = ada["id"].as_str().expect("an id");
    assert_eq!(server.get(&format!("/users/{id}")).await, (200, ada.clone()));
    let (_, all) = server.get("/users").await;
    let names: Vec<_> =
        all["items"].as_array().expect("users").iter().map(|user| user["name"].clone()).collect();
    assert_eq!(names, ["admin", "Ada"]);
    assert!(!all.to_string().contains("password"), "{all}");
}

#[tokio::test]
async fn s_6_a_name_is_taken_once() {
    let server = TestServer::start().await;
    let (status, refused) = server.post("/users", json!({ "name": "admin" })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")));
    assert_eq!(refused["details"]["field"], "name");
}

#[tokio::test]
async fn s_6_pages_walk_every_user_once() {
    let server = TestServer::start().await;
    for n in 0..5 {
        let body = json!({ "name": format!("user {n}") });
        assert_eq!(server.post("/users", body).await.0, 201);
    }
    let (mut names, mut cursor) = (Vec::new(), String::new());
    loop {
        let (status, page) = server.get(&format!("/users?limit=4{cursor}")).await;
        assert_eq!(status, 200, "{page}");
        let items = page["items"].as_array().expect("items");
        names.extend(items.iter().map(|user| user["name"].to_string()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(names.len(), 6);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 6);
}
