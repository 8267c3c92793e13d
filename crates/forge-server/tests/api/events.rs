//! The event stream: durable, in order, without losses and duplicates (S-2).

use forge_api::EventType;
use http::Method;
use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::events::ReceivedEvent;

async fn project(server: &TestServer, name: &str) -> String {
    let (status, project) = server.post("/projects", json!({ "name": name })).await;
    assert_eq!(status, 201, "{project}");
    project["id"].as_str().expect("an id").to_owned()
}

async fn toggle(server: &TestServer, project: &str, times: usize) {
    for n in 0..times {
        let verb = if n % 2 == 0 { "pause" } else { "resume" };
        let (status, answer) = server.post(&format!("/projects/{project}/{verb}"), json!({})).await;
        assert_eq!(status, 200, "{answer}");
    }
}

#[test]
fn s_2_the_api_lists_every_domain_event() {
    let refused = serde_json::from_value::<forge_domain::TaskEvent>(json!({ "type": "no.such" }));
    // serde names every variant that it knows; there is no other complete list.
    let message = refused.expect_err("not an event").to_string();
    let names: Vec<_> = message.split('`').skip(3).step_by(2).collect();
    assert!(names.len() > 20, "{message}");
    for name in names {
        assert!(EventType::parse(name).is_some(), "{name} is not in forge_api::EventType");
    }
    for name in [
        "agent.created",
        "agent.paused",
        "agent.resumed",
        "project.created",
        "project.updated",
        "project.paused",
        "project.resumed",
        "project.member_added",
        "project.member_removed",
        "repo.added",
    ] {
        assert!(EventType::parse(name).is_some(), "{name}");
    }
}

#[tokio::test]
async fn s_2_live_events_have_their_actor_and_time() {
    let server = TestServer::start().await;
    let mut events = server.events("", None).await;
    let id = project(&server, "Shop").await;
    let event = events.next().await.expect("an event");
    assert_eq!(event.kind, "project.created");
    let data = &event.data;
    assert_eq!((&data["type"], &data["id"]), (&json!("project.created"), &json!(event.id)));
    assert_eq!((&data["project_id"], &data["seq"]), (&json!(id), &json!(1)));
    assert_eq!(data["actor"]["kind"], "user");
    assert!(data["at"].as_str().is_some_and(|at| at.ends_with('Z')));
    assert_eq!(data["data"]["name"], "Shop");
}

#[tokio::test]
async fn s_2_events_outside_projects_are_in_the_stream() {
    let server = TestServer::start().await;
    let mut events = server.events("", None).await;
    let body = json!({ "name": "bot", "executor": { "kind": "shell", "command": ["true"] } });
    server.post("/agents", body).await;
    let event = events.next().await.expect("an event");
    assert_eq!((event.kind.as_str(), &event.data["project_id"]), ("agent.created", &Value::Null));
}

/// The project and the sequence number of an event.
fn place(event: &ReceivedEvent) -> (String, u64) {
    let seq = event.data["seq"].as_u64().expect("a number");
    (event.data["project_id"].to_string(), seq)
}

#[tokio::test]
async fn s_2_resuming_from_any_id_loses_nothing_and_repeats_nothing() {
    let server = TestServer::start().await;
    let (first, second) = (project(&server, "One").await, project(&server, "Two").await);
    toggle(&server, &first, 6).await;
    toggle(&server, &second, 5).await;
    let all = server.events("?after=0", None).await.take(13).await;
    let mut expected: Vec<_> = all.iter().map(place).collect();
    expected.sort();
    for (read, last) in all.iter().enumerate() {
        let mut resumed = server.events("", Some(&last.id)).await;
        let rest = resumed.take(all.len() - read - 1).await;
        let mut places: Vec<_> = all.iter().take(read + 1).chain(&rest).map(place).collect();
        places.sort();
        assert_eq!(places, expected, "after {}", last.id);
        let end = rest.last().unwrap_or(last);
        assert_eq!(end.id, all.last().expect("events").id);
    }
}

