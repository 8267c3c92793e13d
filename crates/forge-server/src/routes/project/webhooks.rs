//! Routes for the webhooks of a project (S-2). For admins and for the project's members, who read the same events in
//! the event stream; the addresses that the server posts to are limited as for repositories (S-6).

use axum::Json;
use axum::extract::State;
use forge_api::{
    CreatedWebhook, NewWebhook, Page, PageQuery, SecretString, Webhook, WebhookDelivery,
    WebhookPatch, actions,
};
use forge_domain::{ProjectId, WebhookId};
use forge_store::tables::{events, webhook_deliveries, webhooks};
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::projects::webhook::{delivery, webhook, webhook_change, webhook_spec};
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_WEBHOOKS => list,
        CREATE_WEBHOOK => create,
        GET_WEBHOOK => show,
        UPDATE_WEBHOOK => change,
        DELETE_WEBHOOK => remove,
        TEST_WEBHOOK => test,
        LIST_WEBHOOK_DELIVERIES => list_deliveries,
        REDELIVER_WEBHOOK => redeliver,
    ]
}

/// List a project's webhooks
///
/// Ordered by name, each with its state.
#[utoipa::path(
    get, path = actions::LIST_WEBHOOKS.path, tag = "webhooks",
    params(("id" = Uuid, Path), PageQuery),
    responses((status = 200, body = Page<Webhook>))
)]
async fn list(
    State(app): State<AppState>,
    _: Caller,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Webhook>>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?.id;
    let page = paging::page_request(webhooks::ORDER, query.limit, query.cursor.as_deref())?;
    let found = webhooks::list_of_project(app.engine.db(), project, &page).await?;
    let latest = events::latest_seq(app.engine.db(), project).await?;
    Ok(Json(paging::page_response(found, |row| webhook(row, latest))))
}

/// Add a webhook to a project
///
/// It gets every event of the project from now on, in order and at least once, as the JSON of the event stream, signed
/// by the Standard Webhooks scheme. Only this answer contains the secret.
#[utoipa::path(
    post, path = actions::CREATE_WEBHOOK.path, tag = "webhooks",
    params(("id" = Uuid, Path)), request_body = NewWebhook,
    responses((status = 201, body = CreatedWebhook))
)]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewWebhook>,
) -> Result<(StatusCode, Json<CreatedWebhook>), ApiError> {
    let (project, spec) = (ProjectId::new(id), webhook_spec(asked)?);
    let issued = app.engine.webhooks().add(caller.actor, project, spec).await?;
    let latest = issued.webhook.position;
    let secret = SecretString::new(issued.secret.expose());
    let created = CreatedWebhook { webhook: webhook(issued.webhook, latest), secret };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Show a webhook
#[utoipa::path(
    get, path = actions::GET_WEBHOOK.path, tag = "webhooks",
    params(("id" = Uuid, Path), ("webhook" = Uuid, Path)),
    responses((status = 200, body = Webhook))
)]
async fn show(
    State(app): State<AppState>,
    _: Caller,
    Path((id, hook)): Path<(Uuid, Uuid)>,
) -> Result<Json<Webhook>, ApiError> {
    let (project, hook) = (ProjectId::new(id), WebhookId::new(hook));
    let row = app.engine.webhooks().load(project, hook).await?;
    let latest = events::latest_seq(app.engine.db(), project).await?;
    Ok(Json(webhook(row, latest)))
}

/// Change, enable or disable a webhook
///
/// The next attempt follows at once.
#[utoipa::path(
    patch, path = actions::UPDATE_WEBHOOK.path, tag = "webhooks",
    params(("id" = Uuid, Path), ("webhook" = Uuid, Path)), request_body = WebhookPatch,
    responses((status = 200, body = Webhook))
)]
async fn change(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, hook)): Path<(Uuid, Uuid)>,
    JsonBody(asked): JsonBody<WebhookPatch>,
) -> Result<Json<Webhook>, ApiError> {
    let (project, hook) = (ProjectId::new(id), WebhookId::new(hook));
    let change = webhook_change(asked)?;
    let row = app.engine.webhooks().change(caller.actor, project, hook, change).await?;
    let latest = events::latest_seq(app.engine.db(), project).await?;
    Ok(Json(webhook(row, latest)))
}

/// Remove a webhook
///
/// An event that is being posted at this moment may still arrive; none follows.
#[utoipa::path(
    delete, path = actions::DELETE_WEBHOOK.path, tag = "webhooks",
    params(("id" = Uuid, Path), ("webhook" = Uuid, Path)),
    responses((status = 204, description = "It was removed"))
)]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, hook)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, ApiError> {
    let (project, hook) = (ProjectId::new(id), WebhookId::new(hook));
    app.engine.webhooks().remove(caller.actor, project, hook).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a test to a webhook
///
/// Posts an event of the type `webhook.ping` and answers with the result. If the receiver accepts it, an event that
/// waits for its next attempt follows at once.
#[utoipa::path(
    post, path = actions::TEST_WEBHOOK.path, tag = "webhooks",
    params(("id" = Uuid, Path), ("webhook" = Uuid, Path)),
    responses((status = 200, body = WebhookDelivery))
)]
async fn test(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, hook)): Path<(Uuid, Uuid)>,
) -> Result<Json<WebhookDelivery>, ApiError> {
    let (project, hook) = (ProjectId::new(id), WebhookId::new(hook));
    let sent = app.engine.webhooks().send_ping(caller.actor, project, hook).await?;
    Ok(Json(delivery(sent)))
}

/// List the latest deliveries of a webhook
///
/// Newest first. The server keeps the latest 100; a repeated attempt at an event replaces the earlier one.
#[utoipa::path(
    get, path = actions::LIST_WEBHOOK_DELIVERIES.path, tag = "webhooks",
    params(("id" = Uuid, Path), ("webhook" = Uuid, Path), PageQuery),
    responses((status = 200, body = Page<WebhookDelivery>))
)]
async fn list_deliveries(
    State(app): State<AppState>,
    _: Caller,
    Path((id, hook)): Path<(Uuid, Uuid)>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<WebhookDelivery>>, ApiError> {
    let hook = app.engine.webhooks().load(ProjectId::new(id), WebhookId::new(hook)).await?.id;
    let page =
        paging::page_request(webhook_deliveries::ORDER, query.limit, query.cursor.as_deref())?;
    let found = webhook_deliveries::list_of_webhook(app.engine.db(), hook, &page).await?;
    Ok(Json(paging::page_response(found, delivery)))
}

/// Send the event of a delivery again
///
/// At once and out of order, with the same `webhook-id`; answers with the result.
#[utoipa::path(
    post, path = actions::REDELIVER_WEBHOOK.path, tag = "webhooks",
    params(("id" = Uuid, Path), ("webhook" = Uuid, Path), ("number" = i64, Path)),
    responses((status = 200, body = WebhookDelivery))
)]
async fn redeliver(
    State(app): State<AppState>,
    _: Caller,
    Path((id, hook, number)): Path<(Uuid, Uuid, i64)>,
) -> Result<Json<WebhookDelivery>, ApiError> {
    let (project, hook) = (ProjectId::new(id), WebhookId::new(hook));
    let sent = app.engine.webhooks().redeliver(project, hook, number).await?;
    Ok(Json(delivery(sent)))
}
