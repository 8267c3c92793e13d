//! Who a request names as the holder of a role: somebody who exists.

use forge_api::Assignee;
use forge_store::tables::users;

use super::missing::{Noun, missing};
use crate::app::App;
use crate::convert::assignee::asked;
use crate::failure::Failure;

/// The agent or person, looked up; neither is ever deleted, so what exists now goes on existing.
pub(super) async fn existing(
    app: &App,
    assignee: Assignee,
) -> Result<forge_domain::Assignee, Failure> {
    let holder = asked(assignee);
    match holder {
        forge_domain::Assignee::Agent { id } => {
            app.engine.agent(id).await?;
        }
        forge_domain::Assignee::User { id } => {
            if users::load(app.engine.db(), id).await?.is_none() {
                return Err(missing(Noun::User, id, "GET /users lists them"));
            }
        }
    }
    Ok(holder)
}
