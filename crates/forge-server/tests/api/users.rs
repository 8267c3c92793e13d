//! Tests of users (S-6).

use http::Method;
use serde_json::json;

use crate::support::server::API;
use crate::support::{TestServer, TestUser};

#[tokio::test]
async fn s_6_an_admin_adds_users() {
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
async fn s_6_names_are_unique() {
    let server = TestServer::start().await;
    let (status, refused) = server.post("/users", json!({ "name": "admin" })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")));
    assert_eq!(refused["details"]["field"], "name");
}

#[tokio::test]
async fn s_6_paging_returns_every_user_once() {
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

#[tokio::test]
async fn s_6_a_person_changes_their_password_with_the_old_one() {
    let server = TestServer::start().await;
    let ada = TestUser::new(&server, "Ada").await;
    let change = async |body: serde_json::Value| {
        let request = ada.request(Method::PUT, "/me/password");
        let answer = server.send(request, Some(body.to_string())).await;
        let code =
            if answer.status == 204 { String::new() } else { answer.json()["code"].to_string() };
        (answer.status, code.trim_matches('"').to_owned())
    };
    let sign_in = async |password: &str| {
        let body = json!({ "name": "Ada", "password": password });
        let request = server.stranger(Method::POST, &format!("{API}/auth/login"));
        server.send(request, Some(body.to_string())).await
    };
    let cookie = sign_in("a long password").await;
    let cookie = cookie.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let missing = json!({ "new_password": "another long one" });
    assert_eq!(change(missing).await, (422, "invalid_field".to_owned()));
    let wrong = json!({ "old_password": "a wrong password", "new_password": "another long one" });
    assert_eq!(change(wrong).await, (403, "forbidden".to_owned()));
    let short = json!({ "old_password": "a long password", "new_password": "short" });
    assert_eq!(change(short).await, (422, "invalid_field".to_owned()));
    let right = json!({ "old_password": "a long password", "new_password": "another long one" });
    assert_eq!(change(right).await, (204, String::new()));
    let request = server.stranger(Method::GET, &format!("{API}/auth/me")).header("cookie", cookie);
    assert_eq!(server.send(request, None::<String>).await.status, 401, "other browsers are out");
    assert_eq!(sign_in("a long password").await.status, 401);
    assert_eq!(sign_in("another long one").await.status, 200);

    // A user without a password does not need an old one.
    let first = json!({ "new_password": "the first one" });
    assert_eq!(server.put("/me/password", first).await.0, 204);
    assert_eq!(server.put("/me/password", json!({ "new_password": "the second" })).await.0, 422);
}
