//! Routes for tasks: create, list, read, change, archive, and possible actions (T-1, T-2, T-11, T-15).

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use forge_api::{
    ActionView, ErrorCode, NewTask, Page, RoleAssignee, SortOrder, Task, TaskCounts, TaskPatch,
    TaskQuery, actions,
};
use forge_domain::workflow::{RoleName, StateName};
use forge_domain::{AgentId, ProjectId, TaskCommand, TaskId};
use forge_engine::EngineError;
use forge_store::tables;
use forge_store::tables::execution_tokens::ExecutionTokenOwner;
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::tasks::TaskFilter;
use http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::permission::CommandSet;
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::missing_resource::{MissingResource, missing};
use crate::routes::task::role_holder;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        CREATE_TASK => create,
        LIST_TASKS => list,
        COUNT_TASKS => count,
        GET_TASK_BY_NUMBER => by_number,
        GET_TASK => show,
        UPDATE_TASK => change,
        DELETE_TASK => delete,
        ARCHIVE_TASK => archive,
        UNARCHIVE_TASK => unarchive,
        LIST_ACTIONS => allowed_actions,
    ]
}

/// Create a task
///
/// It starts in the workflow's initial state; in a project with dispatch on, in the claimable queue, where dispatch
/// finds it.
#[utoipa::path(post, path = actions::CREATE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The project.")), request_body = NewTask,
    responses((status = 201, description = "The task.", body = Task)))]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewTask>,
) -> Result<(StatusCode, Json<Task>), ApiError> {
    let project = ProjectId::new(id);
    let mut asked = asked;
    if let Some(owner) = caller.execution() {
        limit_to_subtask(&mut asked, owner)?;
    }
    if let Some(config) = &asked.review_config {
        let commands = CommandSet::of_review(config);
        caller.require_commands(&app, project, &commands, CommandSet::default()).await?;
    }
    let mut roles = BTreeMap::new();
    for (role, assignee) in &asked.roles {
        let holder = role_holder::load_assignee(&app, &caller, Some(project), *assignee).await?;
        roles.insert(RoleName::new(role.clone()), holder);
    }
    let asked = convert::tasks::task_request::new_task(asked, roles)?;
    let relatives = asked.dependencies.iter().copied().chain(asked.parent);
    caller.require_tasks(&app, relatives).await?;
    let created = app.engine.commands().create_task(caller.actor, project, asked).await?;
    Ok((StatusCode::CREATED, Json(convert::tasks::task::task(&created))))
}

/// S-6: a planner creates subtasks of its own task, for agents.
fn limit_to_subtask(asked: &mut NewTask, owner: ExecutionTokenOwner) -> Result<(), ApiError> {
    let parent = *asked.parent.get_or_insert(owner.task_id.uuid());
    if parent != owner.task_id.uuid() {
        let message =
            "The token of a planner creates subtasks of its own task only. Leave `parent` out.";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    if asked.roles.values().any(|holder| matches!(holder, RoleAssignee::User(_))) {
        let message =
            "The token of a planner gives roles to agents only. Leave the people out of `roles`.";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    Ok(())
}

/// List a project's tasks
///
/// Archived tasks only on request.
#[utoipa::path(get, path = actions::LIST_TASKS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The project."), TaskQuery),
    responses((status = 200, description = "One page.", body = Page<Task>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<TaskQuery>,
) -> Result<Json<Page<Task>>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?;
    let (limit, cursor) = (query.limit, query.cursor.clone());
    let filter = filter(project.id, query)?;
    let page = paging::page_request(filter.order(), limit, cursor.as_deref())?;
    let found = tables::tasks::list(app.engine.db(), &filter, &page).await?;
    if let (Some(status), true) = (&filter.status, found.0.is_empty()) {
        require_state(&app, &project, status).await?;
    }
    Ok(Json(paging::page_response(found, |task| convert::tasks::task::task(&task))))
}

/// Count a project's tasks
///
/// By phase of the board and by state, without archived tasks.
#[utoipa::path(get, path = actions::COUNT_TASKS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The project.")),
    responses((status = 200, description = "The numbers.", body = TaskCounts)))]
async fn count(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<TaskCounts>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?.id;
    let counts = tables::tasks::count_tasks(app.engine.db(), project).await?;
    Ok(Json(convert::tasks::task_counts::task_counts(counts)))
}

/// Refuses a state that the workflow does not have, for an empty page: ended tasks may be in states of an earlier
/// workflow.
async fn require_state(
    app: &AppState,
    project: &ProjectRow,
    status: &StateName,
) -> Result<(), ApiError> {
    let workflow = app.engine.records().workflow(&project.workflow).await?;
    if workflow.state(status).is_some() {
        return Ok(());
    }
    let allowed: Vec<_> = workflow.states().map(|state| state.name.as_str()).collect();
    let message = format!("The project's workflow has no state \"{status}\".");
    Err(ApiError::new(ErrorCode::InvalidQuery, message)
        .with_details(json!({ "parameter": "status", "allowed": allowed })))
}

