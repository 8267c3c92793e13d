//! The answer for objects that do not exist.

use std::fmt::Display;

use forge_api::ErrorCode;
use serde::Serialize;
use serde_json::json;

use crate::error::api_error::ApiError;

/// The kind of object that was looked up.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MissingResource {
    Execution,
    Question,
    Review,
    Task,
    User,
}

/// `not_found` for the object `name`; `hint` says where to look instead.
pub(crate) fn missing(noun: MissingResource, name: impl Display, hint: &str) -> ApiError {
    let what = format!("{noun:?}").to_lowercase();
    let name = name.to_string();
    ApiError::new(ErrorCode::NotFound, format!("there is no {what} {name}; {hint}"))
        .with_details(json!({ "kind": noun, "id": name }))
}
