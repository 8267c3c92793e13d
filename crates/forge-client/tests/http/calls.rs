//! Requests as the server receives them, answers as the caller gets them.

use axum::extract::Query;
use axum::http::header::SET_COOKIE;
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use forge_api::{
    ActionView, AssignRole, LoginRequest, NewToken, Page, RoleAssignee, SecretString, TaskQuery,
    TransitionRequest, TransitionResponse,
};
use forge_client::{ClientError, TransitionWait, collect_pages};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::{TOKEN, serve, task};

#[tokio::test]
async fn t_2_pages_are_fetched_until_the_limit_is_reached() {
    async fn list(Query(query): Query<Value>) -> Json<Value> {
        let cursor = query.get("cursor").and_then(Value::as_str).unwrap_or("0");
        let first: usize = cursor.parse().expect("a cursor of ours");
        let limit = query.get("limit").and_then(Value::as_str).expect("a limit");
        let limit: usize = limit.parse::<usize>().expect("a number").min(2);
        let items: Vec<_> = (first..(first + limit).min(5)).map(|n| task(&n.to_string())).collect();
        let next = first + items.len();
        let next_cursor = (next < 5).then(|| next.to_string());
        Json(json!({ "items": items, "next_cursor": next_cursor }))
    }
    let served = serve(Router::new().route("/api/v1/projects/{id}/tasks", get(list))).await;
    let titles = async |at_most| {
        let page = collect_pages(at_most, |page| {
            let query = TaskQuery {
                status: Some("a b&c".to_owned()),
                limit: page.limit,
                cursor: page.cursor,
                ..TaskQuery::default()
            };
            let client = served.client.clone();
            async move { client.tasks().fetch_page(Uuid::nil(), &query).await }
        });
        let page: Page<_> = page.await.expect("pages");
        let titles: String = page.items.into_iter().map(|task| task.title).collect();
        (titles, page.next_cursor)
    };
    assert_eq!(titles(100).await, ("01234".to_owned(), None));
    assert_eq!(titles(3).await, ("012".to_owned(), Some("3".to_owned())));
    let project = Uuid::nil();
    let expected = format!(
        "GET /api/v1/projects/{project}/tasks?status=a+b%26c&include_archived=false&limit=1&cursor=2 authorization=Bearer {TOKEN}"
    );
    assert_eq!(served.requests().last(), Some(&expected));
}

#[tokio::test]
async fn s_6_a_password_gives_a_session_that_can_make_a_token() {
    let login = || async {
        let user = json!({ "id": Uuid::nil(), "name": "ann", "role": "admin", "created_at": "2026-01-02T03:04:05Z" });
        let cookie = "forge_session=s3cret; HttpOnly; Path=/";
        ([(SET_COOKIE, cookie)], Json(json!({ "user": user })))
    };
    let token = || async {
        Json(json!({ "secret": "fg_new", "token": {
            "id": Uuid::nil(), "name": "cli", "user_id": Uuid::nil(), "scope": "full", "created_at": "2026-01-02T03:04:05Z",
            "last_used_at": null, "expires_at": null, "revoked_at": null,
        }}))
    };
    let routes =
        Router::new().route("/api/v1/auth/login", post(login)).route("/api/v1/tokens", post(token));
    let served = serve(routes).await;
    let login = LoginRequest { name: "ann".to_owned(), password: SecretString::new("hunter2") };
    let (signed_in, session) = served.client.accounts().sign_in(&login).await.expect("signed in");
    assert_eq!(signed_in.user.name, "ann");
    let wanted = NewToken { name: "cli".to_owned(), scope: None, expires_in_seconds: None };
    let created = session.tokens().create(&wanted).await.expect("a token");
    assert_eq!(created.secret.expose(), "fg_new");
    assert_eq!(served.requests()[1], "POST /api/v1/tokens cookie=forge_session=s3cret");
    let shown = format!("{session:?}");
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[tokio::test]
async fn t_9_moves_can_wait_for_the_work_or_not() {
    let moved = || async { Json(task("moved")) };
    let served = serve(Router::new().route("/api/v1/tasks/{id}/transition", post(moved))).await;
    let request =
        TransitionRequest { status: "anything".to_owned(), version: Some(3), reason: None };
    for waiting in [TransitionWait::UntilDone, TransitionWait::UntilRecorded] {
        let answer = served.client.tasks().move_to(Uuid::nil(), &request, waiting).await;
        let expected = TransitionResponse::Task(Box::new(task("moved")));
        assert_eq!(answer, Ok(expected));
    }
    let requests = served.requests();
    assert!(!requests[0].contains("prefer="), "{requests:?}");
    assert!(requests[1].ends_with("prefer=respond-async"), "{requests:?}");
}

#[tokio::test]
async fn names_from_outside_stay_inside_their_segment() {
    let served = serve(
        Router::new()
            .route("/api/v1/tasks/{id}/roles/{role}", post(|| async { Json(task("assigned")) })),
    )
    .await;
    let request = AssignRole {
        assignee: RoleAssignee::Agent(Uuid::nil()),
        reset_worktree: false,
        reset_workspace: false,
    };
    let assigned = served.client.tasks().assign_role(Uuid::nil(), "../a/b?c", &request).await;
    assert_eq!(assigned.expect("one segment").title, "assigned");
}

#[tokio::test]
async fn an_answer_without_a_body_is_accepted_where_none_is_expected() {
    let gone = delete(|| async { axum::http::StatusCode::NO_CONTENT });
    let served = serve(Router::new().route("/api/v1/tokens/{id}", gone)).await;
    assert_eq!(served.client.tokens().revoke(Uuid::nil()).await, Ok(()));
}

#[tokio::test]
async fn t_11_an_action_is_performed_as_the_server_describes_it() {
    let moved = |Json(body): Json<Value>| async move { Json(body) };
    let served = serve(Router::new().route("/api/v1/tasks/{id}/transition", post(moved))).await;
    let action = ActionView {
        name: "transition".to_owned(),
        target: Some("next".to_owned()),
        label: "Move".to_owned(),
        method: "POST".to_owned(),
        path: format!("/api/v1/tasks/{}/transition", Uuid::nil()),
        parameters: Vec::new(),
        command: None,
    };
    let parameters = serde_json::Map::from_iter([("status".to_owned(), json!("next"))]);
    let answer = served.client.tasks().perform(&action, &parameters).await.expect("an answer");
    assert_eq!(answer, json!({ "status": "next" }));
    let request = served.requests().pop().expect("a request");
    assert!(request.ends_with("prefer=respond-async"), "a move is only recorded: {request}");
    // The token must not reach anything but the API of this server.
    for path in ["/metrics", "//elsewhere.example/api/v1/tasks", "/api/v1"] {
        let action = ActionView { path: path.to_owned(), ..action.clone() };
        let refused = served.client.tasks().perform(&action, &parameters).await;
        assert!(matches!(refused, Err(ClientError::BadRequest(_))), "{path}: {refused:?}");
    }
    assert_eq!(served.requests().len(), 1);
}
