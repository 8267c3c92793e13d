//! The check that a request does not come from a page of another site.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, Method, Uri};
use serde_json::json;

use crate::error::api_error::ApiError;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses requests that could change something and come from a page of another site. It does not depend on a cookie:
/// a sign-in forged by another site has none. A client that is not a browser sends neither header and passes.
pub(crate) async fn check_origin(request: Request, next: Next) -> Response {
    if is_safe(request.method()) {
        return next.run(request).await;
    }
    match require_same_origin(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

/// Refuses a request from a page of another site, whatever its method.
pub(crate) fn require_same_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_same_origin(headers) {
        return Ok(());
    }
    let origin = headers.get(ORIGIN).and_then(|value| value.to_str().ok());
    Err(ApiError::from_code(ErrorCode::OriginRefused).with_details(json!({ "origin": origin })))
}

fn is_safe(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    let by_site = headers
        .get(SEC_FETCH_SITE)
        .is_none_or(|site| site.as_bytes() == b"same-origin" || site.as_bytes() == b"none");
    let by_origin = headers.get(ORIGIN).is_none_or(|origin| {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let origin = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.parse::<Uri>().ok());
        // Ignore the scheme: behind a proxy that terminates TLS the server does not know its own.
        let authority = origin
            .as_ref()
            .filter(|origin| origin.scheme().is_some())
            .and_then(Uri::authority);
        matches!((authority, host), (Some(theirs), Some(ours)) if theirs.as_str().eq_ignore_ascii_case(ours))
    });
    by_site && by_origin
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn s_6_our_own_page_and_clients_without_a_page_pass() {
        let host = ("host", "127.0.0.1:8080");
        for pass in [
            vec![host],
            vec![host, ("origin", "http://127.0.0.1:8080")],
            vec![host, ("origin", "http://127.0.0.1:8080"), ("sec-fetch-site", "same-origin")],
            vec![host, ("sec-fetch-site", "none")],
        ] {
            assert!(is_same_origin(&headers(&pass)), "{pass:?}");
        }
    }

    #[test]
    fn s_6_other_sites_ports_and_opaque_origins_do_not() {
        let host = ("host", "127.0.0.1:8080");
        for refused in [
            vec![host, ("origin", "http://evil.example")],
            vec![host, ("origin", "http://127.0.0.1:9090")],
            vec![host, ("origin", "null")],
            vec![host, ("origin", "127.0.0.1:8080")],
            vec![host, ("sec-fetch-site", "cross-site")],
            vec![host, ("sec-fetch-site", "same-site")],
            vec![("origin", "http://127.0.0.1:8080")],
        ] {
            assert!(!is_same_origin(&headers(&refused)), "{refused:?}");
        }
    }
}
