//! The tools that change a task.

use forge_api::actions;
use futures::FutureExt;
use serde_json::{Value, json};

use crate::mcp::reply::{ToolOutput, ToolRefusal};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{extra_fields, more_fields, project, task};
use crate::mcp::tools::tool_outcome::{outcome, outcome_schema};
use crate::mcp::tools::written_tools::{BOARD, DIRECT, EVERY, RUN};

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_update_task",
            "Change a task",
            "Changes the fields that are given. With `version` it is refused if the task has changed since.",
            |call| update_task(call).boxed(),
        )
        .takes([
            task().required(),
            project(),
            version(),
            ArgumentSpec::text("title", "").longest(500),
            ArgumentSpec::text("description", "").longest(100_000),
            ArgumentSpec::integer("priority", i32::MIN.into(), i32::MAX.into(), ""),
            ArgumentSpec::text_list("labels", "The whole list"),
            more_fields(),
        ])
        .performs(ToolEffect::Sets, [&actions::UPDATE_TASK])
        .answers(outcome_schema())
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_move_task",
            "Move a task",
            "Moves the task to a state of its project's workflow. Into a gate its checks start, into a merge state its \
             landing. Answers at once.",
            |call| move_task(call).boxed(),
        )
        .takes([
            task().required(),
            ArgumentSpec::text("status", "A state of the project's workflow").required(),
            project(),
            reason(),
            version(),
        ])
        .performs(ToolEffect::Sets, [&actions::MOVE_TASK])
        .answers(outcome_schema())
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_merge",
            "Land a task",
            "Lands a task whose review has passed: on its target branch, or for a subtask on its parent's branch. \
             Answers at once.",
            |call| merge(call).boxed(),
        )
        .takes([task().required(), project(), reason()])
        .performs(
            ToolEffect::Sets,
            [&actions::LIST_ACTIONS, &actions::GET_PROJECT_WORKFLOW, &actions::MOVE_TASK],
        )
        .answers(outcome_schema())
        .in_sets(DIRECT),
        ToolSpec::new(
            "forge_cancel_task",
            "Cancel a task",
            "Stops its agent and ends the task; its work is kept on its branch.",
            |call| cancel_task(call).boxed(),
        )
        .takes([task().required(), project(), reason()])
        .performs(ToolEffect::Ends, [&actions::CANCEL_TASK])
        .answers(outcome_schema())
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_set_dependency",
            "Make a task wait",
            "Makes a task wait until another has landed, or no longer.",
            |call| set_dependency(call).boxed(),
        )
        .takes([
            task().required(),
            ArgumentSpec::text("depends_on", "Task to wait for").required(),
            ArgumentSpec::boolean("remove", "No longer wait"),
            project(),
        ])
        .performs(ToolEffect::Sets, [&actions::ADD_DEPENDENCY, &actions::REMOVE_DEPENDENCY])
        .answers(json!({ "type": "object" }))
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_comment",
            "Comment on a task",
            "Writes a comment, in Markdown. Agents of later executions do not read comments: use forge_steer.",
            |call| comment(call).boxed(),
        )
        .takes([
            ArgumentSpec::text("body", "").required().example("Half way: the parser works.").longest(100_000),
            task(),
            project(),
            ArgumentSpec::text("parent_id", "Comment that it answers"),
        ])
        .performs(ToolEffect::Adds, [&actions::CREATE_COMMENT])
        .answers(json!({ "type": "object", "properties": { "id": { "type": "string" } } }))
        .in_sets(EVERY),
        ToolSpec::new(
            "forge_hand_off",
            "Hand off a task",
            "Gives the task back to the queue with a note; the next agent continues in the same worktree and reads the \
             note.",
            |call| hand_off(call).boxed(),
        )
        .takes([
            ArgumentSpec::text("message", "What is done and what blocks")
                .required()
                .example("Done: the parser. Open: the tests.")
                .longest(100_000),
            task(),
            project(),
        ])
        .performs(ToolEffect::Ends, [&actions::HAND_OFF_TASK])
        .answers(outcome_schema())
        .in_sets(EVERY),
        ToolSpec::new(
            "forge_complete",
            "Finish your work",
            "Submits the work of your task: it moves on, usually into its gate. Commit everything first; the execution \
             ends after this.",
            |call| complete(call).boxed(),
        )
        .takes([task(), project(), reason()])
        .performs(ToolEffect::Sets, [&actions::COMPLETE_TASK])
        .answers(outcome_schema())
        .in_sets(RUN),
        ToolSpec::new(
            "forge_rebase_task",
            "Merge the target into a task",
            "Merges the target branch into the task's branch; conflicts go back to its agent with the message.",
            |call| rebase_task(call).boxed(),
        )
        .takes([
            task().required(),
            project(),
            ArgumentSpec::text("message", "For the agent").longest(100_000),
        ])
        .performs(ToolEffect::Sets, [&actions::REBASE_TASK])
        .answers(outcome_schema())
        .in_sets(BOARD),
    ]
}

