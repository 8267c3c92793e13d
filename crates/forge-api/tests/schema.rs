//! The generated schemas match the wire: the web client is generated from them (SPEC S-1).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_api as api;
use serde_json::Value;
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    api::ActionView,
    api::ActorView,
    api::Agent,
    api::CheckRecord,
    api::ClaimResponse,
    api::Comment,
    api::CreatedToken,
    api::DemoReport,
    api::DemoStarted,
    api::TaskDependency,
    api::DiffView,
    api::ErrorBody,
    api::EventView,
    api::HealthReport,
    api::LogPage,
    api::CallerInfo,
    api::ProjectMember,
    api::Page<api::Task>,
    api::Page<api::EventView>,
    api::Project,
    api::ReadinessReport,
    api::RebasedTask,
    api::RecoveryReport,
    api::Repo,
    api::RepoRemote,
    api::ReviewResponse,
    api::SignInResponse,
    api::SuccessorTask,
    api::MergeTrainStatus,
    api::Transition,
    api::TransitionResponse,
    api::SystemInfo,
    api::WorkflowProblem,
    api::WorkflowView,
    api::WorkspaceView,
    api::WorkspaceSetup
)))]
struct Answers;

#[derive(OpenApi)]
#[openapi(components(schemas(
    api::AssignRole,
    api::NewAgent,
    api::NewCredential,
    api::NewMember,
    api::NewProject,
    api::NewRegression,
    api::NewRepo,
    api::NewTask,
    api::NewUser,
    api::RebaseTask,
    api::RepoRemotePatch,
    api::TaskPatch
)))]
struct Requests;

fn schemas<T: OpenApi>() -> Value {
    let document = serde_json::to_value(T::openapi()).expect("a document is JSON");
    document["components"]["schemas"].clone()
}

/// Collects every object with properties below `place`, named by its position.
fn objects(place: &str, schema: &Value, found: &mut Vec<(String, Vec<String>, Vec<String>)>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let required = required.iter().filter_map(|name| name.as_str().map(str::to_owned));
        found.push((place.to_owned(), properties.keys().cloned().collect(), required.collect()));
    }
    match schema {
        Value::Object(map) => {
            map.iter().for_each(|(key, inner)| objects(&format!("{place}/{key}"), inner, found))
        }
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(at, inner)| objects(&format!("{place}/{at}"), inner, found)),
        _ => {}
    }
}

/// Types in requests and answers: their schema lets fields be left out.
const BOTH_WAYS: [&str; 11] = [
    "ClaimOverrides",
    "RoleAssignee",
    "BranchTemplates",
    "BudgetLimits",
    "DispatchSettings",
    "AgentExecutor",
    "MergeConfig",
    "MergeSettings",
    "ProjectSettings",
    "ReviewConfig",
    "SetupSettings",
];

#[test]
fn s_1_answers_declare_every_field_as_present() {
    let schemas = schemas::<Answers>();
    let mut checked = 0;
    for (name, schema) in schemas.as_object().expect("a map of schemas") {
        if BOTH_WAYS.contains(&name.as_str()) {
            continue;
        }
        let mut found = Vec::new();
        objects(name, schema, &mut found);
        for (place, properties, required) in found {
            let optional: Vec<_> =
                properties.iter().filter(|key| !required.contains(key)).collect();
            assert!(optional.is_empty(), "{place}: {optional:?} may be missing");
            checked += 1;
        }
    }
    assert!(checked > 40, "only {checked} objects were looked at");
}

#[test]
fn s_1_shapes_a_generated_client_depends_on() {
    let answers = schemas::<Answers>();
    assert!(answers.get("Page_Task").is_some(), "each kind of page has its own name");
    let codes = answers["ErrorCode"]["enum"].as_array().expect("a closed list");
    assert_eq!(codes.len(), api::ErrorCode::ALL.len());
    let task = &answers["Task"]["properties"];
    assert_eq!(task["created_at"]["format"], "date-time");
    assert_eq!(task["archived_at"]["type"], serde_json::json!(["string", "null"]));

    let requests = schemas::<Requests>();
    assert_eq!(requests["NewTask"]["required"], serde_json::json!(["title"]));
    assert_eq!(requests["TaskPatch"]["required"], serde_json::json!(["version"]));
    assert_eq!(requests["NewUser"]["properties"]["password"]["format"], "password");
    assert!(requests["NewRepo"]["properties"].get("path").is_some());
}
