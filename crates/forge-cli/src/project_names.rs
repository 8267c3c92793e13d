//! Names of projects, for lists over several of them.

use std::collections::{BTreeMap, BTreeSet};

use forge_client::{ApiClient, ClientError};
use uuid::Uuid;

use crate::lookup::fetch_projects;

/// The names of projects by identifier; empty for a list of one project, which needs no such column.
#[derive(Debug, Default)]
pub(crate) struct ProjectNames(BTreeMap<Uuid, String>);

impl ProjectNames {
    /// Fetches the names, if the items belong to several projects.
    pub(crate) async fn fetch(
        client: &ApiClient,
        items: impl Iterator<Item = Uuid>,
    ) -> Result<Self, ClientError> {
        let projects: BTreeSet<Uuid> = items.collect();
        if projects.len() < 2 {
            return Ok(Self::default());
        }
        let all = fetch_projects(client).await?.items.into_iter();
        Ok(Self(all.map(|project| (project.id, project.name)).collect()))
    }

    /// The name of a project; empty if the list needs none.
    pub(crate) fn name(&self, project: Uuid) -> &str {
        self.0.get(&project).map_or("", String::as_str)
    }
}
