//! Requests of tools, performed in process through the routes of the API.

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use forge_api::ErrorCode;
use forge_api::actions::Action;
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use http::{HeaderMap, HeaderValue, Request};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::Service;

use crate::convert::tasks::action::segment;
use crate::error::api_error::ApiError;
use crate::routes::API;

/// The largest page that the lists of the API allow.
const LARGEST_PAGE: u32 = 200;
/// How many pages of names a search reads at most.
const MOST_PAGES: usize = 20;

/// One request for an action.
#[derive(Debug, Clone)]
pub(crate) struct ApiRequest {
    action: &'static Action,
    path_values: Vec<String>,
    query: Vec<(String, String)>,
    body: Option<Value>,
    waits: bool,
}

impl ApiRequest {
    /// A request for an action without parameters.
    pub(crate) fn new(action: &'static Action) -> Self {
        Self { action, path_values: Vec::new(), query: Vec::new(), body: None, waits: true }
    }

    /// Adds the value of the next parameter of the path.
    #[must_use]
    pub(crate) fn at(mut self, value: &str) -> Self {
        self.path_values.push(segment(value));
        self
    }

    /// Adds a query parameter, if there is a value.
    #[must_use]
    pub(crate) fn query(mut self, name: &str, value: Option<impl ToString>) -> Self {
        self.query.extend(value.map(|value| (name.to_owned(), value.to_string())));
        self
    }

    /// Sets the body.
    #[must_use]
    pub(crate) fn body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// Asks for an answer before the work that follows has ended.
    #[must_use]
    pub(crate) fn without_waiting(mut self) -> Self {
        self.waits = false;
        self
    }

    fn uri(&self) -> String {
        let mut uri = format!("{API}{}", self.action.path_with(&self.path_values));
        if !self.query.is_empty() {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(&self.query);
            uri.push('?');
            uri.push_str(&query.finish());
        }
        uri
    }
}

/// The routes of the API, with the credential of one caller.
#[derive(Debug, Clone)]
pub(crate) struct ApiRequests {
    routes: Router,
    credential: HeaderMap,
}

impl ApiRequests {
    /// Takes the credential from the headers of the caller's own request.
    pub(crate) fn new(routes: Router, headers: &HeaderMap) -> Self {
        let mut credential = HeaderMap::new();
        for name in [AUTHORIZATION, COOKIE] {
            for value in headers.get_all(&name) {
                credential.append(&name, value.clone());
            }
        }
        Self { routes, credential }
    }

    /// Performs a request and reads its answer; an answer without content is `null`, and one that is not JSON is text.
    pub(crate) async fn send(&self, asked: ApiRequest) -> Result<Value, ApiError> {
        let mut request = Request::builder().method(asked.action.method.as_str()).uri(asked.uri());
        if let Some(headers) = request.headers_mut() {
            headers.extend(self.credential.clone());
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            if !asked.waits {
                headers.insert("prefer", HeaderValue::from_static("respond-async"));
            }
        }
        let body = asked.body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        // A value that makes no URI names nothing.
        let request = request.body(body).map_err(|_| ApiError::from_code(ErrorCode::NotFound))?;
        match self.routes.clone().call(request).await {
            Ok(response) => read_answer(response).await,
            Err(never) => match never {},
        }
    }

    /// The items of all pages of a list, up to a few thousand.
    pub(crate) async fn send_for_all(&self, asked: ApiRequest) -> Result<Vec<Value>, ApiError> {
        let asked = asked.query("limit", Some(LARGEST_PAGE));
        let (mut items, mut cursor) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let mut page = self.send(asked.clone().query("cursor", cursor.as_ref())).await?;
            if let Some(Value::Array(found)) = page.get_mut("items").map(Value::take) {
                items.extend(found);
            }
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        Ok(items)
    }
}

async fn read_answer(mut response: Response) -> Result<Value, ApiError> {
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        return Err(error);
    }
    let status = response.status();
    if !status.is_success() {
        tracing::error!(%status, "route answered an error without a code");
        return Err(ApiError::from_code(ErrorCode::Internal));
    }
    let is_json = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    let bytes = match response.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => {
            tracing::error!(%error, "failed to read the answer of a route");
            return Err(ApiError::from_code(ErrorCode::Internal));
        }
    };
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    if !is_json {
        return Ok(Value::String(String::from_utf8_lossy(&bytes).into_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        tracing::error!(%error, "failed to parse the answer of a route");
        ApiError::from_code(ErrorCode::Internal)
    })
}
