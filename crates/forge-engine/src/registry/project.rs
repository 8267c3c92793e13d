//! Projects.

use super::budget::{budget_of, put_budget};
use super::repo::{NewRepo, insert_in, takes_repos};
use super::{name, setup};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use crate::naming::Templates;
use crate::plain;
use crate::pool::keeps_ignored;
use crate::prompting::PromptSettings;
use crate::remotes::installation_of;
use crate::scheduling::DispatchSettings;
use crate::train::MergeSettings;
use forge_domain::workflow::{Definition, Workflow};
use forge_domain::{Actor, ProjectId, Refusal, Timestamp};
use forge_store::tables::{self, projects::Project, repos::Repo};
use std::sync::Arc;

/// A project to be made.
#[derive(Debug, Clone)]
pub struct NewProject {
    /// Its name.
    pub name: String,
    /// Its workspace strategy, as on the wire.
    pub workspace_type: String,
    /// Its workflow.
    pub workflow: Definition,
    /// Its settings, as on the wire.
    pub settings: serde_json::Value,
}

/// A change to a project. Absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct ProjectPatch {
    /// The version the editor saw.
    pub version: i64,
    /// Its name.
    pub name: Option<String>,
    /// Its settings.
    pub settings: Option<serde_json::Value>,
}

impl Engine {
    /// Makes a project with a snapshot of its workflow; the person who asks is its first member.
    pub async fn create_project(
        &self,
        actor: Actor,
        asked: NewProject,
    ) -> Result<Project, EngineError> {
        self.make_project(actor, asked, None).await
    }

    /// The same with its primary repository: both are made, or neither is.
    pub async fn create_project_with_repo(
        &self,
        actor: Actor,
        asked: NewProject,
        repo: NewRepo,
    ) -> Result<Project, EngineError> {
        takes_repos(&asked.workspace_type)?;
        self.make_project(actor, asked, Some(repo)).await
    }

    async fn make_project(
        &self,
        actor: Actor,
        asked: NewProject,
        repo: Option<NewRepo>,
    ) -> Result<Project, EngineError> {
        name::check(&asked.name)?;
        setup::check(&asked.settings)?;
        installation_of(&asked.settings)?;
        Templates::of(&asked.settings)?;
        keeps_ignored(&asked.settings)?;
        MergeSettings::of(&asked.settings)?;
        let dispatch = DispatchSettings::of(&asked.settings)?;
        let budget = budget_of(&asked.settings)?;
        plain::check(&asked.workspace_type, &asked.settings)?;
        let workflow = Workflow::compile(asked.workflow)?;
        PromptSettings::check(&asked.settings, &workflow)?;
        let now = self.now();
        let definition = serde_json::to_string(workflow.definition())
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        let id = ProjectId::new(self.0.ids.next(now));
        let repo = match repo {
            Some(repo) => Some(Repo { primary: true, ..self.row_of(id, repo).await? }),
            None => None,
        };
        let primary = repo.as_ref().map(|repo| repo.id);
        let project = Arc::new(Project {
            id,
            ordinal: 0,
            slug: name::slug(&asked.name),
            name: asked.name,
            workspace_type: asked.workspace_type,
            workflow: workflow.hash().clone(),
            settings: asked.settings,
            paused_at: None,
            version: 1,
            created_at: now,
            updated_at: now,
        });
        let duplicate =
            EngineError::Duplicate { noun: "project", field: "name", value: project.name.clone() };
        let written = self
            .0
            .db
            .write(move |tx| {
                let (project, definition, actor, repo) =
                    (project.clone(), definition.clone(), actor.clone(), repo.clone());
                Box::pin(async move {
                    tables::workflows::put(tx, &project.workflow, &definition).await?;
                    tables::projects::insert(tx, &project).await?;
                    dispatch.put(tx, project.id).await?;
                    put_budget(tx, project.id, &budget, now).await?;
                    if let Actor::User { id } = &actor {
                        tables::members::add(tx, project.id, *id, 0, now).await?;
                    }
                    let event = event("project.created", &project, now);
                    tables::events::append(tx, project.id, &actor, None, &[event]).await?;
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
                self.tend_pool(primary);
                self.project(id).await
            }
        }
    }

    /// Changes a project.
    pub async fn update_project(
        &self,
        actor: Actor,
        id: ProjectId,
        patch: ProjectPatch,
    ) -> Result<Project, EngineError> {
        if let Some(new) = &patch.name {
            name::check(new)?;
        }
        if let Some(settings) = &patch.settings {
            setup::check(settings)?;
            installation_of(settings)?;
            Templates::of(settings)?;
            keeps_ignored(settings)?;
            DispatchSettings::of(settings)?;
            self.check_merge_mode(id, settings).await?;
            budget_of(settings)?;
            let workflow = self.workflow(&self.project(id).await?.workflow).await?;
            PromptSettings::check(settings, &workflow)?;
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
                plain::check(&project.workspace_type, settings)?;
                project.settings.clone_from(settings);
            }
            Ok(true)
        });
        let changed = changed.await?;
        self.tend_pools_of(id).await;
        self.replan_lines();
        Ok(changed)
    }

    /// Pauses or resumes a project; doing so twice changes nothing.
    pub async fn pause_project(
        &self,
        actor: Actor,
        id: ProjectId,
        pause: bool,
    ) -> Result<Project, EngineError> {
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

    pub(super) async fn change_project(
        &self,
        actor: Actor,
        id: ProjectId,
        kind: &'static str,
        change: impl Fn(&mut Project, Timestamp) -> Result<bool, EngineError> + Send + Sync + 'static,
    ) -> Result<Project, EngineError> {
        let (now, change) = (self.now(), Arc::new(change));
        self.0
            .db
            .write(move |tx| {
                let (actor, change) = (actor.clone(), change.clone());
                Box::pin(async move {
                    let mut project = found(tables::projects::lock(tx, id).await?, "project", id)?;
                    if change(&mut project, now)? {
                        project.updated_at = now;
                        // The row is locked, so the version just read is the version that is there.
                        tables::projects::update(tx, &project).await?;
                        DispatchSettings::of(&project.settings)?.put(tx, id).await?;
                        put_budget(tx, id, &budget_of(&project.settings)?, now).await?;
                        project.version += 1;
                        let event = event(kind, &project, now);
                        tables::events::append(tx, id, &actor, None, &[event]).await?;
                    }
                    Ok(project)
                })
            })
            .await
    }
}

pub(super) fn event(kind: &str, project: &Project, at: Timestamp) -> tables::events::NewEvent {
    let data = serde_json::json!({ "id": project.id, "name": project.name, "paused": project.paused_at.is_some() });
    tables::events::NewEvent { kind: kind.to_owned(), version: project.version, at, data }
}
