//! Names of the agents and users that hold tasks, for lists.

use std::collections::BTreeMap;

use forge_api::{Page, PageQuery, RoleAssignee, Task, User};
use forge_client::{ApiClient, ClientError, collect_pages};
use uuid::Uuid;

use crate::lookup::fetch_agents;

/// Most users that are read.
const MOST_USERS: usize = 2000;

/// The names of agents and users by identifier.
#[derive(Debug, Default)]
pub(crate) struct HolderNames(BTreeMap<Uuid, String>);

impl HolderNames {
    /// Fetches the names that these tasks need; one list each of agents and of users at most.
    pub(crate) async fn fetch(client: &ApiClient, tasks: &[Task]) -> Result<Self, ClientError> {
        let mut names = BTreeMap::new();
        let holders = || tasks.iter().filter_map(holder);
        if holders().any(|holder| holder.agent_id().is_some()) {
            let agents = fetch_agents(client).await?.items;
            names.extend(agents.into_iter().map(|agent| (agent.id, agent.name)));
        }
        if holders().any(|holder| holder.user_id().is_some()) {
            let list = async |page: PageQuery| client.users().fetch_page(&page).await;
            let users: Page<User> = collect_pages(MOST_USERS, list).await?;
            names.extend(users.items.into_iter().map(|user| (user.id, user.name)));
        }
        Ok(Self(names))
    }

    /// The name of the agent or user that holds a task; empty if there is none.
    pub(crate) fn holder_of(&self, task: &Task) -> &str {
        let id = holder(task).and_then(|holder| holder.agent_id().or_else(|| holder.user_id()));
        id.and_then(|id| self.0.get(&id)).map_or("", String::as_str)
    }
}

/// The holder of a task's first role.
fn holder(task: &Task) -> Option<RoleAssignee> {
    task.roles.values().next().copied()
}
