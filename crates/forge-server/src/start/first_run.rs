//! The first start of an empty server: the first admin signs in with a token from the environment or a one-time link
//! (SPEC S-6).

use std::net::SocketAddr;

use forge_api::SecretString;
use forge_engine::{Engine, PlainSecret};
use forge_store::tables::users;

use crate::start::errors::ServerStartError;

/// Number of characters that cannot be guessed.
const STRONG: usize = 24;

/// Ensures that the first admin, and only the first admin, can sign in; returns the link to print, if one is needed.
pub(crate) async fn first_run(
    engine: &Engine,
    bound: SocketAddr,
    bootstrap: Option<&SecretString>,
) -> Result<Option<String>, ServerStartError> {
    if users::count(engine.db()).await? > 0 {
        if bootstrap.is_some() {
            tracing::info!("ignored FORGE_BOOTSTRAP_TOKEN: the server has users");
        }
        return Ok(None);
    }
    if let Some(token) = bootstrap {
        make_admin(engine, token).await?;
        return Ok(None);
    }
    if !bound.ip().is_loopback() {
        return Err(ServerStartError::NoUsers { address: bound });
    }
    let code = engine.accounts().issue_first_run_link().await?;
    // The code is in the fragment, so it reaches no server log, proxy or Referer header.
    Ok(Some(format!("http://{bound}/welcome#code={}", code.expose())))
}

async fn make_admin(engine: &Engine, secret: &SecretString) -> Result<(), ServerStartError> {
    if secret.expose().len() < STRONG {
        tracing::warn!(
            "FORGE_BOOTSTRAP_TOKEN is short enough to be guessed; use it for tests only"
        );
    }
    let secret = PlainSecret::new(secret.expose());
    Ok(engine.accounts().create_first_admin(&secret).await?)
}
