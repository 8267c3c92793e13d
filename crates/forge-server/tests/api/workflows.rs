//! Workflows are data (F-1, F-4, F-5).

use forge_domain::workflow::{TEMPLATES, template};
use serde_json::{Value, json};

use crate::support::TestServer;

#[tokio::test]
async fn f_4_every_template_is_listed_and_can_be_used() {
    let server = TestServer::start().await;
    let (_, listed) = server.get("/workflows").await;
    let listed = listed["items"].as_array().expect("workflows").clone();
    assert_eq!(listed.len(), TEMPLATES.len());
    for view in listed {
        let name = view["name"].as_str().expect("a name");
        let body = json!({ "name": format!("with {name}"), "workflow": name });
        let (status, project) = server.post("/projects", body).await;
        assert_eq!(status, 201, "{project}");
        assert_eq!(project["workflow"], json!({ "name": name, "hash": view["hash"] }));
        let id = project["id"].as_str().expect("an id");
        let (_, used) = server.get(&format!("/projects/{id}/workflow")).await;
        assert_eq!(used, view);
    }
}

#[tokio::test]
async fn f_1_an_inline_definition_is_the_same_as_its_template() {
    let server = TestServer::start().await;
    let definition = serde_json::to_value(template("default")).expect("JSON");
    let (_, named) = server.post("/projects", json!({ "name": "a" })).await;
    let body = json!({ "name": "b", "workflow": definition });
    let (status, inline) = server.post("/projects", body).await;
    assert_eq!(status, 201, "{inline}");
    assert_eq!(inline["workflow"], named["workflow"]);
}

#[tokio::test]
async fn f_1_a_view_names_every_edge_by_its_meaning() {
    let server = TestServer::start().await;
    let (_, project) = server.post("/projects", json!({ "name": "a" })).await;
    let id = project["id"].as_str().expect("an id");
    let (_, view) = server.get(&format!("/projects/{id}/workflow")).await;
    let states = view["states"].as_array().expect("states");
    let of_kind =
        |kind: &str| states.iter().find(|state| state["kind"] == kind).expect("one of each kind");
    for (kind, targets) in [
        ("work", vec!["done", "failed"]),
        ("gate", vec!["pass", "reject", "exhausted"]),
        ("merge", vec!["merged", "conflict"]),
    ] {
        for target in targets {
            let name = &of_kind(kind)["targets"][target];
            assert!(states.iter().any(|state| state["name"] == *name), "{kind}.{target}: {name}");
        }
    }
    let claimable = states.iter().filter(|state| state["claimable"] == true);
    for queue in claimable {
        assert_ne!(queue["targets"]["claim"], Value::Null);
    }
    assert_ne!(of_kind("terminal")["outcome"], Value::Null);
}

/// A workflow with five mistakes reports five, and the server creates nothing.
#[tokio::test]
async fn f_5_five_mistakes_are_five_problems() {
    let server = TestServer::start().await;
    let mut definition = serde_json::to_value(template("default")).expect("JSON");
    let states = definition["state"].as_array_mut().expect("states");
    let add = |states: &mut Vec<Value>, kind: &str, key: &str, value: Value| {
        let state = states.iter_mut().find(|state| state["kind"] == kind).expect("a state");
        state[key] = value;
    };
    add(states, "work", "done", json!("nowhere"));
    add(states, "gate", "pass", json!("nowhere either"));
    add(states, "gate", "max_attempts", json!(0));
    add(states, "merge", "outcome", json!("success"));
    add(states, "hold", "colour", json!("red"));
    let body = json!({ "name": "a", "workflow": definition });
    let (status, refused) = server.post("/projects", body).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_workflow")), "{refused}");
    let problems = refused["details"]["problems"].as_array().expect("problems");
    assert!(problems.len() >= 5, "{problems:?}");
    for field in ["done", "pass", "max_attempts", "outcome", "colour"] {
        let named = |problem: &Value| {
            let place = problem["place"].as_str().unwrap_or_default();
            let says = problem["message"].as_str().is_some_and(|message| !message.is_empty());
            place.ends_with(&format!(".{field}")) && says && problem["code"].is_string()
        };
        assert_eq!(
            problems.iter().filter(|problem| named(problem)).count(),
            1,
            "{field}: {problems:?}"
        );
    }
    assert_eq!(server.get("/projects").await.1["items"], json!([]));
}

#[tokio::test]
async fn f_4_an_unknown_template_lists_the_known_ones() {
    let server = TestServer::start().await;
    let (status, refused) =
        server.post("/projects", json!({ "name": "a", "workflow": "agile" })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")));
    assert_eq!(refused["details"]["path"], "workflow");
    assert!(
        refused["message"].as_str().is_some_and(|text| text.contains("autopilot")),
        "{refused}"
    );
    let (status, refused) = server.post("/projects", json!({ "name": "a", "workflow": 7 })).await;
    assert_eq!((status, &refused["details"]["path"]), (422, &json!("workflow")), "{refused}");
}