fn filter(project_id: ProjectId, query: TaskQuery) -> Result<TaskFilter, ApiError> {
    Ok(TaskFilter {
        project_id,
        status: check_search_text("status", query.status)?.map(StateName::new),
        phase: query.phase.map(convert::tasks::task_phase::domain_phase),
        label: check_search_text("label", query.label)?,
        agent: query.agent.map(AgentId::new),
        kind: query.kind.map(convert::tasks::task::domain_kind),
        text: check_search_text("text", query.text)?,
        parent: None,
        include_archived: query.include_archived,
        sort: convert::tasks::task::store_sort(query.sort.unwrap_or_default()),
        descending: query.order != Some(SortOrder::Asc),
    })
}

/// Refuses NUL: no stored name contains it, and not every database accepts it in a query.
fn check_search_text(parameter: &str, text: Option<String>) -> Result<Option<String>, ApiError> {
    if text.as_deref().is_some_and(|text| text.contains('\0')) {
        let message = format!("The query parameter `{parameter}` cannot contain NUL characters.");
        return Err(ApiError::new(ErrorCode::InvalidQuery, message)
            .with_details(json!({ "parameter": parameter })));
    }
    Ok(text)
}

/// Show the task with this number
///
/// The number on the project's board: 12 for T-12.
#[utoipa::path(get, path = actions::GET_TASK_BY_NUMBER.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The project."),
           ("number" = u64, Path, description = "The task's number.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn by_number(
    State(app): State<AppState>,
    Path((id, number)): Path<(Uuid, i64)>,
) -> Result<Json<Task>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?;
    let found = tables::tasks::by_number(app.engine.db(), project.id, number).await?;
    match found {
        Some(task) => Ok(Json(convert::tasks::task::task(&task))),
        None => {
            let hint = "look at the list of the project's tasks";
            Err(missing(MissingResource::Task, format!("T-{number}"), hint))
        }
    }
}

/// Show a task
#[utoipa::path(get, path = actions::GET_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn show(State(app): State<AppState>, Path(id): Path<Uuid>) -> Result<Json<Task>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    Ok(Json(convert::tasks::task::task(&task)))
}

/// Change a task's own fields
///
/// Its status changes only by a transition.
#[utoipa::path(patch, path = actions::UPDATE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = TaskPatch,
    responses((status = 200, description = "The task.", body = Task)))]
async fn change(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<TaskPatch>,
) -> Result<Json<Task>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let default_review = match asked.review_config {
        Some(None) => {
            let project = app.engine.records().project(task.project_id).await?;
            let config = project.settings.default_review_config().map_err(EngineError::from)?;
            convert::tasks::task_config::review_config(config)
        }
        Some(Some(_)) | None => forge_api::ReviewConfig::default(),
    };
    if let Some(Some(config)) = &asked.review_config {
        let known = convert::tasks::task::task(&task).review_config;
        let asked = CommandSet::of_review(config);
        caller
            .require_commands(&app, task.project_id, &asked, CommandSet::of_review(&known))
            .await?;
    }
    let patch = convert::tasks::task_request::task_patch(asked, default_review)?;
    let changed = app.engine.commands().edit_task(caller.actor, task.id, patch).await?;
    Ok(Json(convert::tasks::task::task(&changed)))
}

/// Delete a task on which no work was done
///
/// A task that had a workspace, an execution or a review is refused, as is one that other tasks need: cancel it, then
/// archive it.
#[utoipa::path(delete, path = actions::DELETE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 204, description = "It was deleted")))]
async fn delete(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, ApiError> {
    app.engine.commands().delete_task(caller.actor, TaskId::new(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Archive a task
///
/// This hides it from lists.
#[utoipa::path(post, path = actions::ARCHIVE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn archive(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, ApiError> {
    let archived =
        app.engine.commands().handle(caller.actor, TaskId::new(id), TaskCommand::Archive).await?;
    Ok(Json(convert::tasks::task::task(&archived)))
}

/// Take a task out of the archive
#[utoipa::path(post, path = actions::UNARCHIVE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn unarchive(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, ApiError> {
    let shown =
        app.engine.commands().handle(caller.actor, TaskId::new(id), TaskCommand::Unarchive).await?;
    Ok(Json(convert::tasks::task::task(&shown)))
}

/// List the actions that the caller can perform on a task now
///
/// Each as the request that performs it.
#[utoipa::path(get, path = actions::LIST_ACTIONS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The complete list.", body = Page<ActionView>)))]
async fn allowed_actions(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Page<ActionView>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let workflow = app.engine.records().workflow(&task.workflow).await?;
    // A read-only credential can do nothing, whatever the rules allow its user.
    let allowed = match caller.require_write_scope() {
        Ok(_) => forge_domain::allowed_actions(&workflow, &task, &caller.actor),
        Err(_) => Vec::new(),
    };
    let items =
        allowed.into_iter().map(|action| convert::tasks::action::action(&task, action)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}
