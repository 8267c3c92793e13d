//! Whose token or session it is, remembered for a moment so that a busy client does not cost a query per request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use forge_api::{Secret, TokenScope, UserRole};
use forge_domain::{Actor, Timestamp, TokenId};
use forge_engine::Engine;
use forge_store::StoreError;
use forge_store::tables::{execution_tokens, sessions, tokens, users::User};
use tokio::sync::broadcast;

use super::known::{Caller, Credential};
use crate::auth::SecretHash;
use crate::convert::word;
use crate::failure::Failure;

/// How long an answer of the database is believed. Other nodes learn of a revocation this much later.
const BELIEVED_SECONDS: u64 = 5;
/// A flood of different credentials must not fill the memory.
const MOST: usize = 10_000;
/// How many endings a slow listener may miss; then it takes it that its own was among them.
const ENDINGS: usize = 64;
/// How exactly `last_used_at` is kept.
const TOUCH_SECONDS: u64 = 60;

/// What the server knows about credentials right now; cheap to clone.
#[derive(Debug, Clone)]
pub struct Credentials {
    remembered: Arc<Mutex<Remembered>>,
    ended: broadcast::Sender<Credential>,
}

impl Default for Credentials {
    fn default() -> Self {
        Self { remembered: Arc::default(), ended: broadcast::Sender::new(ENDINGS) }
    }
}

#[derive(Debug, Default)]
struct Remembered {
    callers: HashMap<Key, Entry>,
    /// Counts what was forgotten on purpose: an answer that was asked for before must not be remembered after.
    forgotten: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Token(String),
    Session(String),
}

#[derive(Debug, Clone)]
struct Entry {
    caller: Caller,
    until: Timestamp,
}

impl Credentials {
    /// The owner of a token that works.
    pub(crate) async fn of_token(
        &self,
        engine: &Engine,
        token: &Secret,
    ) -> Result<Option<Caller>, Failure> {
        let (now, hash) = (engine.now(), SecretHash::of(token).to_text());
        let key = Key::Token(hash.clone());
        if let Some(caller) = self.recall(&key, now) {
            return Ok(Some(caller));
        }
        let before = self.remembered().forgotten;
        let Some((token, user)) = tokens::by_hash(engine.db(), &hash).await? else {
            return of_execution(engine, &hash).await;
        };
        if !token.is_valid(now) {
            return Ok(None);
        }
        let scope = word::parse("scope", &token.scope)?;
        let caller = caller(user, scope, Credential::Token(token.id))?;
        let is_stale = |used: Timestamp| used.plus_seconds(TOUCH_SECONDS) <= now;
        if token.last_used_at.is_none_or(is_stale) {
            tokio::spawn(touch(engine.clone(), token.id, now));
        }
        self.remember(key, &caller, now, token.expires_at, before);
        Ok(Some(caller))
    }

    /// Who signed in with this cookie.
    pub(crate) async fn of_session(
        &self,
        engine: &Engine,
        cookie: &Secret,
    ) -> Result<Option<Caller>, Failure> {
        let (now, hash) = (engine.now(), SecretHash::of(cookie).to_text());
        let key = Key::Session(hash.clone());
        if let Some(caller) = self.recall(&key, now) {
            return Ok(Some(caller));
        }
        let before = self.remembered().forgotten;
        let Some((session, user)) = sessions::by_hash(engine.db(), &hash, now).await? else {
            return Ok(None);
        };
        let caller = caller(user, TokenScope::Full, Credential::Session(hash))?;
        self.remember(key, &caller, now, Some(session.expires_at), before);
        Ok(Some(caller))
    }

    /// Call it once the end of a credential is committed: from then on it opens nothing here, and what it holds open
    /// ends.
    pub(crate) fn forget(&self, ended: Credential) {
        {
            let mut remembered = self.remembered();
            remembered.forgotten += 1;
            remembered.callers.retain(|_, entry| entry.caller.credential != ended);
        }
        // Nobody listening is fine: nothing is open.
        let _ = self.ended.send(ended);
    }

    /// Completes when this credential is ended here.
    pub(crate) fn ended(
        &self,
        credential: Credential,
    ) -> impl Future<Output = ()> + Send + 'static {
        let mut endings = self.ended.subscribe();
        async move { while endings.recv().await.is_ok_and(|ended| ended != credential) {} }
    }

    fn recall(&self, key: &Key, now: Timestamp) -> Option<Caller> {
        let remembered = self.remembered();
        let entry = remembered.callers.get(key).filter(|entry| now < entry.until)?;
        Some(entry.caller.clone())
    }

    fn remember(
        &self,
        key: Key,
        caller: &Caller,
        now: Timestamp,
        expires_at: Option<Timestamp>,
        before: u64,
    ) {
        let mut remembered = self.remembered();
        if remembered.forgotten != before {
            return;
        }
        if remembered.callers.len() >= MOST {
            remembered.callers.retain(|_, entry| now < entry.until);
        }
        if remembered.callers.len() >= MOST {
            remembered.callers.clear();
        }
        let believed = now.plus_seconds(BELIEVED_SECONDS);
        let until = expires_at.map_or(believed, |end| end.min(believed));
        let caller = caller.clone();
        remembered.callers.insert(key, Entry { caller, until });
    }

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn caller(user: User, scope: TokenScope, credential: Credential) -> Result<Caller, Failure> {
    Ok(Caller {
        actor: Actor::User { id: user.id },
        role: word::parse("role", &user.role)?,
        user: Some(user),
        scope,
        credential,
    })
}

/// The execution with this token. Never remembered: it opens nothing from the moment that its run is over.
async fn of_execution(engine: &Engine, hash: &str) -> Result<Option<Caller>, Failure> {
    let bearer = execution_tokens::by_hash(engine.db(), hash).await?;
    Ok(bearer.map(|bearer| Caller {
        actor: Actor::Agent { id: bearer.agent_id, execution: bearer.execution_id },
        user: None,
        role: UserRole::Member,
        scope: TokenScope::Full,
        credential: Credential::Execution(bearer),
    }))
}

async fn touch(engine: Engine, id: TokenId, now: Timestamp) {
    let write =
        engine.db().write(move |tx| Box::pin(async move { tokens::touch(tx, id, now).await }));
    let written: Result<(), StoreError> = write.await;
    if let Err(error) = written {
        tracing::debug!(%error, "the last use of a token was not noted");
    }
}
