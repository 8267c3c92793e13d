//! Projects: creation, changes, pausing.

use crate::admin::boundary::project_directories::ProjectBoundary;
use crate::admin::budget::put_budget;
use crate::admin::name;
use crate::admin::repo::{LocalRepoSpec, RepoOrigin, Repos, insert_in, takes_repos};
use crate::admin::settings_check::check_settings;
use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::id_source::IdSource;
use crate::command::lookup::{RecordReader, require_found};
use crate::dispatch::put_dispatch_settings;
use crate::effects::faults::FaultPoints;
use crate::landing::train::MergeTrains;
use crate::remote::access::Remotes;
use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::project::{ProjectSettings, StoredSettings};
use forge_domain::workflow::{Workflow, WorkflowDefinition};
use forge_domain::{Actor, ProjectId, Refusal, Timestamp, WorkspaceType};
use forge_store::tables::{self, projects::ProjectRow, repos::RepoRow};
use forge_store::{Db, Tx};
use std::path::Path;
use std::sync::Arc;

/// A project to be created.
#[derive(Debug, Clone)]
pub struct ProjectSpec {
    pub name: String,
    pub workspace_type: WorkspaceType,
    pub workflow: WorkflowDefinition,
    pub settings: ProjectSettings,
}

/// A change to a project. Absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct ProjectChange {
    /// The version that the editor saw.
    pub version: i64,
    pub name: Option<String>,
    /// New settings; they replace the old ones as a whole.
    pub settings: Option<ProjectSettings>,
}

/// Projects: creation, changes, pausing, workflows.
#[derive(Debug, Clone)]
pub struct Projects {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) boundary: ProjectBoundary,
    pub(crate) faults: FaultPoints,
    pub(crate) pools: WorktreePools,
    pub(crate) records: RecordReader,
    pub(crate) remotes: Remotes,
    pub(crate) repositories: Repos,
    pub(crate) trains: MergeTrains,
}

impl Projects {
    /// Creates a project with a copy of its workflow; the requesting user is its first member.
    pub async fn create_project(
        &self,
        actor: Actor,
        asked: ProjectSpec,
    ) -> Result<ProjectRow, EngineError> {
        self.make_project(actor, asked, None).await
    }

    /// Creates a project together with its primary repository, in one transaction.
    pub async fn create_project_with_repo(
        &self,
        actor: Actor,
        asked: ProjectSpec,
        repo: LocalRepoSpec,
        branch: Option<String>,
    ) -> Result<ProjectRow, EngineError> {
        takes_repos(asked.workspace_type)?;
        self.make_project(actor, asked, Some((repo, branch))).await
    }

    async fn make_project(
        &self,
        actor: Actor,
        asked: ProjectSpec,
        repo: Option<(LocalRepoSpec, Option<String>)>,
    ) -> Result<ProjectRow, EngineError> {
        name::check(&asked.name)?;
        let workflow = Workflow::compile(asked.workflow)?;
        check_settings(&asked.settings, asked.workspace_type, &workflow)?;
        if let Some(directory) = &asked.settings.directory {
            self.boundary.check_plain_directory(None, Path::new(directory)).await?;
        }
        let now = self.clock.now();
        let definition = serde_json::to_string(workflow.definition())
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        let id = ProjectId::new(self.ids.next(now));
        let repo = match repo {
            Some((repo, branch)) => {
                let row = self
                    .repositories
                    .build_repo_row(id, repo, branch.as_deref(), RepoOrigin::Named)
                    .await?;
                Some(RepoRow { primary: true, ..row })
            }
            None => None,
        };
        let primary = repo.as_ref().map(|repo| repo.id);
        let project = Arc::new(ProjectRow {
            id,
            ordinal: 0,
            slug: name::slug(&asked.name),
            name: asked.name,
            workspace_type: asked.workspace_type,
            workflow: workflow.hash().clone(),
            settings: asked.settings.into(),
            paused_at: None,
            version: 1,
            created_at: now,
            updated_at: now,
        });
        let duplicate =
            EngineError::Duplicate { noun: "project", field: "name", value: project.name.clone() };
        let written = self
            .db
            .write(move |tx| {
                let (project, definition, actor, repo) =
                    (project.clone(), definition.clone(), actor.clone(), repo.clone());
                Box::pin(async move {
                    tables::workflows::put(tx, &project.workflow, &definition).await?;
                    tables::projects::insert(tx, &project).await?;
                    put_agent_limits(tx, project.id, &project.settings, now).await?;
                    if let Actor::User { id } = &actor {
                        tables::members::add(tx, project.id, *id, 0, now).await?;
                    }
                    let event = event("project.created", &project, now);
                    append_events(tx, project.id, &actor, &[event]).await?;
                    if let Some(repo) = &repo {
                        insert_in(tx, &actor, repo).await?;
                    }
                    Ok::<_, EngineError>(())
                })
            })
            .await;
        match written {
            Err(EngineError::Store(error)) if error.is_duplicate() => Err(duplicate),
            Err(error) => Err(error),
            Ok(()) => {
                self.pools.maintain_pool(primary);
                self.records.project(id).await
            }
        }
    }

