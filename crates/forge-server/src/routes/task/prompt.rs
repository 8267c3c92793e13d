//! The route for the prompt of an agent (E-2).

use axum::Json;
use axum::extract::State;
use forge_api::{PromptPurpose, PromptQuery, TaskPrompt, actions};
use forge_domain::TaskId;
use forge_domain::task::ExecutionPurpose;
use forge_domain::workflow::RoleName;
use uuid::Uuid;

use crate::app::AppState;
use crate::error::api_error::ApiError;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        PREVIEW_PROMPT => preview,
    ]
}

/// Show the exact prompt that a role would get now
#[utoipa::path(get, path = actions::PREVIEW_PROMPT.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PromptQuery),
    responses((status = 200, description = "The prompt.", body = TaskPrompt)))]
async fn preview(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PromptQuery>,
) -> Result<Json<TaskPrompt>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let found =
        app.engine.agent_prompts().prompt_preview(&task, query.role.map(RoleName::new)).await?;
    Ok(Json(TaskPrompt {
        role: found.role.to_string(),
        purpose: match found.purpose {
            ExecutionPurpose::Work => PromptPurpose::Work,
            ExecutionPurpose::Judge => PromptPurpose::Judge,
        },
        customised: found.customised,
        prompt: found.prompt.as_str().to_owned(),
    }))
}
