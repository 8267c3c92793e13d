//! SPEC S-1: the API describes itself, for programs and for people.

use axum::{Json, Router};
use forge_api::Task;
use forge_server::{Path, docs_page, openapi};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::answer::{dressed, get};

/// Show a task
#[utoipa::path(get, path = "/api/v1/tasks/{id}", tag = "tasks", params(("id" = Uuid, Path)),
    responses((status = 200, body = Task)))]
async fn show(Path(id): Path<Uuid>) -> Json<Uuid> {
    Json(id)
}

fn document() -> Value {
    let (_, described) = OpenApiRouter::<()>::new().routes(routes!(show)).split_for_parts();
    serde_json::to_value(openapi::complete_document(described)).expect("JSON")
}

#[test]
fn s_1_the_document_is_openapi_3_1_and_names_both_ways_to_authenticate() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["title"], "Forge");
    assert_eq!(document["security"], json!([{ "bearer": [] }, { "session": [] }]));
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["bearer"]["scheme"], "bearer");
    assert_eq!(schemes["session"]["in"], "cookie");
    assert_eq!(schemes["session"]["name"], "forge_session");
}

#[test]
fn s_1_every_operation_can_fail_in_the_documented_way() {
    let document = document();
    let operation = &document["paths"]["/api/v1/tasks/{id}"]["get"];
    let reference = operation["responses"]["default"]["$ref"].as_str().expect("a reference");
    let failure = document.pointer(reference.trim_start_matches('#')).expect("it leads somewhere");
    let schema = failure["content"]["application/json"]["schema"]["$ref"].as_str();
    let body = document.pointer(schema.expect("a schema").trim_start_matches('#'));
    let required = &body.expect("it leads somewhere")["required"];
    assert_eq!(required, &json!(["code", "message", "details", "request_id"]));
    assert!(
        document["components"]["schemas"]["ErrorCode"]["oneOf"].is_array()
            || document["components"]["schemas"]["ErrorCode"]["enum"].is_array()
    );
}

#[tokio::test]
async fn s_1_the_docs_page_loads_nothing_from_other_hosts() {
    let routes = dressed(Router::new().merge(docs_page()));
    let page = get(&routes, "/docs").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(!page.text.contains("<style") && !page.text.contains("style="));
    for file in ["/docs/docs.js", "/docs/docs.css"] {
        assert!(page.text.contains(file), "{file}");
        let answer = get(&routes, file).await;
        assert_eq!(answer.status, 200);
        assert!(!answer.text.contains("://"), "{file} reaches out");
        assert!(!answer.text.contains("innerHTML"), "{file} could run what it shows");
    }
    assert!(!page.text.contains("://"));
}
