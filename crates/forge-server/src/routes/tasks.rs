//! Tasks: create, list, read, change, archive, and what can be done with one (T-1, T-2, T-11, T-15).

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use forge_api::{
    Action, ErrorCode, NewTask, Page, ProjectSettings, SortOrder, Task, TaskPatch, TaskQuery,
};
use forge_domain::workflow::{RoleName, StateName};
use forge_domain::{AgentId, Command, ProjectId, TaskId};
use forge_store::tables;
use forge_store::tables::tasks::TaskFilter;
use http::StatusCode;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::holder;
use super::missing::{Noun, missing};
use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(by_number))
        .routes(routes!(show, change))
        .routes(routes!(archive))
        .routes(routes!(unarchive))
        .routes(routes!(actions))
}

/// Creates a task in the project's initial state.
#[utoipa::path(post, path = "/projects/{id}/tasks", tag = "tasks", operation_id = "create_task",
    params(("id" = Uuid, Path, description = "The project.")), request_body = NewTask,
    responses((status = 201, description = "The task.", body = Task)))]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewTask>,
) -> Result<(StatusCode, Json<Task>), Failure> {
    let mut roles = BTreeMap::new();
    for (role, assignee) in &asked.roles {
        let holder = holder::existing(&app, *assignee).await?;
        roles.insert(RoleName::new(role.clone()), holder);
    }
    let asked = convert::task_request::new_task(asked, roles)?;
    let relatives = asked.dependencies.iter().copied().chain(asked.parent);
    caller.require_tasks(&app, relatives).await?;
    let created = app.engine.create_task(caller.actor, ProjectId::new(id), asked).await?;
    Ok((StatusCode::CREATED, Json(convert::task::task(&created))))
}

/// Lists a project's tasks; archived ones only on request.
#[utoipa::path(get, path = "/projects/{id}/tasks", tag = "tasks", operation_id = "list_tasks",
    params(("id" = Uuid, Path, description = "The project."), TaskQuery),
    responses((status = 200, description = "One page.", body = Page<Task>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<TaskQuery>,
) -> Result<Json<Page<Task>>, Failure> {
    let project = app.engine.project(ProjectId::new(id)).await?;
    let (limit, cursor) = (query.limit, query.cursor.clone());
    let filter = filter(project.id, query)?;
    let page = paging::asked(filter.order(), limit, cursor.as_deref())?;
    let found = tables::tasks::list(app.engine.db(), &filter, &page).await?;
    Ok(Json(paging::page(found, |task| convert::task::task(&task))))
}

fn filter(project_id: ProjectId, query: TaskQuery) -> Result<TaskFilter, Failure> {
    Ok(TaskFilter {
        project_id,
        status: searchable("status", query.status)?.map(StateName::new),
        phase: query.phase.map(convert::phase::asked),
        label: searchable("label", query.label)?,
        agent: query.agent.map(AgentId::new),
        kind: query.kind.map(convert::task::asked_kind),
        text: searchable("text", query.text)?,
        parent: None,
        include_archived: query.include_archived,
        sort: convert::task::asked_sort(query.sort.unwrap_or_default()),
        descending: query.order != Some(SortOrder::Asc),
    })
}

/// No stored name holds NUL, and not every database can even be asked for it.
fn searchable(parameter: &str, text: Option<String>) -> Result<Option<String>, Failure> {
    if text.as_deref().is_some_and(|text| text.contains('\0')) {
        let message = format!("The query parameter `{parameter}` cannot contain NUL characters.");
        return Err(Failure::new(ErrorCode::InvalidQuery, message)
            .with_details(json!({ "parameter": parameter })));
    }
    Ok(text)
}

/// The task with this number on the project's board: 12 for T-12.
#[utoipa::path(get, path = "/projects/{id}/tasks/by-number/{number}", tag = "tasks",
    operation_id = "get_task_by_number",
    params(("id" = Uuid, Path, description = "The project."),
           ("number" = u64, Path, description = "The task's number.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn by_number(
    State(app): State<App>,
    Path((id, number)): Path<(Uuid, i64)>,
) -> Result<Json<Task>, Failure> {
    let project = app.engine.project(ProjectId::new(id)).await?;
    let found = tables::tasks::by_number(app.engine.db(), project.id, number).await?;
    match found {
        Some(task) => Ok(Json(convert::task::task(&task))),
        None => {
            Err(missing(Noun::Task, format!("T-{number}"), "GET /projects/{id}/tasks lists them"))
        }
    }
}

/// One task.
#[utoipa::path(get, path = "/tasks/{id}", tag = "tasks", operation_id = "get_task",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn show(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Task>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    Ok(Json(convert::task::task(&task)))
}

/// Changes a task's own fields; its status changes by a transition.
#[utoipa::path(patch, path = "/tasks/{id}", tag = "tasks", operation_id = "update_task",
    params(("id" = Uuid, Path, description = "The task.")), request_body = TaskPatch,
    responses((status = 200, description = "The task.", body = Task)))]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<TaskPatch>,
) -> Result<Json<Task>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let default_review = match asked.review_config {
        Some(None) => settings(&app, task.project_id).await?.default_review_config,
        Some(Some(_)) | None => forge_api::ReviewConfig::default(),
    };
    let patch = convert::task_request::task_patch(asked, default_review)?;
    let changed = app.engine.edit_task(caller.actor, task.id, patch).await?;
    Ok(Json(convert::task::task(&changed)))
}

async fn settings(app: &App, project: ProjectId) -> Result<ProjectSettings, Failure> {
    let stored = app.engine.project(project).await?.settings;
    serde_json::from_value(stored)
        .map_err(|error| crate::refusal::internal(&format!("settings of {project}: {error}")))
}

/// Hides a task from lists.
#[utoipa::path(post, path = "/tasks/{id}/archive", tag = "tasks", operation_id = "archive_task",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn archive(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, Failure> {
    let archived = app.engine.handle(caller.actor, TaskId::new(id), Command::Archive).await?;
    Ok(Json(convert::task::task(&archived)))
}

/// Shows an archived task in lists again.
#[utoipa::path(post, path = "/tasks/{id}/unarchive", tag = "tasks", operation_id = "unarchive_task",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn unarchive(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, Failure> {
    let shown = app.engine.handle(caller.actor, TaskId::new(id), Command::Unarchive).await?;
    Ok(Json(convert::task::task(&shown)))
}

/// What the caller can do with the task now, each as the request that does it.
#[utoipa::path(get, path = "/tasks/{id}/actions", tag = "tasks", operation_id = "list_actions",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "All of them.", body = Page<Action>)))]
async fn actions(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Page<Action>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let workflow = app.engine.workflow(&task.workflow).await?;
    // Whose credential may only read can do nothing, whatever the rules allow the person.
    let allowed = match caller.writer() {
        Ok(_) => forge_domain::allowed(&workflow, &task, &caller.actor),
        Err(_) => Vec::new(),
    };
    let items =
        allowed.into_iter().map(|action| convert::action::action(task.id, action)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}
