//! The first start of an empty server: the first admin signs in with a token from the environment or a one-time link
//! (SPEC S-6).

use std::net::SocketAddr;

use forge_api::{SecretString, TokenScope, UserRole};
use forge_domain::{TokenId, UserId};
use forge_engine::{Engine, IdSource};
use forge_store::StoreError;
use forge_store::tables::{links, tokens, users};

use crate::auth::{OneTimeLink, SecretHash};
use crate::convert::stored_word;
use crate::start::errors::ServerStartError;

/// The default name of the first admin.
pub(crate) const FIRST_ADMIN: &str = "admin";
/// The stored purpose of the first-run link.
const FIRST_RUN: &str = "first_run";

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
    let (code, link) = OneTimeLink::issue(engine.now())?;
    let row = links::OneTimeLinkRow {
        hash: link.hash.to_text(),
        purpose: FIRST_RUN.to_owned(),
        user_id: None,
        expires_at: link.expires_at,
        used_at: None,
    };
    let write = engine.db().write(move |tx| {
        let row = row.clone();
        Box::pin(async move { links::insert(tx, &row).await })
    });
    let written: Result<(), StoreError> = write.await;
    written?;
    // The code is in the fragment, so it reaches no server log, proxy or Referer header.
    Ok(Some(format!("http://{bound}/welcome#code={}", code.expose())))
}

async fn make_admin(engine: &Engine, secret: &SecretString) -> Result<(), ServerStartError> {
    if secret.expose().len() < STRONG {
        tracing::warn!(
            "FORGE_BOOTSTRAP_TOKEN is short enough to be guessed; use it for tests only"
        );
    }
    let now = engine.now();
    let user = users::UserRow {
        id: UserId::new(IdSource::Random.next(now)),
        name: FIRST_ADMIN.to_owned(),
        password_hash: None,
        role: stored_word::stored_role(UserRole::Admin).to_owned(),
        created_at: now,
    };
    let token = tokens::TokenRow {
        id: TokenId::new(IdSource::Random.next(now)),
        user_id: user.id,
        name: "bootstrap".to_owned(),
        hash: SecretHash::of(secret).to_text(),
        scope: stored_word::stored_scope(TokenScope::Full).to_owned(),
        created_at: now,
        last_used_at: None,
        expires_at: None,
        revoked_at: None,
    };
    let write = engine.db().write(move |tx| {
        let (user, token) = (user.clone(), token.clone());
        Box::pin(async move {
            // Two nodes can start on one empty database; only one of them creates the first admin.
            if users::count_in(tx).await? == 0 {
                users::insert(tx, &user).await?;
                tokens::insert(tx, &token).await?;
            }
            Ok(())
        })
    });
    let written: Result<(), StoreError> = write.await;
    Ok(written?)
}
