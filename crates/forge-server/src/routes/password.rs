//! A new password in a request.

use forge_api::Secret;

use crate::app::App;
use crate::auth::Passwords;
use crate::convert::text::invalid;
use crate::failure::Failure;
use crate::refusal::internal;

/// What to store of it; nothing if none was given.
pub(super) async fn hash(app: &App, password: Option<Secret>) -> Result<Option<String>, Failure> {
    match password {
        Some(password) => Ok(Some(hash_of(app, "password", password).await?)),
        None => Ok(None),
    }
}

/// What to store of the one in this field.
pub(super) async fn hash_of(
    app: &App,
    field: &'static str,
    password: Secret,
) -> Result<String, Failure> {
    Passwords::check(&password).map_err(|problem| invalid(field, &problem.to_string()))?;
    let hash = app.passwords.hash(password).await;
    let hash = hash.map_err(|error| internal(&error.to_string()))?;
    Ok(hash.as_text().to_owned())
}
