//! Parameters in the path, such as identifiers.

use axum::extract::FromRequestParts;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use forge_api::ErrorCode;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::failure::Failure;

/// The path's parameters. One that cannot be read names nothing that exists, so it is answered like an unknown one.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<S, T> FromRequestParts<S> for Path<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Send,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(rejection) => Err(refused(rejection)),
        }
    }
}

fn refused(rejection: PathRejection) -> Failure {
    let PathRejection::FailedToDeserializePathParams(error) = rejection else {
        return Failure::plain(ErrorCode::Internal);
    };
    let parameter = match error.kind() {
        ErrorKind::ParseErrorAtKey { key, .. }
        | ErrorKind::DeserializeError { key, .. }
        | ErrorKind::InvalidUtf8InPathParam { key } => Some(key.clone()),
        // The route and the handler disagree: our mistake, not the client's.
        ErrorKind::WrongNumberOfParameters { .. } | ErrorKind::UnsupportedType { .. } => {
            tracing::error!(%error, "a handler asks for path parameters that its route does not have");
            return Failure::plain(ErrorCode::Internal);
        }
        _ => None,
    };
    let named = parameter
        .as_deref()
        .map_or("A path parameter".to_owned(), |name| format!("The path parameter `{name}`"));
    Failure::new(
        ErrorCode::NotFound,
        format!(
            "{named} is not an identifier: {}. Copy it from the object it names.",
            error.kind()
        ),
    )
    .with_details(json!({ "kind": "path", "parameter": parameter }))
}