/// A reader that loses its connection repeatedly while others write still sees each event once, in order.
#[tokio::test]
async fn s_2_a_reader_that_reconnects_while_others_write_sees_each_event_once() {
    let server = TestServer::start().await;
    let mut events = server.events("", None).await;
    let (first, second) = (project(&server, "One").await, project(&server, "Two").await);
    let writing = futures::future::join(toggle(&server, &first, 40), toggle(&server, &second, 40));
    let reading = async {
        let mut seen: Vec<ReceivedEvent> = Vec::new();
        while seen.len() < 82 {
            if seen.len() % 7 == 6 {
                let last = seen.last().map(|event| event.id.clone());
                events = server.events("", last.as_deref()).await;
            }
            seen.push(events.next().await.expect("the stream goes on"));
        }
        seen
    };
    let (_, seen) = futures::future::join(writing, reading).await;
    for project in [&first, &second] {
        let of_project = seen.iter().filter(|event| event.data["project_id"] == **project);
        let seqs: Vec<_> = of_project.map(|event| place(event).1).collect();
        assert_eq!(seqs, (1..=41).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn s_2_a_reader_that_disconnected_before_the_first_event_can_resume() {
    let server = TestServer::start().await;
    let began = server.events("", None).await.began().await;
    let id = project(&server, "Shop").await;
    let event = server.events("", Some(&began)).await.next().await.expect("an event");
    assert_eq!(event.data["project_id"], json!(id));
}

#[tokio::test]
async fn s_2_a_project_created_without_listeners_is_replayed_from_its_start() {
    let server = TestServer::start().await;
    let mut events = server.events("", None).await;
    project(&server, "One").await;
    let last = events.next().await.expect("an event").id;
    drop(events);
    let second = project(&server, "Two").await;
    let server = server.restart().await;
    let event = server.events("", Some(&last)).await.next().await.expect("an event");
    assert_eq!(
        (event.kind.as_str(), &event.data["project_id"]),
        ("project.created", &json!(second))
    );
}

#[tokio::test]
async fn s_2_a_long_history_is_replayed_completely() {
    let server = TestServer::start().await;
    let id = project(&server, "One").await;
    toggle(&server, &id, 450).await;
    let query = format!("?project={id}&after=0");
    let seen = server.events(&query, None).await.take(451).await;
    let seqs: Vec<_> = seen.iter().map(|event| place(event).1).collect();
    assert_eq!(seqs, (1..=451).collect::<Vec<_>>());
}

#[tokio::test]
async fn s_2_filters_by_project_and_type() {
    let server = TestServer::start().await;
    let (first, second) = (project(&server, "One").await, project(&server, "Two").await);
    let query = format!("?project={second}&type=project.paused,project.resumed");
    let mut events = server.events(&query, None).await;
    toggle(&server, &first, 2).await;
    toggle(&server, &second, 1).await;
    let event = events.next().await.expect("an event");
    assert_eq!(
        (event.kind.as_str(), &event.data["project_id"]),
        ("project.paused", &json!(second))
    );
    let everything = format!("?project={second}&type=project.resumed&after=0");
    let mut resumed = server.events(&everything, None).await;
    toggle(&server, &second, 2).await;
    assert_eq!(resumed.next().await.expect("an event").kind, "project.resumed");
}

#[tokio::test]
async fn s_2_invalid_stream_requests_are_refused() {
    let server = TestServer::start().await;
    for (query, parameter) in [
        ("?type=task.exploded", "type"),
        ("?project=shop", "project"),
        ("?after=yesterday", "after"),
        ("?kind=x", "kind"),
    ] {
        let (status, refused) = server.get(&format!("/events{query}")).await;
        assert_eq!(
            (status, &refused["code"]),
            (400, &json!("invalid_query")),
            "{query}: {refused}"
        );
        assert_eq!(refused["details"]["parameter"], parameter, "{refused}");
    }
    let unknown = format!("/events?project={}", uuid::Uuid::from_u128(1));
    let (status, refused) = server.get(&unknown).await;
    assert_eq!((status, &refused["details"]["kind"]), (404, &json!("project")));
    let request = server.request(Method::GET, "/events").header("last-event-id", "x:y");
    let answer = server.send(request, None::<String>).await;
    answer.failed_with(400, "invalid_query");
}

fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("the kernel's figures");
    let resident = pages.split_whitespace().nth(1).expect("a second figure");
    resident.parse::<usize>().expect("a number") * 4096
}

/// Clients that request everything and read only the beginning use little memory, and none after they disconnect: the
/// server once kept 172 MB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn issue_13_21_stalled_clients_use_little_memory_and_it_is_released() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    const CLIENTS: usize = 80;
    const MEGABYTE: usize = 1024 * 1024;
    let server = TestServer::start().await;
    let id = project(&server, "Shop").await;
    let description = "A long description of what is to be done.\n".repeat(400);
    for n in 0..250 {
        let asked = json!({ "title": format!("task {n}"), "description": description });
        let (status, made) = server.post(&format!("/projects/{id}/tasks"), asked).await;
        assert_eq!(status, 201, "{made}");
    }
    let head = server.request(Method::GET, "/events?after=0").body(()).expect("a request");
    let mut text = format!("GET {} HTTP/1.1\r\n", head.uri());
    for (name, value) in head.headers() {
        text.push_str(&format!("{name}: {}\r\n", value.to_str().expect("plain")));
    }
    text.push_str("\r\n");
    let before = resident_bytes();
    let mut releases = forge_server::memory_releases();
    let mut stalled = Vec::new();
    for _ in 0..CLIENTS {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let mut stream = socket.connect(server.address()).await.expect("connected");
        stream.write_all(text.as_bytes()).await.expect("sent");
        let mut read = Vec::new();
        while !read.windows(6).any(|part| part == b"event:") {
            let mut part = [0; 512];
            let count = stream.read(&mut part).await.expect("readable");
            assert_ne!(count, 0, "{}", String::from_utf8_lossy(&read));
            read.extend_from_slice(&part[..count]);
        }
        stalled.push(stream);
    }
    let held = resident_bytes().saturating_sub(before);
    assert!(held < CLIENTS * MEGABYTE, "{} MB for {CLIENTS} clients", held / MEGABYTE);
    drop(stalled);
    let (status, _) = server.get("/projects").await;
    assert_eq!(status, 200);
    releases.changed().await.expect("memory is given back when streams end");
    let kept = resident_bytes().saturating_sub(before);
    assert!(kept < 30 * MEGABYTE, "{} MB stayed of {} MB", kept / MEGABYTE, held / MEGABYTE);
}
