//! The OpenAPI document is complete and current (S-1).

use std::collections::BTreeSet;
use std::path::Path;

use forge_server::openapi::openapi_json;
use serde_json::{Value, json};

use crate::guarded::operations;
use crate::support::TestServer;

#[test]
fn s_1_the_committed_description_is_current() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let committed = std::fs::read_to_string(committed).unwrap_or_default();
    let is_current = committed == openapi_json();
    assert!(is_current, "docs/openapi.json is stale; run `make generate` and look at the change");
}

#[tokio::test]
async fn s_1_the_server_serves_the_description() {
    let server = TestServer::start().await;
    let (status, answered) = server.get("/openapi.json").await;
    assert_eq!(status, 200);
    let made: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    assert_eq!(answered, made);
    assert!(made["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
}

/// Generated clients use the operation ids as function names.
#[test]
fn s_1_every_operation_has_its_own_name_a_summary_a_tag_and_an_answer() {
    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let tags: BTreeSet<_> = document["tags"]
        .as_array()
        .expect("tags")
        .iter()
        .map(|tag| tag["name"].to_string())
        .collect();
    let mut names = BTreeSet::new();
    for (path, method) in operations(&document) {
        let operation = &document["paths"][&path][&method];
        let name = operation["operationId"].to_string();
        assert!(names.insert(name.clone()), "{name} twice");
        assert!(operation["summary"].is_string(), "{method} {path}");
        let tag = operation["tags"][0].to_string();
        assert!(tags.contains(&tag), "{method} {path}: {tag}");
        let answers = operation["responses"].as_object().expect("answers");
        assert!(answers.contains_key("default"), "{method} {path}");
        assert!(answers.keys().any(|status| status.starts_with('2')), "{method} {path}");
        assert!(path.starts_with("/api/v1/"), "{path}");
    }
}

/// A dangling reference breaks every generator.
#[test]
fn s_1_every_reference_resolves() {
    fn walk<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    found.push(reference);
                }
                fields.values().for_each(|value| walk(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(value, found)),
            _ => {}
        }
    }
    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let mut references = Vec::new();
    walk(&document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

/// The operations with a body, the name of its schema, and whether it is required.
fn bodies(document: &Value) -> Vec<(String, String, String, bool)> {
    let of = |(path, method): (String, String)| {
        let body = &document["paths"][&path][&method]["requestBody"];
        let reference = body["content"]["application/json"]["schema"]["$ref"].as_str()?;
        let name = reference.rsplit('/').next()?.to_owned();
        Some((path, method, name, body["required"] == true))
    };
    operations(document).into_iter().filter_map(of).collect()
}

/// The path with unknown identifiers: the server reads bodies before it looks up objects.
fn concrete(path: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{number}" | "{attempt}" => "1",
        "{role}" => "coder",
        _ if part.starts_with('{') => "01890a5d-ac96-774b-bcce-b302099a8099",
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn issue_13_21_the_description_says_which_bodies_are_required_and_closed() {
    let server = TestServer::start().await;
    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let bodies = bodies(&document);
    assert!(bodies.len() > 30, "{bodies:?}");
    let mut wrong = Vec::new();
    for (path, method, name, required) in bodies {
        let place = format!("{method} {path}");
        let schema = &document["components"]["schemas"][&name];
        assert_eq!(schema["additionalProperties"], false, "{place}: {name}");
        let request = || {
            let method = method.to_uppercase().parse().expect("a method");
            let path = concrete(&path);
            server.request(method, path.strip_prefix("/api/v1").expect("below the base"))
        };
        let unknown = json!({ "no_such_field": true }).to_string();
        let answer = server.send(request(), Some(unknown)).await;
        let said = answer.json();
        let fields = [&said["details"]["fields"], &said["details"]["unknown_fields"]];
        if answer.status != 422 || !fields.contains(&&json!(["no_such_field"])) {
            wrong.push(format!("{place}: {said}"));
        }
        let answer = server.send(request(), None::<String>).await;
        if (answer.status == 415) != required {
            wrong.push(format!("{place} without a body: {}", answer.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The server refuses unknown fields of a request at every depth.
#[tokio::test]
async fn issue_13_21_nested_objects_of_bodies_are_closed_too() {
    let server = TestServer::start().await;
    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let schemas = &document["components"]["schemas"];
    let settings = schemas["ProjectSettings"]["properties"].as_object().expect("fields");
    let mut tried = 0;
    for (field, schema) in settings {
        let text = schema.to_string();
        let Some((_, rest)) = text.split_once("#/components/schemas/") else { continue };
        let name = rest.split('"').next().expect("a name");
        // The value is a text or this object.
        let name = if name == "BranchTemplate" { "BranchTemplates" } else { name };
        assert_eq!(schemas[name]["additionalProperties"], false, "{name}");
        let settings = json!({ field: { "no_such_field": 1 } });
        let (status, answer) =
            server.post("/projects", json!({ "name": "Shop", "settings": settings })).await;
        assert_eq!(status, 422, "settings.{field}: {answer}");
        tried += 1;
    }
    assert!(tried >= 5, "{tried}");
}

/// The bound of a field in the document, as a number.
fn bound(document: &Value, schema: &str, field: &str, name: &str) -> usize {
    let found = &document["components"]["schemas"][schema]["properties"][field][name];
    let number = found.as_u64().unwrap_or_else(|| panic!("{schema}.{field} has no {name}"));
    usize::try_from(number).expect("fits")
}

/// Each bound in the document is the server's: it accepts the value at the bound and refuses the next one.
#[tokio::test]
async fn issue_13_21_the_bounds_in_the_description_are_those_of_the_server() {
    let server = TestServer::start().await;
    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let (_, project) = server.post("/projects", json!({ "name": "Shop" })).await;
    let tasks = format!("/projects/{}/tasks", project["id"].as_str().expect("an id"));
    let (_, task) = server.post(&tasks, json!({ "title": "One" })).await;
    let comments = format!("/tasks/{}/comments", task["id"].as_str().expect("an id"));
    let shell = json!({ "kind": "shell", "command": ["true"] });
    let text = |length: usize| "x".repeat(length);
    let mut made = 0;
    let mut unique = || {
        made += 1;
        format!("name-{made}")
    };
    type Make<'a> = Box<dyn FnMut(usize) -> Value + 'a>;
    let mut settings = |section: &'static str, field: &'static str, value: usize| json!({ "name": unique(), "settings": { section: { field: value } } });
    let mut lengths: Vec<(&str, &str, &str, Make<'_>)> = vec![
        (&tasks, "NewTask", "title", Box::new(|n| json!({ "title": text(n) }))),
        (&comments, "NewComment", "body", Box::new(|n| json!({ "body": text(n) }))),
        (
            "/agents",
            "NewAgent",
            "name",
            Box::new(|n| json!({ "name": text(n), "executor": shell })),
        ),
        ("/projects", "NewProject", "name", Box::new(|n| json!({ "name": text(n) }))),
        ("/tokens", "NewToken", "name", Box::new(|n| json!({ "name": text(n) }))),
    ];
    for (path, schema, field, make) in &mut lengths {
        let longest = bound(&document, schema, field, "maxLength");
        assert_eq!(bound(&document, schema, field, "minLength"), 1, "{schema}.{field}");
        for (length, expected) in [(0, 422), (1, 201), (longest, 201), (longest + 1, 422)] {
            let (status, answer) = server.post(path, make(length)).await;
            assert_eq!(status, expected, "{schema}.{field} of {length}: {answer}");
        }
    }
    for (section, schema, field) in [
        ("dispatch", "DispatchSettings", "max_concurrent"),
        ("merge", "MergeSettings", "window"),
        ("setup", "SetupSettings", "timeout_seconds"),
    ] {
        let (least, most) = (
            bound(&document, schema, field, "minimum"),
            bound(&document, schema, field, "maximum"),
        );
        for (value, expected) in [(least - 1, 422), (least, 201), (most, 201), (most + 1, 422)] {
            let (status, answer) = server.post("/projects", settings(section, field, value)).await;
            assert_eq!(status, expected, "{schema}.{field} = {value}: {answer}");
        }
    }
    let ports = bound(&document, "SetupSettings", "ports", "maximum");
    for (value, expected) in [(ports, 201), (ports + 1, 422)] {
        let (status, answer) = server.post("/projects", settings("setup", "ports", value)).await;
        assert_eq!(status, expected, "{answer}");
    }
    let most = bound(&document, "NewAgent", "max_concurrent", "maximum");
    for (value, expected) in [(0, 422), (1, 201), (most, 201), (most + 1, 422)] {
        let name = format!("agent-{value}");
        let asked = json!({ "name": name, "executor": shell, "max_concurrent": value });
        assert_eq!(server.post("/agents", asked).await.0, expected, "{value}");
    }
    let slowest = bound(&document, "ReviewConfig", "timeout_seconds", "maximum");
    for (value, expected) in [(0, 422), (1, 201), (slowest, 201), (slowest + 1, 422)] {
        let asked = json!({ "title": "One", "review_config": { "timeout_seconds": value } });
        assert_eq!(server.post(&tasks, asked).await.0, expected, "{value}");
    }
    let most = bound(&document, "NewTask", "labels", "maxItems");
    for (count, expected) in [(most, 201), (most + 1, 422)] {
        let labels: Vec<String> = (0..count).map(|n| format!("label-{n}")).collect();
        let asked = json!({ "title": "One", "labels": labels });
        assert_eq!(server.post(&tasks, asked).await.0, expected, "{count}");
    }
}
