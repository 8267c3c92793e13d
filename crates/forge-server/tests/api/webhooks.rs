//! Webhooks over HTTP: what may be set up, by whom, and what receivers get (S-2, S-6).

use forge_testkit::webhook_receiver::{ReceiverAnswer, WebhookReceiver};
use serde_json::{Value, json};

use crate::support::{TestServer, TestUser};

async fn server() -> TestServer {
    TestServer::start_with(&[("FORGE_PRIVATE_HOSTS", "127.0.0.1")]).await
}

async fn project(server: &TestServer, name: &str) -> String {
    let (status, project) = server.post("/projects", json!({ "name": name })).await;
    assert_eq!(status, 201, "{project}");
    project["id"].as_str().expect("an id").to_owned()
}

/// Adds a webhook; returns its path and its secret.
async fn add(server: &TestServer, project: &str, asked: Value) -> (String, String) {
    let (status, created) = server.post(&format!("/projects/{project}/webhooks"), asked).await;
    assert_eq!(status, 201, "{created}");
    let id = created["webhook"]["id"].as_str().expect("an id");
    let secret = created["secret"].as_str().expect("a secret").to_owned();
    (format!("/projects/{project}/webhooks/{id}"), secret)
}

async fn pause(server: &TestServer, project: &str) {
    let (status, answer) = server.post(&format!("/projects/{project}/pause"), json!({})).await;
    assert_eq!(status, 200, "{answer}");
    let (status, answer) = server.post(&format!("/projects/{project}/resume"), json!({})).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test]
async fn s_2_a_webhook_posts_what_the_event_stream_sends() {
    let (server, receiver) = (server().await, WebhookReceiver::start().await);
    let id = project(&server, "Shop").await;
    let (path, secret) = add(&server, &id, json!({ "url": receiver.url() })).await;
    pause(&server, &id).await;
    let received = receiver.wait_for(3).await;
    let query = format!("?project={id}&after=0");
    let streamed: Vec<_> =
        server.events(&query, None).await.take(4).await.into_iter().skip(1).collect();
    for (message, event) in received.iter().zip(&streamed) {
        assert!(message.is_signed_with(&secret));
        assert_eq!(message.json(), event.data);
    }
    let kinds: Vec<_> = streamed.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["webhook.created", "project.paused", "project.resumed"]);
    assert!(!received[0].body.contains(&secret) && !received[0].body.contains("http"));

    let (status, shown) = server.get(&path).await;
    assert_eq!(
        (status, &shown["status"], &shown["name"]),
        (200, &json!("active"), &json!("127.0.0.1"))
    );
    assert!(!shown.to_string().contains(&secret), "the secret is shown once");
    let (_, listed) = server.get(&format!("/projects/{id}/webhooks")).await;
    assert_eq!(listed["items"][0]["id"], shown["id"]);
    assert_eq!(server.delete(&path).await.0, 204);
    assert_eq!(server.get(&path).await.0, 404);
    pause(&server, &id).await;
    server.stop().await;
    assert_eq!(receiver.received().len(), 3, "nothing after the removal");
}

