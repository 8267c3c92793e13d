//! Looks up the agent or user that a request names as the holder of a role.

use forge_api::RoleAssignee;
use forge_domain::ProjectId;
use forge_store::tables::users;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::tasks::assignee::domain_assignee;
use crate::error::api_error::ApiError;
use crate::routes::missing_resource::{MissingResource, missing};

/// The agent or user, if it exists and was not removed.
pub(crate) async fn load_assignee(
    app: &AppState,
    caller: &Caller,
    project: Option<ProjectId>,
    assignee: RoleAssignee,
) -> Result<forge_domain::Assignee, ApiError> {
    let holder = domain_assignee(assignee);
    match holder {
        forge_domain::Assignee::Agent { id } => {
            caller.usable_agent(app, id, project).await?;
        }
        forge_domain::Assignee::User { id } => {
            let user = users::load(app.engine.db(), id).await?;
            if user.is_none_or(|user| user.removed_at.is_some()) {
                return Err(missing(MissingResource::User, id, "look at the list of users"));
            }
        }
    }
    Ok(holder)
}
