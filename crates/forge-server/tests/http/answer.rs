//! One request to a router with middleware, and its answer.

use axum::Router;
use axum::body::Body;
use forge_server::{AllowedHosts, with_middleware};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {:?}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("text"))
    }

    /// Asserts an error of the documented shape with this code; returns its details.
    pub(crate) fn failed_with(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!((self.status.as_u16(), body["code"].as_str()), (status, Some(code)), "{body}");
        let mut keys: Vec<_> = body.as_object().expect("an object").keys().collect();
        keys.sort();
        assert_eq!(keys, ["code", "details", "message", "request_id"]);
        assert_ne!(body["message"], "");
        assert_eq!(body["request_id"], self.header("x-request-id"));
        assert_eq!(self.header("content-type"), "application/json");
        body["details"].clone()
    }
}

pub(crate) fn dressed(routes: Router) -> Router {
    let bound = "127.0.0.1:8080".parse().expect("an address");
    with_middleware(routes, AllowedHosts::new(bound, []))
}

pub(crate) async fn send(routes: &Router, request: Request<Body>) -> Answer {
    let response = routes.clone().oneshot(request).await.expect("infallible");
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a whole body").to_bytes();
    Answer {
        status: parts.status,
        headers: parts.headers,
        text: String::from_utf8(bytes.to_vec()).expect("UTF-8"),
    }
}

pub(crate) fn request(method: &str, uri: &str) -> http::request::Builder {
    let builder = Request::builder().method(method).uri(uri);
    builder.header("host", "127.0.0.1:8080")
}

pub(crate) async fn get(routes: &Router, uri: &str) -> Answer {
    let request = request("GET", uri).body(Body::empty());
    send(routes, request.expect("a request")).await
}
