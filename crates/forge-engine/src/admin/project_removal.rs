//! Removes a project. Its row, its tasks and its events stay as history; its repositories keep every branch and every
//! saved state (P-1).

use crate::admin::project::{Projects, event};
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_domain::{Actor, ProjectId, TaskId, Timestamp};
use forge_git::RefName;
use forge_store::tables::repos::RepoRow;
use forge_store::{Tx, tables};
use std::collections::BTreeSet;
use std::path::Path;

/// How many tasks an error names.
const NAMED: usize = 10;

/// What stays of a removed project outside of the database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovedProject {
    pub repositories: Vec<KeptRepository>,
    /// The plain directory of a project without git.
    pub directory: Option<KeptDirectory>,
}

/// A repository of the removed project, with what Forge leaves in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRepository {
    pub name: String,
    /// Its path on the server, or the address of its remote.
    pub place: String,
    /// Branches of the project's tasks.
    pub branches: Vec<String>,
    /// Number of saved states of the project's tasks (`refs/forge/journal/`).
    pub journal_entries: u64,
    /// Number of archived branches of the project's tasks (`refs/forge/archive/`).
    pub archived: u64,
}

/// The directory in which the tasks of a project without git worked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDirectory(pub String);

impl Projects {
    /// Removes a project in which no task is open and no workspace is left. Returns what stays in its repositories.
    pub async fn remove_project(
        &self,
        actor: Actor,
        id: ProjectId,
    ) -> Result<RemovedProject, EngineError> {
        let project = self.records.project(id).await?;
        let repos = tables::repos::list_of_project(&self.db, id).await?;
        let (now, inner) = (self.clock.now(), self.clone());
        let removed = self.db.write(move |tx| {
            let (actor, inner) = (actor.clone(), inner.clone());
            Box::pin(async move { inner.remove_project_in(tx, &actor, id, now).await })
        });
        removed.await?;
        let branches = tables::tasks::branches_of_project(&self.db, id).await?;
        let mut kept = RemovedProject {
            repositories: Vec::new(),
            directory: project.settings.or_defaults().directory.clone().map(KeptDirectory),
        };
        for repo in &repos {
            kept.repositories.push(self.describe_kept(repo, &branches).await);
        }
        for repo in &repos {
            self.pools.start_repo_cleanup(repo.id);
        }
        self.trains.replan_all();
        Ok(kept)
    }

    /// Locks in the order of all other transactions: the project, its entry for new tasks, then the counter.
    async fn remove_project_in(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        id: ProjectId,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        // A task in creation is committed before this returns, and no other one begins.
        tables::projects::lock_workflow(tx, id).await?;
        let project = require_found(tables::projects::lock(tx, id).await?, "project", id)?;
        let limit = u32::try_from(NAMED + 1).unwrap_or(u32::MAX);
        let mut tasks = tables::tasks::tasks_in_use(tx, id, limit).await?;
        if !tasks.is_empty() {
            let more = tasks.len() > NAMED;
            tasks.truncate(NAMED);
            return Err(EngineError::ProjectInUse { name: project.name, tasks, more });
        }
        for repo in tables::repos::list_of_project_in(tx, id).await? {
            tables::repos::remove(tx, &repo).await?;
        }
        for agent in tables::agents::all_in(tx).await? {
            if agent.project_id == Some(id) {
                tables::agents::remove(tx, agent.id, now).await?;
            }
        }
        tables::projects::remove(tx, id, now).await?;
        let removed = event("project.removed", &project, now);
        append_events(tx, id, actor, &[removed]).await?;
        Ok(())
    }

    /// What Forge leaves in a repository. A repository that cannot be read is listed without its references.
    async fn describe_kept(&self, repo: &RepoRow, tasks: &[(TaskId, String)]) -> KeptRepository {
        let place = repo.path.clone().or_else(|| repo.url.clone()).unwrap_or_default();
        let mut kept = KeptRepository {
            name: repo.name.clone(),
            place,
            branches: Vec::new(),
            journal_entries: 0,
            archived: 0,
        };
        let Some(path) = &repo.path else { return kept };
        let Ok(opened) = self.repositories.opened_repos.open(Path::new(path)).await else {
            return kept;
        };
        let below = async |prefix: &str| match RefName::new(prefix) {
            Ok(name) => opened.refs_below(&name).await.unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        let ids: BTreeSet<String> = tasks.iter().map(|(id, _)| id.to_string()).collect();
        let branches: BTreeSet<&str> = tasks.iter().map(|(_, branch)| branch.as_str()).collect();
        let count = |names: Vec<_>, prefix: &str| {
            let is_own = |name: &RefName| {
                let rest = name.as_str().strip_prefix(prefix).unwrap_or_default();
                rest.split('/').nth(1).is_some_and(|id| ids.contains(id))
            };
            names.iter().filter(|(name, _)| is_own(name)).count() as u64
        };
        let heads = below("refs/heads").await;
        let names = heads.iter().filter_map(|(name, _)| name.as_str().strip_prefix("refs/heads/"));
        kept.branches = names.filter(|name| branches.contains(name)).map(str::to_owned).collect();
        let (journal, archive) = ("refs/forge/journal", "refs/forge/archive");
        kept.journal_entries = count(below(journal).await, journal);
        kept.archived = count(below(archive).await, archive);
        kept
    }
}