#[tokio::test]
async fn s_2_a_test_and_a_redelivery_answer_with_the_result() {
    let (server, receiver) = (server().await, WebhookReceiver::start().await);
    let id = project(&server, "Shop").await;
    let wanted =
        json!({ "url": receiver.url(), "event_types": ["project.paused"], "name": "chat" });
    let (path, secret) = add(&server, &id, wanted).await;
    receiver.answer_next([ReceiverAnswer::Status(500, "out of order")]);
    let (status, ping) = server.post(&format!("{path}/test"), json!({})).await;
    assert_eq!(
        (status, &ping["delivered"], &ping["http_status"]),
        (200, &json!(false), &json!(500))
    );
    assert_eq!((&ping["kind"], &ping["answer"]), (&json!("ping"), &json!("out of order")));
    let message = &receiver.received()[0];
    assert!(message.is_signed_with(&secret));
    assert_eq!(
        (&message.json()["type"], &message.json()["project_id"]),
        (&json!("webhook.ping"), &json!(id))
    );

    pause(&server, &id).await;
    receiver.wait_for(2).await;
    let (status, again) = server.post(&format!("{path}/deliveries/2/redeliver"), json!({})).await;
    assert_eq!(
        (status, &again["kind"], &again["event_type"]),
        (200, &json!("redelivery"), &json!("project.paused"))
    );
    let received = receiver.received();
    assert_eq!(received[1].body, received[2].body);
    let (_, listed) = server.get(&format!("{path}/deliveries")).await;
    let numbers: Vec<_> = listed["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|row| row["number"].as_i64())
        .collect();
    assert_eq!(numbers, [Some(3), Some(2), Some(1)]);
    let (status, absent) = server.post(&format!("{path}/deliveries/9/redeliver"), json!({})).await;
    assert_eq!((status, &absent["details"]["kind"]), (404, &json!("delivery")));
    server.stop().await;
}

#[tokio::test]
async fn s_6_only_members_see_and_change_the_webhooks_of_a_project() {
    let (server, receiver) = (server().await, WebhookReceiver::start().await);
    let (ann, bo) = (TestUser::new(&server, "Ann").await, TestUser::new(&server, "Bo").await);
    let (id, other) = (project(&server, "Shop").await, project(&server, "Other").await);
    ann.join(&id).await;
    bo.join(&other).await;
    let asked = json!({ "url": receiver.url() });
    let created = ann.post(&format!("/projects/{id}/webhooks"), asked.clone()).await;
    assert_eq!(created.status, 201, "{}", created.text);
    let hook = created.json()["webhook"]["id"].as_str().expect("an id").to_owned();
    let list = format!("/projects/{id}/webhooks");
    bo.get(&list).await.failed_with(404, "not_found");
    bo.post(&list, asked).await.failed_with(404, "not_found");
    for path in [format!("{list}/{hook}"), format!("{list}/{hook}/deliveries")] {
        bo.get(&path).await.failed_with(404, "not_found");
    }
    bo.post(&format!("{list}/{hook}/test"), json!({})).await.failed_with(404, "not_found");
    // The project of the path limits the callers, so a webhook is found only below its own project.
    let elsewhere = format!("/projects/{other}/webhooks/{hook}");
    bo.get(&elsewhere).await.failed_with(404, "not_found");
    bo.post(&format!("{elsewhere}/test"), json!({})).await.failed_with(404, "not_found");
    assert_eq!(ann.get(&format!("{list}/{hook}")).await.status, 200);
    receiver.wait_for(1).await;

    ann.leave(&id).await;
    pause(&server, &id).await;
    let mut events = server.events(&format!("?project={id}&after=0"), None).await;
    events.until(|event| event.kind == "webhook.disabled").await;
    let (_, shown) = server.get(&format!("{list}/{hook}")).await;
    assert_eq!(shown["status"], "disabled");
    assert_eq!(receiver.received().len(), 1, "a member who left gets nothing more");
    server.stop().await;
}

#[tokio::test]
async fn s_6_private_hosts_and_wrong_requests_are_refused_with_a_reason() {
    let server = TestServer::start().await;
    let id = project(&server, "Shop").await;
    let path = format!("/projects/{id}/webhooks");
    for url in ["http://127.0.0.1:9/", "https://localhost/", "https://[::1]/", "https://10.0.0.1/"]
    {
        let (status, refused) = server.post(&path, json!({ "url": url })).await;
        assert_eq!(
            (status, &refused["code"]),
            (422, &json!("address_not_allowed")),
            "{url}: {refused}"
        );
    }
    for (asked, field) in [
        (json!({ "url": "example.org" }), "url"),
        (json!({ "url": "http://203.0.113.7/" }), "url"),
        (json!({ "url": "https://203.0.113.7/", "event_types": [] }), "event_types"),
        (json!({ "url": "https://203.0.113.7/", "secret": "hunter22" }), "secret"),
        (json!({ "url": "https://203.0.113.7/", "name": "-x" }), "name"),
        (json!({ "url": "https://203.0.113.7/", "event_types": ["task.nothing"] }), "event_types"),
    ] {
        let (status, refused) = server.post(&path, asked.clone()).await;
        assert_eq!(status, 422, "{asked}: {refused}");
        let place = refused["details"]["path"].as_str().expect("a path");
        assert!(place.starts_with(field), "{asked}: {refused}");
        assert!(!refused.to_string().contains("hunter22"), "{refused}");
    }
    let (hook, _) = add(&server, &id, json!({ "url": "https://203.0.113.7/", "name": "a" })).await;
    let (status, refused) =
        server.post(&path, json!({ "url": "https://203.0.113.7/", "name": "a" })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")));
    let (status, refused) = server.patch(&hook, json!({ "version": 7, "name": "b" })).await;
    assert_eq!((status, &refused["code"]), (409, &json!("version_conflict")));
    let (status, changed) =
        server.patch(&hook, json!({ "version": 1, "enabled": false, "name": "b" })).await;
    assert_eq!(
        (status, &changed["status"], &changed["version"]),
        (200, &json!("disabled"), &json!(2))
    );
    server.stop().await;
}
