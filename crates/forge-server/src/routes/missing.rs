//! What a request names and nobody has.

use std::fmt::Display;

use forge_api::ErrorCode;
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;

/// What was looked for.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Noun {
    Execution,
    Review,
    Task,
    User,
}

/// `not_found` for what was looked for by `name`; `hint` says where to look instead.
pub(super) fn missing(noun: Noun, name: impl Display, hint: &str) -> Failure {
    let what = format!("{noun:?}").to_lowercase();
    let name = name.to_string();
    Failure::new(ErrorCode::NotFound, format!("there is no {what} {name}; {hint}"))
        .with_details(json!({ "kind": noun, "id": name }))
}