    /// Changes a project.
    pub async fn update_project(
        &self,
        actor: Actor,
        id: ProjectId,
        patch: ProjectChange,
    ) -> Result<ProjectRow, EngineError> {
        if let Some(new) = &patch.name {
            name::check(new)?;
        }
        if let Some(settings) = &patch.settings {
            let project = self.records.project(id).await?;
            let workflow = self.records.workflow(&project.workflow).await?;
            check_settings(settings, project.workspace_type, &workflow)?;
            self.check_merge_mode(id, settings.merge.mode).await?;
            if let Some(directory) = &settings.directory {
                self.boundary.check_plain_directory(Some(id), Path::new(directory)).await?;
            }
        }
        let changed = self.change_project(actor, id, "project.updated", move |project, _| {
            if project.version != patch.version {
                let (expected, actual) = (patch.version, project.version);
                let noun = "project";
                return Err(Refusal::VersionConflict { noun, expected, actual }.into());
            }
            if let Some(new) = &patch.name {
                project.name.clone_from(new);
            }
            if let Some(settings) = &patch.settings {
                project.settings = settings.clone().into();
            }
            Ok(true)
        });
        let changed = changed.await?;
        self.pools.maintain_pools_of(id).await;
        self.trains.replan_all();
        Ok(changed)
    }

    /// Pauses or resumes a project; repeating it changes nothing.
    pub async fn pause_project(
        &self,
        actor: Actor,
        id: ProjectId,
        pause: bool,
    ) -> Result<ProjectRow, EngineError> {
        let event = if pause { "project.paused" } else { "project.resumed" };
        self.change_project(actor, id, event, move |project, now| {
            if project.paused_at.is_some() == pause {
                return Ok(false);
            }
            project.paused_at = pause.then_some(now);
            Ok(true)
        })
        .await
    }

    pub(crate) async fn change_project(
        &self,
        actor: Actor,
        id: ProjectId,
        kind: &'static str,
        change: impl Fn(&mut ProjectRow, Timestamp) -> Result<bool, EngineError> + Send + Sync + 'static,
    ) -> Result<ProjectRow, EngineError> {
        let (now, change) = (self.clock.now(), Arc::new(change));
        self.db
            .write(move |tx| {
                let (actor, change) = (actor.clone(), change.clone());
                Box::pin(async move {
                    let mut project =
                        require_found(tables::projects::lock(tx, id).await?, "project", id)?;
                    if change(&mut project, now)? {
                        project.updated_at = now;
                        // The row is locked, so its version is still current.
                        tables::projects::update(tx, &project).await?;
                        put_agent_limits(tx, id, &project.settings, now).await?;
                        project.version += 1;
                        let event = event(kind, &project, now);
                        append_events(tx, id, &actor, &[event]).await?;
                    }
                    Ok(project)
                })
            })
            .await
    }
}

/// Stores the settings that decide when agents may start where the scheduler reads them.
async fn put_agent_limits(
    tx: &mut Tx,
    project: ProjectId,
    settings: &StoredSettings,
    now: Timestamp,
) -> Result<(), EngineError> {
    put_dispatch_settings(tx, project, settings.dispatch()?).await?;
    put_budget(tx, project, &settings.budget()?, now).await?;
    Ok(())
}

pub(crate) fn event(kind: &str, project: &ProjectRow, at: Timestamp) -> tables::events::NewEvent {
    let data = serde_json::json!({ "id": project.id, "name": project.name, "paused": project.paused_at.is_some() });
    tables::events::NewEvent { kind: kind.to_owned(), version: project.version, at, data }
}
