//! One request before it is sent.

use std::fmt::Write as _;
use std::time::Duration;

use bytes::Bytes;
use forge_api::ActionView;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName, USER_AGENT};
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use serde::Serialize;
use uuid::Uuid;

use crate::api_client::ApiClient;
use crate::error::ClientError;

/// The start of every path of the API.
const API: &str = "/api/v1";
const AGENT: &str = concat!("forge-client/", env!("CARGO_PKG_VERSION"));
/// Time limit for answers that only need the database.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// Time limit for answers that wait for work, such as a gate's checks; the server sets the real limit.
const WORK_TIME: Duration = Duration::from_secs(3600);

/// A request: method, path, query, body and headers.
#[derive(Debug)]
pub(crate) struct ApiCall {
    method: Method,
    path: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Option<Vec<u8>>,
    waits_for_work: bool,
}

impl ApiCall {
    /// `path` is below `/api/v1` and a constant of this crate, so it needs no encoding; add names from outside with
    /// [`ApiCall::name`].
    pub(crate) fn new(method: Method, path: &'static str) -> Self {
        Self {
            method,
            path: format!("{API}{path}"),
            headers: Vec::new(),
            body: None,
            waits_for_work: false,
        }
    }

    pub(crate) fn get(path: &'static str) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn post(path: &'static str) -> Self {
        Self::new(Method::POST, path)
    }

    /// The request that the server describes for an action.
    pub(crate) fn action(action: &ActionView) -> Result<Self, ClientError> {
        let method = Method::from_bytes(action.method.as_bytes()).ok();
        let path = action.path.strip_prefix(API).filter(|path| path.starts_with('/'));
        match (method, path) {
            (Some(method), Some(_)) => Ok(Self {
                method,
                path: action.path.clone(),
                headers: Vec::new(),
                body: None,
                waits_for_work: true,
            }),
            _ => Err(ClientError::BadRequest(format!(
                "the server describes the action `{}` in a way that this version does not understand",
                action.name
            ))),
        }
    }

    /// A path outside `/api/v1`.
    pub(crate) fn at_root(path: &'static str) -> Self {
        Self { path: path.to_owned(), ..Self::get("") }
    }

    /// A message for a path outside `/api/v1`.
    pub(crate) fn post_at_root(path: &'static str) -> Self {
        Self { path: path.to_owned(), ..Self::post("") }
    }

    /// Appends an identifier to the path.
    pub(crate) fn id(mut self, id: Uuid) -> Self {
        let _ = write!(self.path, "/{id}");
        self
    }

    /// Appends a constant part, with its slash.
    pub(crate) fn part(mut self, part: &'static str) -> Self {
        self.path.push_str(part);
        self
    }

    /// Appends a name from outside as one path segment, whatever characters it has.
    pub(crate) fn name(mut self, name: &str) -> Self {
        self.path.push('/');
        for byte in name.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {
                    self.path.push(char::from(byte));
                }
                // Encodes dots too, so that no name becomes `..`.
                _ => {
                    let _ = write!(self.path, "%{byte:02X}");
                }
            }
        }
        self
    }

    /// Appends the query; fields without a value are left out.
    pub(crate) fn query(mut self, query: &impl Serialize) -> Result<Self, ClientError> {
        let text = serde_urlencoded::to_string(query)
            .map_err(|error| ClientError::BadRequest(error.to_string()))?;
        if !text.is_empty() {
            self.path.push('?');
            self.path.push_str(&text);
        }
        Ok(self)
    }

    /// Sets the JSON body.
    pub(crate) fn json(mut self, body: &impl Serialize) -> Result<Self, ClientError> {
        let bytes =
            serde_json::to_vec(body).map_err(|error| ClientError::BadRequest(error.to_string()))?;
        self.body = Some(bytes);
        Ok(self)
    }

    /// Sets a body that is JSON already.
    pub(crate) fn raw_json(mut self, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Marks the answer as one that waits for work, not only for the database.
    pub(crate) fn waits_for_work(mut self) -> Self {
        self.waits_for_work = true;
        self
    }

    /// Time limit of the answer; the caller can set `usual` for calls that do not wait for work.
    pub(crate) fn time(&self, usual: Option<Duration>) -> Duration {
        if self.waits_for_work { WORK_TIME } else { usual.unwrap_or(ANSWER_TIME) }
    }

    pub(crate) fn into_request(
        self,
        client: &ApiClient,
    ) -> Result<Request<Full<Bytes>>, ClientError> {
        let refused = |error: http::Error| ClientError::BadRequest(error.to_string());
        let mut request = Request::new(Full::default());
        *request.method_mut() = self.method;
        *request.uri_mut() = client.url().join(&self.path).map_err(refused)?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some((name, value)) = client.credential() {
            headers.insert(name, value);
        }
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        if let Some(body) = self.body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = Full::from(body);
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn a_name_from_outside_stays_one_segment() {
        for (name, path) in [
            ("coder", "/api/v1/tasks/coder"),
            ("../users?x#y", "/api/v1/tasks/%2E%2E%2Fusers%3Fx%23y"),
            ("ä b", "/api/v1/tasks/%C3%A4%20b"),
        ] {
            assert_eq!(ApiCall::get("/tasks").name(name).path, path);
        }
    }
}
