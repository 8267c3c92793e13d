//! The web pages inside the binary (SPEC S-5).

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::transport::envelope::no_such_path;

const INDEX: &str = "index.html";
/// The bundler puts a hash of the content into these names, so the content behind a name never changes.
const HASHED: &str = "assets/";
/// Paths for programs: a page instead of an error would confuse them.
const NOT_PAGES: [&str; 6] = ["api", "docs", "healthz", "mcp", "metrics", "readyz"];

#[derive(RustEmbed)]
#[folder = "$FORGE_WEB_DIR"]
struct EmbeddedPages;

/// The fallback of the router: an embedded file, the main page for routes that live in the browser, else `not_found`.
pub async fn page(request: Request) -> Response {
    let path = request.uri().path();
    let name = path.trim_start_matches('/');
    let readable = [Method::GET, Method::HEAD].contains(request.method());
    let first = name.split('/').next().unwrap_or_default();
    if !readable || NOT_PAGES.contains(&first) {
        return no_such_path(path).into_response();
    }
    let asked = if name.is_empty() { INDEX } else { name };
    if let Some(file) = EmbeddedPages::get(asked) {
        return serve(asked, file, request.headers());
    }
    let wants_page = !name.starts_with(HASHED) && accepts_html(request.headers());
    match EmbeddedPages::get(INDEX).filter(|_| wants_page) {
        Some(index) => serve(INDEX, index, request.headers()),
        None => no_such_path(path).into_response(),
    }
}

fn accepts_html(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/html"))
}

fn serve(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String =
        file.metadata.sha256_hash().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let etag = format!("\"{hash}\"");
    let known = headers.get_all(IF_NONE_MATCH).iter().any(|value| {
        let tags = value.to_str().unwrap_or_default();
        tags.split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == etag || tag == "*")
    });
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let typed = [(CONTENT_TYPE, content_type(name))];
        (typed, Body::from(file.data.into_owned())).into_response()
    };
    let answered = response.headers_mut();
    answered.insert(CACHE_CONTROL, HeaderValue::from_static(caching(name)));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        answered.insert(ETAG, etag);
    }
    response
}

/// A file with a hash in its name never changes; browsers revalidate all others and get 304 while they are the same.
fn caching(name: &str) -> &'static str {
    if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// The file types of a bundle; browsers download any other file instead of guessing its type.
fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_5_only_names_with_a_hash_are_kept_for_ever() {
        assert!(caching("assets/index-1a2b3c.js").ends_with("immutable"));
        for other in ["index.html", "favicon.svg", "sub/assets/x.js"] {
            assert_eq!(caching(other), "no-cache", "{other}");
        }
    }

    #[test]
    fn s_5_files_have_their_type_and_the_unknown_is_not_guessed() {
        assert_eq!(content_type("assets/a.b.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("x.exe"), "application/octet-stream");
        assert_eq!(content_type("html"), "application/octet-stream");
    }
}
