//! Check results of a commit, against a fake of GitHub's API (M-16).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, http};
use forge_github::{CommitChecks, FailedCommitCheck, GitHubClient, GitHubError, GitHubRepository};
use serde_json::{Value, json};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// Statuses, check runs, and an error status to answer with.
type CheckLists = (Vec<Value>, Vec<Value>, Option<http::StatusCode>);

#[derive(Clone, Default)]
struct FakeChecks(Arc<Mutex<CheckLists>>);

async fn list(
    State(kept): State<FakeChecks>,
    Path((owner, name, commit, list)): Path<(String, String, String, String)>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    assert_eq!((owner.as_str(), name.as_str(), commit.as_str()), ("team", "shop", COMMIT));
    let kept = kept.0.lock().unwrap();
    if let Some(status) = kept.2 {
        let words = Json(json!({ "message": "no" }));
        return match status == http::StatusCode::FORBIDDEN {
            true => (status, [("x-ratelimit-remaining", "0")], words).into_response(),
            false => (status, words).into_response(),
        };
    }
    let (size, page) =
        (query["per_page"].parse().unwrap(), query["page"].parse::<usize>().unwrap());
    let (field, all) = match list.as_str() {
        "status" => ("statuses", &kept.0),
        _ => ("check_runs", &kept.1),
    };
    let part: Vec<_> = all.iter().skip((page - 1) * size).take(size).collect();
    Json(json!({ "total_count": all.len(), "state": "pending", field: part })).into_response()
}

fn status(name: &str, state: &str) -> Value {
    json!({ "context": name, "state": state, "target_url": format!("https://ci/{name}") })
}

fn run(name: &str, status: &str, conclusion: Option<&str>) -> Value {
    json!({ "name": name, "status": status, "conclusion": conclusion, "html_url": null, "details_url": format!("https://ci/{name}") })
}

fn failed(names: &[&str]) -> CommitChecks {
    let one = |name: &&str| FailedCommitCheck {
        name: (*name).to_owned(),
        url: Some(format!("https://ci/{name}")),
    };
    CommitChecks::Failed(names.iter().map(one).collect())
}

#[tokio::test]
async fn m_16_statuses_and_check_runs_of_a_commit_make_one_verdict() {
    let kept = FakeChecks::default();
    let routes = Router::new()
        .route("/repos/{owner}/{name}/commits/{commit}/{list}", get(list))
        .with_state(kept.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let github = GitHubClient::new(format!("http://{}", listener.local_addr().unwrap()), None);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let repository = GitHubRepository::of_path("/team/shop.git").unwrap();
    let ask = async || github.fetch_checks(&repository, COMMIT, "token").await;
    let set = |statuses: Vec<Value>, runs: Vec<Value>| {
        *kept.0.lock().unwrap() = (statuses, runs, None);
    };

    assert_eq!(ask().await.unwrap(), CommitChecks::None, "an empty combined status says pending");
    let skipped = || run("docs", "completed", Some("skipped"));
    set(vec![status("ci", "success")], vec![skipped()]);
    assert_eq!(ask().await.unwrap(), CommitChecks::Passed);
    set(vec![status("ci", "pending")], vec![skipped()]);
    assert_eq!(ask().await.unwrap(), CommitChecks::Pending);
    set(vec![], vec![run("test", "waiting", None), run("lint", "completed", Some("cancelled"))]);
    assert_eq!(ask().await.unwrap(), failed(&["lint"]));
    let mut many: Vec<_> = (0..120).map(|_| run("ok", "completed", Some("success"))).collect();
    many.push(run("last", "completed", Some("timed_out")));
    let mut statuses: Vec<_> = (0..60).map(|_| status("ok", "success")).collect();
    statuses.push(status("end", "error"));
    set(statuses, many);
    assert_eq!(ask().await.unwrap(), failed(&["end", "last"]), "every page is read");

    for (code, passing) in [(401, false), (403, true), (404, false), (429, true), (502, true)] {
        kept.0.lock().unwrap().2 = Some(http::StatusCode::from_u16(code).unwrap());
        let error = ask().await.unwrap_err();
        assert_eq!(error.is_transient(), passing, "{error}");
        assert_eq!(matches!(error, GitHubError::RateLimited(_)), [403, 429].contains(&code));
    }
    let odd = github.fetch_checks(&repository, "../../user", "token").await;
    assert!(matches!(odd, Err(GitHubError::UnexpectedAnswer(_))));
}