fn version() -> ArgumentSpec {
    ArgumentSpec::integer("version", 0, i64::MAX, "The version that you read")
}

/// The argument for the reason that the history records.
pub(super) fn reason() -> ArgumentSpec {
    ArgumentSpec::text("reason", "For the history").longest(1_000)
}

async fn update_task(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let mut body = call.given(&["version", "title", "description", "priority", "labels"]);
    body.extend(extra_fields(call));
    if !body.contains_key("version") {
        let now = call.send(ApiRequest::new(&actions::GET_TASK).at(&task.id)).await?;
        body.insert("version".to_owned(), now["version"].clone());
    }
    let asked = ApiRequest::new(&actions::UPDATE_TASK).at(&task.id).body(Value::Object(body));
    Ok(outcome(call.send(asked).await?))
}

async fn move_task(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = call.given(&["status", "reason", "version"]);
    let asked = ApiRequest::new(&actions::MOVE_TASK).at(&task.id).body(Value::Object(body));
    Ok(outcome(call.send(asked.without_waiting()).await?))
}

/// The states to which the caller can move the task now, in the order of the workflow's edges.
async fn move_targets(call: &ToolCall<'_>, task: &str) -> Result<Vec<String>, ToolRefusal> {
    let page = call.send(ApiRequest::new(&actions::LIST_ACTIONS).at(task)).await?;
    let actions = page["items"].as_array().into_iter().flatten();
    let moves = actions.filter(|action| action["name"] == "transition");
    let targets = moves.filter_map(|action| action["target"].as_str());
    Ok(targets.map(str::to_owned).collect())
}

async fn move_on(call: &ToolCall<'_>, task: &str, target: &str) -> Result<ToolOutput, ToolRefusal> {
    let mut body = call.given(&["reason"]);
    body.insert("status".to_owned(), json!(target));
    let asked = ApiRequest::new(&actions::MOVE_TASK).at(task).body(Value::Object(body));
    Ok(outcome(call.send(asked.without_waiting()).await?))
}

async fn merge(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let id = call.task().await?.id;
    let task = call.send(ApiRequest::new(&actions::GET_TASK).at(&id)).await?;
    let targets = move_targets(call, &id).await?;
    let project = task["project_id"].as_str().unwrap_or_default();
    let workflow = ApiRequest::new(&actions::GET_PROJECT_WORKFLOW).at(project);
    let target = match call.requests.send(workflow).await {
        Ok(workflow) => merge_state(&workflow, &targets),
        // The token of an execution may not read the workflow. The first edge of a gate is the one after a pass, and
        // it is open only then.
        Err(_) if task["review_passed_at"].is_string() => targets.first().cloned(),
        Err(_) => None,
    };
    match target {
        Some(target) => move_on(call, &id, &target).await,
        None => Err(ToolRefusal::new(
            "review_not_passed",
            format!(
                "{} is in `{}` and cannot land from there now: landing needs a passed review of the current content.",
                task["key"].as_str().unwrap_or("The task"),
                task["status"].as_str().unwrap_or_default()
            ),
        )),
    }
}

/// The first of the targets that lands a task.
fn merge_state(workflow: &Value, targets: &[String]) -> Option<String> {
    let states = workflow["states"].as_array()?;
    let lands = |target: &&String| {
        let is_merge = |state: &Value| state["name"] == **target && state["kind"] == "merge";
        states.iter().any(is_merge)
    };
    targets.iter().find(lands).cloned()
}

async fn complete(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["reason"]));
    let asked = ApiRequest::new(&actions::COMPLETE_TASK).at(&task.id).body(body);
    Ok(outcome(call.send(asked.without_waiting()).await?))
}

async fn cancel_task(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["reason"]));
    let asked = ApiRequest::new(&actions::CANCEL_TASK).at(&task.id).body(body);
    Ok(outcome(call.send(asked).await?))
}

async fn set_dependency(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let other = call.names().task(call.text("depends_on")).await?;
    let asked = match call.is_set("remove") {
        true => ApiRequest::new(&actions::REMOVE_DEPENDENCY).at(&task.id).at(&other.id),
        false => ApiRequest::new(&actions::ADD_DEPENDENCY)
            .at(&task.id)
            .body(json!({ "depends_on_id": other.id })),
    };
    Ok(ToolOutput::from_answer(call.send(asked).await?))
}

async fn comment(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["body", "parent_id"]));
    let asked = ApiRequest::new(&actions::CREATE_COMMENT).at(&task.id).body(body);
    let made = call.send(asked).await?;
    Ok(ToolOutput::default().with("id", made["id"].clone()).with("at", made["at"].clone()))
}

async fn hand_off(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["message"]));
    let asked = ApiRequest::new(&actions::HAND_OFF_TASK).at(&task.id).body(body);
    Ok(outcome(call.send(asked).await?))
}

async fn rebase_task(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["message"]));
    let asked = ApiRequest::new(&actions::REBASE_TASK).at(&task.id).body(body);
    Ok(outcome(call.send(asked).await?))
}
