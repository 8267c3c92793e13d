//! The shared read tools: one tool with `what` instead of thirty.

use forge_api::TaskPhase;
use forge_api::actions::Action;
use futures::FutureExt;
use serde_json::{Value, json};

use crate::mcp::reply::{
    LARGEST_RESULT, ToolOutput, ToolRefusal, task_brief, task_output, without_empty,
};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentKind, ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::read_subject::{
    BOARD_NAMES, BOARD_SUBJECTS, RUN_NAMES, RUN_SUBJECTS, ReadSubject, SubjectObject,
};
use crate::mcp::tools::tool_outcome::parts;
use crate::mcp::tools::written_tools::{BOARD, RUN};

/// Items of a page, unless the caller wants fewer.
const USUAL_ITEMS: i64 = 20;
const MOST_ITEMS: i64 = 100;

/// The filters of a list of tasks.
const FILTERS: [&str; 4] = ["status", "phase", "label", "text"];

const PROJECT: [&str; 7] =
    ["slug", "name", "id", "workspace_type", "workflow", "paused_at", "version"];
const AGENT: [&str; 7] =
    ["name", "id", "roles", "paused", "max_concurrent", "waiting", "project_id"];

pub(super) fn tools() -> Vec<ToolSpec> {
    let reads = |subjects: &[ReadSubject]| -> Vec<&'static Action> {
        subjects.iter().map(|subject| subject.action).collect()
    };
    vec![
        ToolSpec::new(
            "forge_read",
            "Read anything",
            "Reads what `what` names. Of a task: task, why (what it waits for, and next steps), actions (what you can \
             do now), comments, history, reviews, executions, subtasks, … Of a project: tasks (with the filters), \
             workflow (its states), train, conflicts, checks, … Of all: needs_person (start here), projects, agents, \
             agents_check. Lists have `next_cursor`.",
            |call| read(call, BOARD_SUBJECTS).boxed(),
        )
        .takes([
            ArgumentSpec::choice("what", BOARD_NAMES, "").required().example("needs_person"),
            task(),
            project(),
            ArgumentSpec::text("status", "Only tasks in this state"),
            phase(),
            ArgumentSpec::text("label", ""),
            ArgumentSpec::text("agent", "Only tasks of this agent"),
            ArgumentSpec::text("text", "Only tasks with these words"),
            limit(),
            cursor(),
        ])
        .performs(ToolEffect::Reads, reads(BOARD_SUBJECTS))
        .answers(page_schema())
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_show_task",
            "Show your task",
            "Reads your task, or what `what` names of it: comments, reviews (with the output of failed checks), \
             history, subtasks, …",
            |call| read(call, RUN_SUBJECTS).boxed(),
        )
        .takes([
            ArgumentSpec::choice("what", RUN_NAMES, "Default: task"),
            task(),
            project(),
            limit(),
            cursor(),
        ])
        .performs(ToolEffect::Reads, reads(RUN_SUBJECTS))
        .answers(page_schema())
        .in_sets(RUN),
    ]
}

fn phase() -> ArgumentSpec {
    use TaskPhase::{Backlog, Done, Ready, Review, Working};
    let words = [Backlog, Ready, Working, Review, Done];
    let schema = json!({ "type": "string", "enum": words });
    ArgumentSpec { kind: ArgumentKind::Schema(schema), ..ArgumentSpec::text("phase", "") }
}

fn limit() -> ArgumentSpec {
    ArgumentSpec::integer("limit", 1, MOST_ITEMS, "")
}

fn cursor() -> ArgumentSpec {
    ArgumentSpec::text("cursor", "next_cursor of the page before")
}

fn page_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "items": { "type": "array" }, "next_cursor": { "type": "string" } },
    })
}

async fn read(call: &ToolCall<'_>, subjects: &[ReadSubject]) -> Result<ToolOutput, ToolRefusal> {
    let what = call.text("what").unwrap_or("task");
    let Some(subject) = subjects.iter().find(|subject| subject.name == what) else {
        return Err(ToolRefusal::new("invalid_field", format!("`{what}` cannot be read.")));
    };
    let mut asked = ApiRequest::new(subject.action);
    let mut task = None;
    match subject.object {
        SubjectObject::Server => {}
        SubjectObject::Project => {
            asked = asked.at(&call.names().project(call.text("project")).await?.id);
        }
        SubjectObject::Task => {
            let named = call.task().await?;
            asked = asked.at(&named.id);
            task = Some(named);
        }
    }
    if subject.name == "needs_person" && call.text("project").is_some() {
        let project = call.names().project(call.text("project")).await?;
        asked = asked.query("project", Some(project.id));
    }
    if subject.name == "tasks" {
        for name in FILTERS {
            asked = asked.query(name, call.text(name));
        }
        if let Some(agent) = call.text("agent") {
            asked = asked.query("agent", Some(call.names().agent(agent).await?));
        }
    }
    let output = match subject.is_page {
        true => read_page(call, subject, asked.query("cursor", call.text("cursor"))).await?,
        false => ToolOutput::from_answer(short(call, subject, call.send(asked).await?).await?),
    };
    Ok(match task.filter(|_| subject.name == "task") {
        Some(task) => output
            .link(task.uri("diff"), "The changes as a patch")
            .link(task.uri("log"), "The log of its last execution"),
        None => output,
    })
}

/// One page, with fewer items if it would be too large.
async fn read_page(
    call: &ToolCall<'_>,
    subject: &ReadSubject,
    asked: ApiRequest,
) -> Result<ToolOutput, ToolRefusal> {
    let mut limit = call.integer("limit").unwrap_or(USUAL_ITEMS);
    loop {
        let page = call.send(asked.clone().query("limit", Some(limit))).await?;
        let page = without_empty(short(call, subject, page).await?);
        if limit <= 1 || page.to_string().len() <= LARGEST_RESULT {
            return Ok(ToolOutput::from_answer(page));
        }
        limit /= 2;
    }
}

/// The answer with tasks, projects and agents in short form.
async fn short(
    call: &ToolCall<'_>,
    subject: &ReadSubject,
    mut answer: Value,
) -> Result<Value, ToolRefusal> {
    let shorten: fn(&Value) -> Value = match subject.name {
        "tasks" | "subtasks" => task_brief,
        "projects" => |project| parts(project, &PROJECT),
        "agents" => |agent| parts(agent, &AGENT),
        "task" => {
            name_holders(call, std::slice::from_mut(&mut answer)).await?;
            return Ok(task_output(answer));
        }
        _ => return Ok(answer),
    };
    if let Some(items) = answer["items"].as_array_mut() {
        if ["tasks", "subtasks"].contains(&subject.name) {
            name_holders(call, items).await?;
        }
        items.iter_mut().for_each(|item| *item = shorten(item));
    }
    Ok(answer)
}

/// Adds the names of agents that hold roles of the tasks.
async fn name_holders(call: &ToolCall<'_>, tasks: &mut [Value]) -> Result<(), ToolRefusal> {
    let has_holder =
        |task: &Value| task["roles"].as_object().is_some_and(|roles| !roles.is_empty());
    if !tasks.iter().any(has_holder) {
        return Ok(());
    }
    let names = call.names().agent_names().await?;
    for task in tasks {
        let holders = task["roles"].as_object_mut().into_iter().flatten();
        for (_, holder) in holders {
            let name = names.iter().find(|(id, _)| holder["agent_id"] == **id);
            if let Some((_, name)) = name {
                holder["agent"] = json!(name);
            }
        }
    }
    Ok(())
}
