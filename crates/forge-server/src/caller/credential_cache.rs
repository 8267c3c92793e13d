//! Resolves tokens and sessions to callers. A short-lived cache saves a query per request of a busy client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use forge_api::SecretString;
use forge_domain::{AccountRole, Actor, Timestamp, TokenAccess, TokenId};
use forge_engine::{Engine, SecretHash};
use forge_store::tables::{execution_tokens, sessions, tokens, users::UserRow};
use tokio::sync::broadcast;

use crate::caller::caller_identity::{Caller, CallerCredential};
use crate::error::api_error::ApiError;

/// Lifetime of a cache entry. Other nodes notice a revocation this much later.
const CACHE_SECONDS: u64 = 5;
/// Limits the memory that a flood of different credentials can take.
const MOST: usize = 10_000;
/// How many ended credentials a slow listener may miss; after that it assumes that its own was among them.
const ENDINGS: usize = 64;
/// Precision of `last_used_at`.
const TOUCH_SECONDS: u64 = 60;

/// The cache of credentials; cheap to clone.
#[derive(Debug, Clone)]
pub struct CredentialCache {
    cache: Arc<Mutex<CachedCallers>>,
    ended: broadcast::Sender<CallerCredential>,
}

impl Default for CredentialCache {
    fn default() -> Self {
        Self { cache: Arc::default(), ended: broadcast::Sender::new(ENDINGS) }
    }
}

#[derive(Debug, Default)]
struct CachedCallers {
    callers: HashMap<CredentialKey, CachedCaller>,
    /// Counts invalidations: a query that started before one must not be cached after it.
    invalidations: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum CredentialKey {
    Token(String),
    Session(String),
}

#[derive(Debug, Clone)]
struct CachedCaller {
    caller: Caller,
    until: Timestamp,
}

impl CredentialCache {
    /// The owner of a valid token.
    pub(crate) async fn resolve_token(
        &self,
        engine: &Engine,
        token: &SecretString,
    ) -> Result<Option<Caller>, ApiError> {
        let (now, hash) = (engine.now(), SecretHash::of(token.expose()).to_text());
        let key = CredentialKey::Token(hash.clone());
        if let Some(caller) = self.cached_caller(&key, now) {
            return Ok(Some(caller));
        }
        let before = self.lock_cache().invalidations;
        let Some((token, user)) = tokens::by_hash(engine.db(), &hash).await? else {
            return resolve_execution(engine, &hash).await;
        };
        if !token.is_valid(now) {
            return Ok(None);
        }
        let caller = caller(user, token.scope, CallerCredential::Token(token.id));
        let is_stale = |used: Timestamp| used.plus_seconds(TOUCH_SECONDS) <= now;
        if token.last_used_at.is_none_or(is_stale) {
            tokio::spawn(record_token_use(engine.clone(), token.id, now));
        }
        self.cache_caller(key, &caller, now, token.expires_at, before);
        Ok(Some(caller))
    }

    /// The user of a valid session cookie.
    pub(crate) async fn resolve_session(
        &self,
        engine: &Engine,
        cookie: &SecretString,
    ) -> Result<Option<Caller>, ApiError> {
        let (now, hash) = (engine.now(), SecretHash::of(cookie.expose()).to_text());
        let key = CredentialKey::Session(hash.clone());
        if let Some(caller) = self.cached_caller(&key, now) {
            return Ok(Some(caller));
        }
        let before = self.lock_cache().invalidations;
        let Some((session, user)) = sessions::by_hash(engine.db(), &hash, now).await? else {
            return Ok(None);
        };
        let caller = caller(user, TokenAccess::Full, CallerCredential::Session(hash));
        self.cache_caller(key, &caller, now, Some(session.expires_at), before);
        Ok(Some(caller))
    }

    /// Call it after the end of a credential is committed: from then on this server rejects it and ends its open
    /// streams.
    pub(crate) fn invalidate(&self, ended: CallerCredential) {
        {
            let mut remembered = self.lock_cache();
            remembered.invalidations += 1;
            remembered.callers.retain(|_, entry| entry.caller.credential != ended);
        }
        // Without a listener no stream is open.
        let _ = self.ended.send(ended);
    }

    /// Completes when this credential is ended on this server.
    pub(crate) fn wait_until_ended(
        &self,
        credential: CallerCredential,
    ) -> impl Future<Output = ()> + Send + 'static {
        let mut endings = self.ended.subscribe();
        async move { while endings.recv().await.is_ok_and(|ended| ended != credential) {} }
    }

    fn cached_caller(&self, key: &CredentialKey, now: Timestamp) -> Option<Caller> {
        let remembered = self.lock_cache();
        let entry = remembered.callers.get(key).filter(|entry| now < entry.until)?;
        Some(entry.caller.clone())
    }

    fn cache_caller(
        &self,
        key: CredentialKey,
        caller: &Caller,
        now: Timestamp,
        expires_at: Option<Timestamp>,
        before: u64,
    ) {
        let mut remembered = self.lock_cache();
        if remembered.invalidations != before {
            return;
        }
        if remembered.callers.len() >= MOST {
            remembered.callers.retain(|_, entry| now < entry.until);
        }
        if remembered.callers.len() >= MOST {
            remembered.callers.clear();
        }
        let believed = now.plus_seconds(CACHE_SECONDS);
        let until = expires_at.map_or(believed, |end| end.min(believed));
        let caller = caller.clone();
        remembered.callers.insert(key, CachedCaller { caller, until });
    }

    fn lock_cache(&self) -> MutexGuard<'_, CachedCallers> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn caller(user: UserRow, scope: TokenAccess, credential: CallerCredential) -> Caller {
    let actor = Actor::User { id: user.id };
    Caller { actor, role: user.role, user: Some(user), scope, credential }
}

/// The execution with this token. Never cached: the token is invalid from the moment that its execution ends.
async fn resolve_execution(engine: &Engine, hash: &str) -> Result<Option<Caller>, ApiError> {
    let bearer = execution_tokens::by_hash(engine.db(), hash).await?;
    Ok(bearer.map(|bearer| Caller {
        actor: Actor::Agent { id: bearer.agent_id, execution: bearer.execution_id },
        user: None,
        role: AccountRole::Member,
        scope: TokenAccess::Full,
        credential: CallerCredential::Execution(bearer),
    }))
}

async fn record_token_use(engine: Engine, id: TokenId, now: Timestamp) {
    if let Err(error) = engine.accounts().record_token_use(id, now).await {
        tracing::debug!(%error, "failed to record the last use of a token");
    }
}
