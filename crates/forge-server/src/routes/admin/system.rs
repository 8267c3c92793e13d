//! Routes for the server itself.

use axum::Json;
use axum::extract::State;
use forge_api::{OrphanNote, RecoveryReport, SystemInfo, actions};
use forge_domain::Timestamp;
use forge_store::SqlDialect;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        SYSTEM_INFO => info,
        SYSTEM_RECOVERY => recovery,
    ]
}

/// Show versions and directories
#[utoipa::path(
    get, path = actions::SYSTEM_INFO.path, tag = "system",
    responses((status = 200, body = SystemInfo))
)]
async fn info(State(app): State<AppState>, caller: Caller) -> Result<Json<SystemInfo>, ApiError> {
    let (db, home) = (app.engine.db(), app.engine.home());
    let database = match db.dialect() {
        SqlDialect::Sqlite => "sqlite",
        SqlDialect::Postgres => "postgres",
    };
    Ok(Json(SystemInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        git_version: app.engine.node_probe().git_version().await,
        database: database.to_owned(),
        database_version: db.fetch_engine_version().await?,
        data_dir: caller.require_admin().is_ok().then(|| home.root().display().to_string()),
        node: home.node(),
    }))
}

/// Show what the last start recovered
#[utoipa::path(
    get, path = actions::SYSTEM_RECOVERY.path, tag = "system",
    responses((status = 200, body = RecoveryReport))
)]
async fn recovery(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<Json<RecoveryReport>, ApiError> {
    let found = app.engine.recovery();

    Ok(Json(RecoveryReport {
        node: app.engine.home().node(),
        started_at: rfc3339(Timestamp::from_millis(found.at)),
        executions_adopted: found.runs.adopted,
        executions_ended: found.runs.ended,
        executions_finished: found.runs.finished,
        executions_lost: found.runs.lost,
        effects_resumed: found.effects_resumed,
        effects_open: found.effects_open,
        locks_released: u64::try_from(found.locks_released.len()).unwrap_or(u64::MAX),
        clones_discarded: found.clones_discarded,
        orphans: caller.require_admin().is_ok().then(|| orphans(&found.orphans)),
    }))
}

fn orphans(found: &[forge_engine::OrphanRecord]) -> Vec<OrphanNote> {
    found
        .iter()
        .map(|orphan| OrphanNote {
            path: orphan.path.to_string_lossy().into_owned(),
            reason: orphan.reason.clone(),
        })
        .collect()
}
