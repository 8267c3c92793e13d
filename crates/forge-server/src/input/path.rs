//! Path parameters, such as identifiers.

use axum::extract::FromRequestParts;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use forge_api::ErrorCode;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::error::api_error::ApiError;

/// The path parameters. A value that cannot be parsed names nothing, so the answer is `not_found`.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<S, T> FromRequestParts<S> for Path<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Send,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(rejection) => Err(refused(rejection)),
        }
    }
}

fn refused(rejection: PathRejection) -> ApiError {
    let PathRejection::FailedToDeserializePathParams(error) = rejection else {
        return ApiError::from_code(ErrorCode::Internal);
    };
    let parameter = match error.kind() {
        ErrorKind::ParseErrorAtKey { key, .. }
        | ErrorKind::DeserializeError { key, .. }
        | ErrorKind::InvalidUtf8InPathParam { key } => Some(key.clone()),
        // The route and the handler disagree: a server error, not the client's.
        ErrorKind::WrongNumberOfParameters { .. } | ErrorKind::UnsupportedType { .. } => {
            tracing::error!(%error, "handler expects path parameters that its route does not have");
            return ApiError::from_code(ErrorCode::Internal);
        }
        _ => None,
    };
    let named = parameter
        .as_deref()
        .map_or("A path parameter".to_owned(), |name| format!("The path parameter `{name}`"));
    ApiError::new(
        ErrorCode::NotFound,
        format!(
            "{named} is not an identifier: {}. Copy it from the object it names.",
            error.kind()
        ),
    )
    .with_details(json!({ "kind": "path", "parameter": parameter }))
}
