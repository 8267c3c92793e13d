//! The tools that create tasks and give them to agents.

use forge_api::actions;
use futures::FutureExt;
use serde_json::{Map, Value, json};

use crate::mcp::reply::{Correction, SuggestedCall, ToolOutput, ToolRefusal};
use crate::mcp::request::{ApiRequest, NamedTask};
use crate::mcp::tool::{ArgumentKind, ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::tool_outcome::{outcome, outcome_schema};
use crate::mcp::tools::written_tools::{BOARD, DIRECT, PLAN};

/// The agent name by which a user takes a task.
const ME: &str = "me";

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_create_task",
            "Create a task",
            "Creates a task in its workflow's first state. Nothing starts until forge_assign_agent. Answers its key.",
            |call| create_task(call).boxed(),
        )
        .takes(
            [
                title().required(),
                description(),
                project(),
                ArgumentSpec::text("repo", "Name; default: the primary repository"),
                ArgumentSpec::integer("priority", i32::MIN.into(), i32::MAX.into(), "Higher first"),
                ArgumentSpec::text_list("labels", ""),
                ArgumentSpec::text("parent", "Task that this is a part of"),
                ArgumentSpec::text_list("depends_on", "Tasks that must finish first"),
                more_fields(),
            ],
        )
        .performs(ToolEffect::Adds, [&actions::CREATE_TASK])
        .answers(outcome_schema())
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_assign_agent",
            "Give a task to an agent",
            "Claims the task for an agent, which starts working in its own worktree. Answers at once; follow it with \
             forge_wait.",
            |call| assign_agent(call).boxed(),
        )
        .takes(
            [
                task().required(),
                ArgumentSpec::text("agent", "Name; `me` to take the task yourself").required(),
                project(),
                ArgumentSpec::text("model", "Model for this execution only"),
                ArgumentSpec {
                    kind: ArgumentKind::Schema(json!({ "type": "object" })),
                    ..ArgumentSpec::text("overrides", "Other executor fields for this execution")
                },
            ],
        )
        .performs(ToolEffect::Adds, [&actions::CLAIM_TASK])
        .answers(outcome_schema())
        .in_sets(DIRECT),
        ToolSpec::new(
            "forge_spawn",
            "Create a subtask and start it",
            "Creates a subtask of your task and gives it to an agent (yours if you name none), which starts at once. \
             `independent` subtasks have their own worktree and land on your branch; an `ordered_turn` works in yours, \
             after you.",
            |call| spawn(call).boxed(),
        )
        .takes(
            [
                title().required(),
                description(),
                ArgumentSpec::text("agent", "Name; default: your own agent"),
                ArgumentSpec::text("parent", "Default: your own task"),
                project(),
                ArgumentSpec::choice("mode", &["independent", "ordered_turn"], ""),
                ArgumentSpec::choice("target", &["parent", "main"], "Where it lands; default: parent"),
                ArgumentSpec::text_list("depends_on", "Tasks that must finish first"),
            ],
        )
        .performs(ToolEffect::Adds, [&actions::CREATE_TASK, &actions::CLAIM_TASK])
        .answers(outcome_schema())
        .in_sets(PLAN),
    ]
}

/// The argument that names a task.
pub(super) fn task() -> ArgumentSpec {
    ArgumentSpec::text("task", "Key such as T-12, or id")
}

/// The argument that names a project.
pub(super) fn project() -> ArgumentSpec {
    ArgumentSpec::text("project", "Slug; default: your only one")
}

/// The argument for fields of the API that have no argument of their own.
pub(super) fn more_fields() -> ArgumentSpec {
    ArgumentSpec {
        kind: ArgumentKind::Schema(json!({ "type": "object" })),
        ..ArgumentSpec::text(
            "fields",
            "Other fields, as in the HTTP API: review_config, merge_config, budget, …",
        )
    }
}

fn title() -> ArgumentSpec {
    ArgumentSpec::text("title", "").example("Say in one line what to change").longest(500)
}

fn description() -> ArgumentSpec {
    ArgumentSpec::text("description", "The full prompt for the agent").longest(100_000)
}

async fn create_task(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let project = call.names().project(call.text("project")).await?;
    let mut body = call.given(&["title", "description", "priority", "labels"]);
    if let Some(repo) = call.text("repo") {
        body.insert("repo_id".to_owned(), json!(call.names().repo(&project.id, repo).await?));
    }
    if let Some(parent) = call.text("parent") {
        body.insert("parent".to_owned(), json!(call.names().task(Some(parent)).await?.id));
    }
    add_dependencies(call, &mut body).await?;
    body.extend(extra_fields(call));
    let asked = ApiRequest::new(&actions::CREATE_TASK).at(&project.id).body(Value::Object(body));
    Ok(outcome(call.send(asked).await?))
}

