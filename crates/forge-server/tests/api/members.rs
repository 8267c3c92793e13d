//! Project membership: what a user may see, and during which time (S-6, S-2).

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{TestServer, TestUser};

async fn project(server: &TestServer, name: &str) -> String {
    let (status, project) = server.post("/projects", json!({ "name": name })).await;
    assert_eq!(status, 201, "{project}");
    project["id"].as_str().expect("an id").to_owned()
}

async fn pause(server: &TestServer, project: &str) {
    let (status, answer) = server.post(&format!("/projects/{project}/pause"), json!({})).await;
    assert_eq!(status, 200, "{answer}");
    let (status, answer) = server.post(&format!("/projects/{project}/resume"), json!({})).await;
    assert_eq!(status, 200, "{answer}");
}

fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().expect("items");
    items.iter().map(|item| item["name"].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn s_6_members_and_admins_see_a_project() {
    let server = TestServer::start().await;
    let (ann, bo) = (TestUser::new(&server, "Ann").await, TestUser::new(&server, "Bo").await);
    let hers = ann.post("/projects", json!({ "name": "Hers" })).await;
    assert_eq!(hers.status, 201, "{}", hers.text);
    let id = hers.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("/projects/{id}");
    project(&server, "The admin's").await;

    assert_eq!(names(&ann.get("/projects").await.json()), ["Hers"], "who makes it is in it");
    assert_eq!(names(&bo.get("/projects").await.json()), [""; 0]);
    assert_eq!(names(&server.get("/projects").await.1), ["Hers", "The admin's"]);
    assert_eq!(ann.get(&path).await.status, 200);

    let hidden = bo.get(&path).await;
    hidden.failed_with(404, "not_found");
    let absent = Uuid::from_u128(7);
    let unknown = bo.get(&format!("/projects/{absent}")).await;
    unknown.failed_with(404, "not_found");
    let (hidden, unknown) = (hidden.json(), unknown.json());
    for field in ["message", "details"] {
        let told = hidden[field].to_string().replace(&id, &absent.to_string());
        assert_eq!(told, unknown[field].to_string(), "nothing tells the two apart");
    }

    let added = ann.post(&format!("{path}/members"), json!({ "user_id": bo.id })).await;
    assert_eq!((added.status, &added.json()["name"]), (201, &json!("Bo")), "a member adds another");
    assert_eq!(bo.get(&path).await.status, 200);
    assert_eq!(names(&bo.get("/projects").await.json()), ["Hers"]);
    assert_eq!(names(&bo.get(&format!("{path}/members")).await.json()), ["Ann", "Bo"]);
    bo.leave(&id).await;
    bo.get(&path).await.failed_with(404, "not_found");
}

#[tokio::test]
async fn s_6_adding_or_removing_twice_changes_nothing() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let id = project(&server, "Shop").await;
    let path = format!("/projects/{id}/members");
    let (_, first) = server.post(&path, json!({ "user_id": bo.id })).await;
    let (status, again) = server.post(&path, json!({ "user_id": bo.id })).await;
    assert_eq!((status, again), (201, first));
    assert_eq!(names(&server.get(&path).await.1), ["Bo", "admin"]);
    bo.leave(&id).await;
    bo.leave(&id).await;
    pause(&server, &id).await;
    let past = server.events(&format!("?project={id}&after=0"), None).await.take(5).await;
    let kinds: Vec<_> = past.iter().map(|event| event.kind.as_str()).collect();
    let expected = [
        "project.created",
        "project.member_added",
        "project.member_removed",
        "project.paused",
        "project.resumed",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(past[1].data["data"], json!({ "user_id": bo.id, "name": "Bo" }));
    let (status, refused) = server.post(&path, json!({ "user_id": Uuid::from_u128(1) })).await;
    assert_eq!((status, &refused["details"]["kind"]), (404, &json!("user")));
}

#[tokio::test]
async fn s_6_members_page_by_name() {
    let server = TestServer::start().await;
    let id = project(&server, "Shop").await;
    for name in ["Dee", "Ann", "Cy"] {
        TestUser::new(&server, name).await.join(&id).await;
    }
    let path = format!("/projects/{id}/members?limit=3");
    let (_, first) = server.get(&path).await;
    let next = first["next_cursor"].as_str().expect("more");
    let (_, rest) = server.get(&format!("{path}&cursor={next}")).await;
    let all: Vec<_> = names(&first).into_iter().chain(names(&rest)).collect();
    assert_eq!((all, &rest["next_cursor"]), (vec!["Ann", "Cy", "Dee", "admin"], &Value::Null));
}

/// S-6: names appear beside actions, and an admin must find a user to add.
#[tokio::test]
async fn s_6_every_user_sees_all_users() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    assert_eq!(names(&bo.get("/users").await.json()), ["admin", "Bo"]);
    bo.post("/users", json!({ "name": "Mallory" })).await.failed_with(403, "forbidden");
}

