//! Tokens of GitHub App installations, against a fake of GitHub's API (M-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::{Arc, Mutex};

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forge_github::{AppKey, GitHubClient, GitHubError};
use http::{HeaderMap, StatusCode};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use serde_json::{Value, json};

const KEY: &str = include_str!("app_key.pem");

type TokenRequests = Arc<Mutex<Vec<(u64, String)>>>;

async fn token(
    State(asked): State<TokenRequests>,
    Path(installation): Path<u64>,
    headers: HeaderMap,
) -> (StatusCode, Json<Value>) {
    let proof = headers["authorization"].to_str().unwrap().strip_prefix("Bearer ").unwrap();
    let mut asked = asked.lock().unwrap();
    asked.push((installation, proof.to_owned()));
    if installation == 404 {
        return (StatusCode::NOT_FOUND, Json(json!({ "message": "Not Found" })));
    }
    let answer = json!({ "token": format!("ghs_{installation}_{}", asked.len()), "expires_at": "2026-01-01T01:00:00Z" });
    (StatusCode::CREATED, Json(answer))
}

/// The fake's address, and the requests it received.
async fn start_fake_api() -> (String, TokenRequests) {
    let asked = TokenRequests::default();
    let routes = Router::new()
        .route("/app/installations/{id}/access_tokens", post(token))
        .with_state(asked.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    (format!("http://{address}"), asked)
}

/// 2026-01-01T00:00:00Z, in seconds.
const NOW: i64 = 1_767_225_600;

#[tokio::test]
async fn m_15_an_installations_token_is_kept_until_shortly_before_its_end() {
    let (api, asked) = start_fake_api().await;
    let github = GitHubClient::new(api, Some(AppKey::new("12345", KEY).unwrap()));
    let at = async |seconds: i64| github.installation_token(7, NOW + seconds).await.unwrap();
    assert_eq!(at(0).await, "ghs_7_1");
    assert_eq!(at(2000).await, "ghs_7_1");
    assert_eq!(at(3599).await, "ghs_7_2", "a push may take as long as what is left");
    let (one, two) =
        tokio::join!(github.installation_token(8, NOW), github.installation_token(8, NOW));
    assert_eq!((one.unwrap(), two.unwrap()), ("ghs_8_3".to_owned(), "ghs_8_3".to_owned()));
    assert!(!format!("{github:?}").contains("ghs_"));

    let proof = asked.lock().unwrap()[0].1.clone();
    let (signed, signature) = proof.rsplit_once('.').unwrap();
    let (_, claims) = signed.split_once('.').unwrap();
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    assert_eq!(claims["iss"], "12345");
    assert!(claims["exp"].as_i64().unwrap() <= NOW + 600);
    let der: String = KEY.lines().filter(|line| !line.starts_with('-')).collect();
    let der = base64::engine::general_purpose::STANDARD.decode(der).unwrap();
    let pair = RsaKeyPair::from_pkcs8(&der).unwrap();
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public().as_ref());
    public.verify(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
}

#[tokio::test]
async fn m_15_a_refusal_names_what_to_check() {
    let (api, _) = start_fake_api().await;
    let github = GitHubClient::new(&api, Some(AppKey::new("12345", KEY).unwrap()));
    let error = github.installation_token(404, NOW).await.unwrap_err();
    assert_eq!(error, GitHubError::Refused { status: 404, message: "Not Found".to_owned() });
    assert!(!error.is_transient());
    let none = GitHubClient::new(&api, None).installation_token(7, NOW).await.unwrap_err();
    assert_eq!(none, GitHubError::NoApp);
    let unreachable = GitHubClient::new("http://127.0.0.1:9", Some(AppKey::new("1", KEY).unwrap()));
    assert!(unreachable.installation_token(7, NOW).await.unwrap_err().is_transient());
    assert!(
        AppKey::new("1", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----").is_err()
    );
}
