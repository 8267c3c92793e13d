//! SPEC S-5: the pages are in the binary.

use axum::Router;
use axum::body::Body;
use axum::routing::get as on_get;
use forge_server::assets::page;

use crate::answer::{Answer, dressed, request, send};

async fn ask(method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let routes =
        dressed(Router::new().route("/api/v1/things", on_get(async || "things")).fallback(page));
    let request = headers
        .iter()
        .fold(request(method, path), |request, (name, value)| request.header(*name, *value));
    send(&routes, request.body(Body::empty()).expect("a request")).await
}

const HTML: (&str, &str) = ("accept", "text/html,application/xhtml+xml");

#[tokio::test]
async fn s_5_the_page_is_served_and_revalidated_each_time() {
    let answer = ask("GET", "/", &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert!(answer.text.contains("<title>Forge"), "{}", answer.text);
    let again = ask("GET", "/", &[("if-none-match", answer.header("etag"))]).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    let changed = ask("GET", "/", &[("if-none-match", "\"0\"")]).await;
    assert_eq!(changed.status, 200);
}

/// Also holds for the page that says how to build the pages: it refers to no files.
#[tokio::test]
async fn s_5_the_page_has_nothing_inline_and_its_files_are_there() {
    let page = ask("GET", "/", &[]).await.text;
    assert!(!page.contains("<style") && !page.contains("style="), "{page}");
    let scripts: Vec<_> = page.split("<script").skip(1).collect();
    assert!(scripts.iter().all(|script| script.contains("src=")), "{page}");
    let files = page.split("\"/assets/").skip(1).filter_map(|rest| rest.split('"').next());
    for file in files {
        let answer = ask("GET", &format!("/assets/{file}"), &[]).await;
        assert_eq!(answer.status, 200, "{file}");
        assert!(answer.header("cache-control").ends_with("immutable"), "{file}");
    }
}

#[tokio::test]
async fn s_5_browser_routes_get_the_page() {
    let index = ask("GET", "/", &[]).await;
    let deep = ask("GET", "/projects/forge/board", &[HTML]).await;
    assert_eq!((deep.status.as_u16(), &deep.text), (200, &index.text));
    assert_eq!(deep.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn s_1_programs_get_errors_and_not_pages() {
    for (method, path, headers) in [
        ("GET", "/api/v1/nothing", &[HTML][..]),
        ("GET", "/api", &[HTML][..]),
        ("GET", "/mcp/nothing", &[HTML][..]),
        ("GET", "/assets/gone-1a2b.js", &[HTML][..]),
        ("GET", "/projects/forge", &[("accept", "*/*")][..]),
        ("POST", "/projects/forge", &[HTML][..]),
        ("GET", "/../Cargo.toml", &[][..]),
        ("GET", "/%2e%2e/Cargo.toml", &[][..]),
    ] {
        ask(method, path, headers).await.failed_with(404, "not_found");
    }
}

#[tokio::test]
async fn head_returns_the_same_headers_without_the_page() {
    let answer = ask("HEAD", "/", &[]).await;
    assert_eq!(answer.status, 200);
    assert_ne!(answer.header("etag"), "");
}