#[tokio::test]
async fn s_2_a_member_gets_events_of_own_projects_and_outside_projects() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let (secret, open) = (project(&server, "Secret").await, project(&server, "Open").await);
    bo.join(&open).await;
    let mut live = bo.events("").await;
    pause(&server, &secret).await;
    let agent = json!({ "name": "bot", "executor": { "kind": "shell", "command": ["true"] } });
    server.post("/agents", agent).await;
    pause(&server, &open).await;
    let seen = live.take(3).await;
    let mut kinds: Vec<_> = seen.iter().map(|event| event.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["agent.created", "project.paused", "project.resumed"]);
    assert!(seen.iter().all(|event| event.data["project_id"] != json!(secret)));
    let last = &seen[2].id;
    assert_eq!(last.split(',').count(), 2, "a cursor names what its reader may see: {last}");

    pause(&server, &open).await;
    pause(&server, &secret).await;
    let resumed = bo.events(&format!("?after={last}")).await.take(2).await;
    assert!(resumed.iter().all(|event| event.data["project_id"] == json!(open)), "{resumed:?}");
    bo.get(&format!("/events?project={secret}")).await.failed_with(404, "not_found");
}

/// S-2: a member does not get events from before the membership, whatever the cursor.
#[tokio::test]
async fn s_2_events_start_with_the_membership() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let id = project(&server, "Shop").await;
    let mut live = bo.events("").await;
    pause(&server, &id).await;
    bo.join(&id).await;
    pause(&server, &id).await;
    let expected = [(4, "project.member_added"), (5, "project.paused"), (6, "project.resumed")];
    for query in ["?after=0", "?after=0:0,1:0", "?after=1:2"] {
        let seen = bo.events(query).await.take(3).await;
        let seen: Vec<_> =
            seen.iter().map(|event| (event.data["seq"].as_i64(), event.kind.as_str())).collect();
        assert_eq!(seen, expected.map(|(seq, kind)| (Some(seq), kind)), "{query}");
    }
    let seen = live.take(3).await;
    let kinds: Vec<_> = seen.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, expected.map(|(_, kind)| kind), "the stream was open already");
}

/// S-2: an open stream sends no events of a project from the moment its reader is removed, and continues once the
/// reader is added again.
#[tokio::test]
async fn s_2_a_removed_member_gets_no_more_events() {
    let server = TestServer::start().await;
    let bo = TestUser::new(&server, "Bo").await;
    let (left, kept) = (project(&server, "Left").await, project(&server, "Kept").await);
    bo.join(&left).await;
    bo.join(&kept).await;
    let (mut all, mut one) = (bo.events("").await, bo.events(&format!("?project={left}")).await);
    pause(&server, &left).await;
    assert_eq!(all.take(2).await.len() + one.take(2).await.len(), 4);
    bo.leave(&left).await;
    pause(&server, &left).await;
    pause(&server, &kept).await;
    let seen = all.take(2).await;
    assert!(seen.iter().all(|event| event.data["project_id"] == json!(kept)), "{seen:?}");
    bo.join(&left).await;
    let back = all.next().await.expect("an event");
    assert_eq!((back.kind.as_str(), &back.data["seq"]), ("project.member_added", &json!(8)));
    assert_eq!(one.next().await.expect("an event").data["seq"], 8, "nothing of what was missed");
}