/// The fields of the argument `fields`.
pub(super) fn extra_fields(call: &ToolCall<'_>) -> Map<String, Value> {
    call.arguments.get("fields").and_then(Value::as_object).cloned().unwrap_or_default()
}

async fn add_dependencies(
    call: &ToolCall<'_>,
    body: &mut Map<String, Value>,
) -> Result<(), ToolRefusal> {
    let mut dependencies = Vec::new();
    for name in call.texts("depends_on") {
        dependencies.push(call.names().task(Some(name)).await?.id);
    }
    if !dependencies.is_empty() {
        body.insert("dependencies".to_owned(), json!(dependencies));
    }
    Ok(())
}

async fn assign_agent(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let mut body = Map::new();
    match call.text("agent") {
        Some(ME) | None => {}
        Some(name) => {
            body.insert("agent_id".to_owned(), json!(call.names().agent(name).await?));
        }
    }
    let overrides = call.arguments.get("overrides").and_then(Value::as_object);
    let mut overrides = overrides.cloned().unwrap_or_default();
    overrides.extend(call.given(&["model"]));
    if !overrides.is_empty() {
        body.insert("overrides".to_owned(), Value::Object(overrides));
    }
    claim(call, &task, body).await
}

async fn claim(
    call: &ToolCall<'_>,
    task: &NamedTask,
    body: Map<String, Value>,
) -> Result<ToolOutput, ToolRefusal> {
    let asked = ApiRequest::new(&actions::CLAIM_TASK).at(&task.id).body(Value::Object(body));
    match call.send(asked.without_waiting()).await {
        Ok(claimed) => Ok(outcome(claimed)),
        Err(refused) => Err(into_claimable_state(call, task, refused)),
    }
}

/// Proposes the move into a state from which the task can be claimed.
fn into_claimable_state(
    call: &ToolCall<'_>,
    task: &NamedTask,
    refused: ToolRefusal,
) -> ToolRefusal {
    let state = refused.details["claimable_states"].get(0).cloned();
    match state.filter(|_| refused.code == "not_claimable" && call.caller.execution().is_none()) {
        Some(state) => refused.with_correction(Correction::Call(SuggestedCall::new(
            "forge_move_task",
            json!({ "task": task.id, "status": state }),
        ))),
        None => refused,
    }
}

async fn spawn(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let names = call.names();
    let agent = match (call.text("agent"), call.caller.execution()) {
        (Some(name), _) => names.agent(name).await?,
        (None, Some(owner)) => owner.agent_id.to_string(),
        (None, None) => {
            let read = SuggestedCall::new("forge_read", json!({ "what": "agents" }));
            return Err(ToolRefusal::new("invalid_field", "`agent` is missing: name an agent.")
                .with_correction(Correction::Call(read)));
        }
    };
    let parent = names.task(call.text("parent")).await?;
    let task = call.send(ApiRequest::new(&actions::GET_TASK).at(&parent.id)).await?;
    let project = task["project_id"].as_str().unwrap_or_default().to_owned();
    let mut body = call.given(&["title", "description"]);
    body.insert("parent".to_owned(), json!(parent.id));
    let mode = call.text("mode").unwrap_or("independent");
    body.insert("subtask_mode".to_owned(), json!(mode));
    if mode == "independent" {
        let target = call.text("target").unwrap_or("parent");
        body.insert("subtask_target".to_owned(), json!(target));
    }
    add_dependencies(call, &mut body).await?;
    let asked = ApiRequest::new(&actions::CREATE_TASK).at(&project).body(Value::Object(body));
    let made = call.send(asked).await?;
    let id = made["id"].as_str().unwrap_or_default();
    let claim = ApiRequest::new(&actions::CLAIM_TASK).at(id).body(json!({ "agent_id": agent }));
    match call.send(claim.without_waiting()).await {
        Ok(claimed) => Ok(outcome(claimed)),
        Err(refused) => {
            let key = made["key"].as_str().unwrap_or(id);
            let why = format!("The subtask {key} is created but not started: {}", refused.why);
            let assign = json!({ "task": id, "agent": agent });
            let again = SuggestedCall::new("forge_assign_agent", assign);
            Err(ToolRefusal { why, ..refused }.with_correction(Correction::Call(again)))
        }
    }
}
