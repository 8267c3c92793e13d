use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use forge_http::{Connections, EncryptionSettings, open_connections};
use http::uri::Scheme;
use http::{HeaderMap, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::app_key::AppKey;
use crate::github_error::GitHubError;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// A token that expires sooner is not used: a push may take this long.
const EXPIRY_MARGIN_SECONDS: i64 = 600;

/// A client for GitHub's API, or for a server with the same API.
#[derive(Clone)]
pub struct GitHubClient {
    api: String,
    app: Option<AppKey>,
    tokens: Arc<Mutex<HashMap<u64, CachedToken>>>,
}

/// A cached installation token.
struct CachedToken {
    secret: String,
    expires_at: i64,
}

#[derive(Deserialize)]
struct TokenAnswer {
    token: String,
    expires_at: String,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    message: String,
    #[serde(default)]
    errors: Vec<serde_json::Value>,
}

impl GitHubClient {
    /// A client for the API at this address, with the App if there is one.
    pub fn new(api: impl Into<String>, app: Option<AppKey>) -> Self {
        let api: String = api.into();
        Self { api: api.trim_end_matches('/').to_owned(), app, tokens: Arc::default() }
    }

    /// A token of one of the App's installations; cached while it is valid for long enough.
    pub async fn installation_token(
        &self,
        installation: u64,
        now_seconds: i64,
    ) -> Result<String, GitHubError> {
        let Some(app) = &self.app else { return Err(GitHubError::NoApp) };
        // The lock is held during the request, so that concurrent callers share one token.
        let mut tokens = self.tokens.lock().await;
        if let Some(kept) = tokens.get(&installation)
            && kept.expires_at - EXPIRY_MARGIN_SECONDS > now_seconds
        {
            return Ok(kept.secret.clone());
        }
        tokens.remove(&installation);
        let proof = app
            .sign(now_seconds)
            .map_err(|error| GitHubError::UnexpectedAnswer(error.to_string()))?;
        let path = format!("/app/installations/{installation}/access_tokens");
        let given: TokenAnswer = self.call(Method::POST, &path, &proof, None).await?;
        let until: jiff::Timestamp = given.expires_at.parse().map_err(|_| {
            GitHubError::UnexpectedAnswer("the token's expiry is not a timestamp".to_owned())
        })?;
        let kept = CachedToken { secret: given.token.clone(), expires_at: until.as_second() };
        tokens.insert(installation, kept);
        Ok(given.token)
    }

    pub(crate) async fn call<T: serde::de::DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        proof: &str,
        said: Option<serde_json::Value>,
    ) -> Result<T, GitHubError> {
        let uri: Uri = format!("{}{path}", self.api).parse().map_err(|_| {
            GitHubError::Unreachable("github_api_url is not a valid URL".to_owned())
        })?;
        let connections = open_github_connections(&uri)?;
        let body = said.map(|said| Bytes::from(said.to_string())).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .header(header::AUTHORIZATION, format!("Bearer {proof}"))
            .header(header::ACCEPT, "application/vnd.github+json")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, "forge")
            .header("x-github-api-version", "2022-11-28")
            .body(Full::new(body))
            .map_err(|error| GitHubError::Unreachable(error.to_string()))?;
        let exchange = async {
            let answer = connections
                .request(request)
                .await
                .map_err(|error| GitHubError::Unreachable(error.to_string()))?;
            let status = answer.status();
            let limited = is_rate_limited(status, answer.headers());
            let body = Limited::new(answer.into_body(), MOST_BYTES).collect().await;
            let body = body.map_err(|error| GitHubError::Unreachable(error.to_string()))?;
            Ok((status, limited, body.to_bytes()))
        };
        let (status, limited, body) = match tokio::time::timeout(ANSWER_TIMEOUT, exchange).await {
            Ok(answered) => answered?,
            Err(_) => {
                let seconds = ANSWER_TIMEOUT.as_secs();
                let message = format!("no answer within {seconds} seconds");
                return Err(GitHubError::Unreachable(message));
            }
        };
        if !status.is_success() {
            let message = error_message(&body);
            return Err(match limited {
                true => GitHubError::RateLimited(message),
                false => GitHubError::Refused { status: status.as_u16(), message },
            });
        }
        // An unreadable answer is not shown: it may contain a token.
        serde_json::from_slice(&body)
            .map_err(|_| GitHubError::UnexpectedAnswer(format!("{} answered {status}", self.api)))
    }
}

/// Connections to GitHub, or unencrypted ones to a server with the same API, which load no certificates.
fn open_github_connections(url: &Uri) -> Result<Connections, GitHubError> {
    if url.scheme() != Some(&Scheme::HTTPS) {
        return Ok(open_connections(EncryptionSettings::plain()));
    }
    let encryption = EncryptionSettings::verified().map_err(|error| {
        GitHubError::Unreachable(format!(
            "found no CA certificates to verify https servers with: {error}; install your system's CA certificates"
        ))
    })?;
    Ok(open_connections(encryption))
}

/// Whether the answer means that the rate limit is reached.
fn is_rate_limited(status: StatusCode, headers: &HeaderMap) -> bool {
    let spent = headers.get("x-ratelimit-remaining").is_some_and(|left| left == "0");
    status == StatusCode::TOO_MANY_REQUESTS
        || (status == StatusCode::FORBIDDEN && (spent || headers.contains_key(header::RETRY_AFTER)))
}

/// GitHub's error message, with the details from its list of errors.
fn error_message(body: &[u8]) -> String {
    let Ok(complaint) = serde_json::from_slice::<ErrorAnswer>(body) else { return String::new() };
    let particulars = complaint.errors.iter().filter_map(|error| match error {
        serde_json::Value::String(text) => Some(text.as_str()),
        error => error.get("message").and_then(serde_json::Value::as_str),
    });
    let said: Vec<&str> = std::iter::once(complaint.message.as_str()).chain(particulars).collect();
    said.join(": ").chars().filter(|symbol| !symbol.is_control()).take(500).collect()
}

/// Omits the tokens.
impl fmt::Debug for GitHubClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GitHub").field("api", &self.api).finish_non_exhaustive()
    }
}
