//! Applies the declared scope of an action to the caller (S-6, E-3).

use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use forge_api::ErrorCode;
use forge_api::actions::{ActionScope, AllowedCallers};

use crate::app::AppState;
use crate::caller::caller_identity::Caller;
use crate::caller::scoped_object::ScopedObject;
use crate::error::api_error::ApiError;

/// Lets a handler run only for callers that the scope allows.
pub(crate) fn require_scope(
    handler: MethodRouter<AppState>,
    scope: ActionScope,
    app: &AppState,
) -> MethodRouter<AppState> {
    handler.route_layer(from_fn_with_state((app.clone(), scope), check_before))
}

async fn check_before(
    State((app, scope)): State<(AppState, ActionScope)>,
    mut request: Request,
    next: Next,
) -> Response {
    match check_scope(&app, scope, &mut request).await {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

async fn check_scope(
    app: &AppState,
    scope: ActionScope,
    request: &mut Request,
) -> Result<(), ApiError> {
    let object = ScopedObject::of_request(scope.object, request).await?;
    let caller = request.extensions().get::<Caller>();
    let caller = caller.ok_or_else(|| ApiError::from_code(ErrorCode::Unauthorized))?;
    // Callers who may not see the object learn nothing else about it.
    if let Some(object) = &object {
        object.require_visible(app, caller).await?;
    }
    match (scope.callers, caller.execution()) {
        (AllowedCallers::Public | AllowedCallers::UsersAndExecutions, _) => Ok(()),
        (AllowedCallers::Users | AllowedCallers::UsersAndPlanners, None) => Ok(()),
        (AllowedCallers::UsersAndPlanners, Some(owner)) if owner.is_planner => match &object {
            Some(object) => object.require_subtask(app, owner).await,
            None => Ok(()),
        },
        (AllowedCallers::Admins, None) => caller.require_admin().map(drop),
        (
            AllowedCallers::Users | AllowedCallers::UsersAndPlanners | AllowedCallers::Admins,
            Some(_),
        ) => Err(ApiError::new(
            ErrorCode::Forbidden,
            "The token of an execution does not allow this. It allows reading its own task, writing comments, and submitting or handing off the task.",
        )),
    }
}
