//! Conditions under which a server starts (S-6, S-7).

use forge_server::ServerStartError;

use crate::support::TestServer;
use crate::support::server::{TOKEN, open, open_at};

#[tokio::test]
async fn e_12_a_second_server_on_the_same_directory_names_the_first() {
    let server = TestServer::start().await;
    let refused = open(server.directory(), &[]).await.expect_err("in use");
    assert!(matches!(refused, ServerStartError::Home(_)), "{refused}");
    let message = refused.to_string();
    assert!(message.contains(&std::process::id().to_string()), "{message}");
    assert!(message.contains("--data-dir"), "{message}");
    assert_eq!(server.get("/auth/me").await.0, 200);
}

#[tokio::test]
async fn s_6_a_public_address_requires_users() {
    let directory = tempfile::tempdir().expect("a directory");
    let refused = open_at(directory.path(), "0.0.0.0:0", &[]).await;
    let refused = refused.expect_err("any host could sign in first");
    assert!(matches!(refused, ServerStartError::NoUsers { .. }), "{refused}");
    let message = refused.to_string();
    assert!(message.contains("FORGE_BOOTSTRAP_TOKEN") && message.contains("127.0.0.1"));
    // Nothing keeps running: the directory is free again.
    let token = [("FORGE_BOOTSTRAP_TOKEN", TOKEN)];
    let server = open_at(directory.path(), "0.0.0.0:0", &token).await;
    assert_eq!(server.expect("a token is enough").first_run_link(), None);
}

/// For scripts and tests: the server accepts the token from the environment in any form.
#[tokio::test]
async fn s_6_a_bootstrap_token_is_accepted_in_any_form() {
    for token in ["test-token", "fg_short", "fg_0123456789abcdef0123456789abcdef"] {
        let directory = tempfile::tempdir().expect("a directory");
        let server = open(directory.path(), &[("FORGE_BOOTSTRAP_TOKEN", token)]).await;
        let server = server.expect(token);
        assert_eq!(server.first_run_link(), None);
        let hash = forge_engine::SecretHash::of(token).to_text();
        let known = forge_store::tables::tokens::by_hash(server.engine().db(), &hash).await;
        assert_eq!(known.expect("a read").map(|(_, user)| user.name).as_deref(), Some("admin"));
    }
}

#[tokio::test]
async fn s_6_a_bootstrap_token_is_invalid_on_a_server_with_users() {
    let directory = TestServer::start().await.stop().await;
    let other = "fg_another-token-that-came-too-late";
    let server = open(directory.path(), &[("FORGE_BOOTSTRAP_TOKEN", other)]).await;
    let engine = server.expect("it is ignored").engine().clone();
    let tokens = forge_store::tables::users::list(engine.db()).await.expect("users");
    assert_eq!(tokens.len(), 1);
    let admin = tokens.first().expect("the admin").id;
    let tokens = forge_store::tables::tokens::list_of_user(engine.db(), admin).await;
    assert_eq!(tokens.expect("tokens").len(), 1);
}

#[tokio::test]
async fn s_7_stopping_ends_open_event_streams_at_once() {
    let server = TestServer::start().await;
    let mut events = server.events("", None).await;
    server.stop().await;
    assert_eq!(events.next().await, None);
}
