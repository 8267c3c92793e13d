//! Query parameters.

use axum::extract::FromRequestParts;
use forge_api::ErrorCode;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::error::api_error::ApiError;
use crate::input::strict;

/// The query parameters; an unknown one is an error, because a filter that is silently ignored returns too much.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<S, T> FromRequestParts<S> for Query<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parse(parts.uri.query().unwrap_or_default()).map(Self)
    }
}

fn parse<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    if !decodes_to_utf8(query) {
        return Err(ApiError::new(
            ErrorCode::InvalidQuery,
            "The query string is not valid UTF-8 once decoded. Percent-encode UTF-8.",
        ));
    }
    let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
    let read = strict::read_strict::<T, _>(pairs).map_err(|misfit| {
        let (path, error) = (misfit.path, misfit.error);
        ApiError::new(
            ErrorCode::InvalidQuery,
            format!("The query parameter `{path}` cannot be used: {error}."),
        )
        .with_details(json!({ "parameter": path }))
    })?;
    let Some(first) = read.unknown.first() else {
        return Ok(read.value);
    };
    let quoted: Vec<_> = read.unknown.iter().map(|name| format!("`{name}`")).collect();
    Err(ApiError::new(
        ErrorCode::InvalidQuery,
        format!("This request has no query parameter {}. Remove or correct it.", quoted.join(", ")),
    )
    .with_details(json!({ "parameter": first, "unknown": read.unknown })))
}

/// The form decoder silently replaces invalid bytes; a name or filter must not change its meaning that way.
fn decodes_to_utf8(query: &str) -> bool {
    let mut decoded = Vec::with_capacity(query.len());
    let mut rest = query.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escape = match (byte, after) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        decoded.push(escape.unwrap_or(byte));
        let taken = if escape.is_some() { 2 } else { 0 };
        rest = after.get(taken..).unwrap_or_default();
    }
    std::str::from_utf8(&decoded).is_ok()
}
