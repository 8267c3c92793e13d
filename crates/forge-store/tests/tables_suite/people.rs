//! Users, tokens, sessions, one-time links (S-6).

use std::sync::Arc;

use forge_domain::{AccountRole, TokenAccess, TokenId, UserId};
use forge_store::tables::links::{self, OneTimeLinkRow};
use forge_store::tables::sessions::{self, SessionRow};
use forge_store::tables::tokens::{self, TokenRow};
use forge_store::tables::users::{self, UserRow};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{at, commit, id};

fn user() -> UserRow {
    UserRow {
        id: UserId::new(id(1)),
        name: "Zoë".to_owned(),
        password_hash: None,
        role: AccountRole::Admin,
        created_at: at(1),
        removed_at: None,
    }
}

both_databases! {
    /// S-6: users are read back as stored.
    async fn s_6_users(database: Arc<TestDatabase>) {
        let db = database.open().await;
        assert_eq!(users::count(&db).await.unwrap(), 0);
        let mut user = user();
        commit!(db, (user), |tx| users::insert(tx, &user));
        assert_eq!(users::by_name(&db, "Zoë").await.unwrap(), Some(user.clone()));
        assert_eq!(users::by_name(&db, "zoë").await.unwrap(), None);
        user.password_hash = Some("$argon2id$…".to_owned());
        assert!(commit!(db, (user), |tx| users::update(tx, &user)));
        assert_eq!(users::load(&db, user.id).await.unwrap(), Some(user.clone()));
        assert_eq!(users::list(&db).await.unwrap(), [user]);
        assert_eq!(users::count(&db).await.unwrap(), 1);
        assert_eq!(commit!(db, (), |tx| users::count_in(tx)), 1);
    }

    /// S-6: a token is found by its hash together with its owner, and stops working when it is revoked or expired.
    async fn s_6_tokens(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let user = user();
        let token = TokenRow {
            id: TokenId::new(id(2)),
            user_id: user.id,
            name: "laptop".to_owned(),
            hash: "ab".repeat(32),
            scope: TokenAccess::Full,
            created_at: at(1),
            last_used_at: None,
            expires_at: Some(at(100)),
            revoked_at: None,
        };
        commit!(db, (user, token), |tx| async {
            users::insert(tx, &user).await?;
            tokens::insert(tx, &token).await
        });
        assert_eq!(tokens::by_hash(&db, &token.hash).await.unwrap(), Some((token.clone(), user.clone())));
        assert_eq!(tokens::by_hash(&db, "no").await.unwrap(), None);
        assert!(token.is_valid(at(99)));
        assert!(!token.is_valid(at(100)));
        let id = token.id;
        commit!(db, (id), |tx| tokens::touch(tx, id, at(50)));
        assert!(commit!(db, (id), |tx| tokens::revoke(tx, id, at(60))));
        assert!(!commit!(db, (id), |tx| tokens::revoke(tx, id, at(70))));
        let listed = tokens::list_of_user(&db, user.id).await.unwrap();
        let expected = TokenRow { last_used_at: Some(at(50)), revoked_at: Some(at(60)), ..token };
        assert!(!expected.is_valid(at(61)));
        assert_eq!(listed, [expected]);
    }

    /// S-6: a session ends by expiry and by signing out.
    async fn s_6_sessions(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let user = user();
        let session = |hash: &str, expires_at| SessionRow {
            hash: hash.to_owned(),
            user_id: user.id,
            created_at: at(1),
            expires_at: at(expires_at),
        };
        let (short, long) = (session("short", 10), session("long", 20));
        commit!(db, (user, short, long), |tx| async {
            users::insert(tx, &user).await?;
            sessions::insert(tx, &short).await?;
            sessions::insert(tx, &long).await
        });
        assert_eq!(sessions::by_hash(&db, "short", at(9)).await.unwrap(), Some((short, user.clone())));
        assert_eq!(sessions::by_hash(&db, "short", at(10)).await.unwrap(), None);
        assert_eq!(commit!(db, (), |tx| sessions::delete_expired(tx, at(10))), 1);
        assert!(sessions::by_hash(&db, "long", at(10)).await.unwrap().is_some());
        assert!(commit!(db, (), |tx| sessions::delete(tx, "long")));
        assert!(!commit!(db, (), |tx| sessions::delete(tx, "long")));
        assert_eq!(sessions::by_hash(&db, "long", at(10)).await.unwrap(), None);
    }

    /// S-6: however many requests try at once, a link works once.
    async fn s_6_a_link_works_once(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let link = OneTimeLinkRow {
            hash: "code".to_owned(),
            purpose: "first_run".to_owned(),
            user_id: None,
            expires_at: at(10),
            used_at: None,
        };
        let late = OneTimeLinkRow { hash: "late".to_owned(), ..link.clone() };
        commit!(db, (link, late), |tx| async {
            links::insert(tx, &link).await?;
            links::insert(tx, &late).await
        });
        let tries = (0..16).map(|_| async { commit!(db, (), |tx| links::use_once(tx, "code", at(5))) });
        let used: Vec<OneTimeLinkRow> = futures::future::join_all(tries).await.into_iter().flatten().collect();
        assert_eq!(used, [OneTimeLinkRow { used_at: Some(at(5)), ..link }]);
        assert_eq!(commit!(db, (), |tx| links::use_once(tx, "late", at(10))), None);
        assert_eq!(commit!(db, (), |tx| links::use_once(tx, "nothing", at(1))), None);
    }
}
