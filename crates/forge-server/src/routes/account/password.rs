//! The password of a request.

use forge_api::SecretString;
use forge_engine::{PasswordChecker, PasswordHash, PlainSecret};

use crate::app::AppState;
use crate::convert::text::invalid_field_value;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;

/// The hash to store; `None` if no password was given.
pub(crate) async fn hash(
    app: &AppState,
    password: Option<SecretString>,
) -> Result<Option<PasswordHash>, ApiError> {
    match password {
        Some(password) => Ok(Some(hash_of(app, "password", password).await?)),
        None => Ok(None),
    }
}

/// The hash to store for the password of this field.
pub(crate) async fn hash_of(
    app: &AppState,
    field: &'static str,
    password: SecretString,
) -> Result<PasswordHash, ApiError> {
    let password = PlainSecret::new(password.expose());
    PasswordChecker::check(&password)
        .map_err(|problem| invalid_field_value(field, &problem.to_string()))?;
    let hash = app.passwords.hash(password).await;
    hash.map_err(|error| internal_error(&error.to_string()))
}
