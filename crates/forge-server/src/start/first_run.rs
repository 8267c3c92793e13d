//! An empty server: its first admin comes by a token from the environment or by a one-time link (SPEC S-6).

use std::net::SocketAddr;

use forge_api::{Secret, TokenScope, UserRole};
use forge_domain::{TokenId, UserId};
use forge_engine::{Engine, Ids};
use forge_store::StoreError;
use forge_store::tables::{links, tokens, users};

use super::errors::StartError;
use crate::auth::{Link, SecretHash};
use crate::convert::word;

/// What the first admin is called unless they choose a name.
pub(crate) const FIRST_ADMIN: &str = "admin";
/// What the link of the first start is for, as it is stored.
const FIRST_RUN: &str = "first_run";

/// As many characters as cannot be guessed.
const STRONG: usize = 24;

/// Makes sure that somebody can get in and nobody else can; the link to print, if one is needed.
pub(super) async fn first_run(
    engine: &Engine,
    bound: SocketAddr,
    bootstrap: Option<&Secret>,
) -> Result<Option<String>, StartError> {
    if users::count(engine.db()).await? > 0 {
        if bootstrap.is_some() {
            tracing::info!("FORGE_BOOTSTRAP_TOKEN is ignored: this server has users already");
        }
        return Ok(None);
    }
    if let Some(token) = bootstrap {
        make_admin(engine, token).await?;
        return Ok(None);
    }
    if !bound.ip().is_loopback() {
        return Err(StartError::NoUsers { address: bound });
    }
    let (code, link) = Link::issue(engine.now())?;
    let row = links::Link {
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
    // The code is in the fragment: it reaches no server log, no proxy and no Referer header.
    Ok(Some(format!("http://{bound}/welcome#code={}", code.expose())))
}

async fn make_admin(engine: &Engine, secret: &Secret) -> Result<(), StartError> {
    if secret.expose().len() < STRONG {
        tracing::warn!(
            "FORGE_BOOTSTRAP_TOKEN is short enough to be guessed; use it for tests only"
        );
    }
    let now = engine.now();
    let user = users::User {
        id: UserId::new(Ids::Random.next(now)),
        name: FIRST_ADMIN.to_owned(),
        password_hash: None,
        role: word::of_role(UserRole::Admin).to_owned(),
        created_at: now,
    };
    let token = tokens::Token {
        id: TokenId::new(Ids::Random.next(now)),
        user_id: user.id,
        name: "bootstrap".to_owned(),
        hash: SecretHash::of(secret).to_text(),
        scope: word::of_scope(TokenScope::Full).to_owned(),
        created_at: now,
        last_used_at: None,
        expires_at: None,
        revoked_at: None,
    };
    let write = engine.db().write(move |tx| {
        let (user, token) = (user.clone(), token.clone());
        Box::pin(async move {
            // Two nodes can start on one empty database; only one of them makes the first admin.
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
