//! The description of the API is complete and current (S-1).

use std::collections::BTreeSet;
use std::path::Path;

use forge_server::openapi::openapi_json;
use serde_json::Value;

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
async fn s_1_the_server_answers_with_it() {
    let server = TestServer::start().await;
    let (status, answered) = server.get("/openapi.json").await;
    assert_eq!(status, 200);
    let made: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    assert_eq!(answered, made);
    assert!(made["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
}

/// Generated clients name their functions by these.
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

/// A reference to nothing breaks every generator.
#[test]
fn s_1_every_reference_leads_somewhere() {
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
