//! Makes everything a demonstration needs. What was made before a crash is found again and not made twice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use forge_api::{DemoStarted, ProjectSettings, ReviewConfig, WorkspaceType};
use forge_domain::workflow::{RoleName, Workflow, template};
use forge_domain::{Actor, AgentId, Assignee, ProjectId};
use forge_engine::{Engine, EngineError, NewAgent, NewProject, NewRepo, NewTask};
use forge_store::tables::projects::Project;
use forge_store::tables::repos;
use serde_json::json;

use super::board::Board;
use super::cast::Agent;
use super::errors::DemoError;
use super::files::{BRANCH, CHECKS, FILES, MESSAGE};
use super::marker::{Marker, scene_metadata};
use super::story::{STORY, Scene};
use crate::convert::word;

const WORKFLOW: &str = "autopilot";
const NAME: &str = "Demo";
const CHECK_SECONDS: u64 = 120;

/// Makes a demonstration: repository, agents, project, tasks. It begins with [`super::drive`].
pub(crate) async fn set(engine: &Engine, actor: &Actor) -> Result<DemoStarted, DemoError> {
    let path = make_place(engine.home().root()).await?.join("repo");
    let repo_path = path.to_str().ok_or(DemoError::PathNotText)?.to_owned();
    engine.found_repository(&path, BRANCH, &FILES, MESSAGE).await?;
    let definition = template(WORKFLOW).ok_or(DemoError::Workflow("it is not there"))?;
    let workflow = Workflow::compile(definition).map_err(EngineError::from)?;
    let agents = hire(engine, actor, &role(&workflow)?).await?;
    let marker = Marker { demo: true, repo_path: repo_path.clone(), agents };
    let project = create_project(engine, actor, &workflow, marker.clone()).await?;
    furnish(engine, actor, project.id, &marker).await?;
    Ok(DemoStarted { project_id: project.id.uuid(), repo_path })
}

/// Makes of a demonstration's repository row and tasks what is not there yet.
pub(super) async fn furnish(
    engine: &Engine,
    actor: &Actor,
    project: ProjectId,
    marker: &Marker,
) -> Result<(), DemoError> {
    if repos::primary_of(engine.db(), project).await?.is_none() {
        let asked = NewRepo { path: PathBuf::from(&marker.repo_path), name: None };
        engine.add_repo(actor.clone(), project, asked).await?;
    }
    let board = Board::load(engine, project).await?;
    let role = role(board.workflow())?;
    let known = STORY.iter().filter_map(|scene| Some((scene.name, board.scene(scene.name)?.id)));
    let mut made: BTreeMap<_, _> = known.collect();
    for scene in STORY.iter().filter(|scene| board.scene(scene.name).is_none()) {
        let mut asked = asked(scene);
        asked.dependencies =
            scene.depends_on.iter().filter_map(|on| made.get(on)).copied().collect();
        if let Some(id) = marker.agents.get(scene.agent.name()) {
            asked.roles.insert(role.clone(), Assignee::Agent { id: *id });
        }
        made.insert(scene.name, engine.create_task(actor.clone(), project, asked).await?.id);
    }
    Ok(())
}

fn asked(scene: &Scene) -> NewTask {
    NewTask {
        title: scene.title.to_owned(),
        description: scene.description.to_owned(),
        labels: BTreeSet::from(["demo".to_owned()]),
        metadata: scene_metadata(scene.name),
        ..NewTask::default()
    }
}

/// A directory of its own below the data directory: who makes it has the number.
async fn make_place(data: &Path) -> Result<PathBuf, DemoError> {
    let parent = data.join("demo");
    let refused = |path: &Path, source| DemoError::Directory { path: path.to_owned(), source };
    tokio::fs::create_dir_all(&parent).await.map_err(|error| refused(&parent, error))?;
    let mut number = 1_u32;
    loop {
        let place = parent.join(number.to_string());
        match tokio::fs::create_dir(&place).await {
            Ok(()) => return Ok(place),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(refused(&place, error)),
        }
    }
}

async fn hire(
    engine: &Engine,
    actor: &Actor,
    role: &RoleName,
) -> Result<BTreeMap<String, AgentId>, DemoError> {
    let mut hired = BTreeMap::new();
    for agent in Agent::ALL {
        let mut names = numbered(format!("demo-{}", agent.name()), '-');
        let made = loop {
            let asked = NewAgent {
                name: names.next().unwrap_or_default(),
                executor: agent.executor(),
                roles: vec![role.to_string()],
                max_concurrent: Agent::MAX_CONCURRENT,
                ephemeral: true,
                fallback: None,
            };
            match engine.create_agent(actor.clone(), asked).await {
                Err(EngineError::Duplicate { .. }) => {}
                other => break other?,
            }
        };
        hired.insert(agent.name().to_owned(), made.id);
    }
    Ok(hired)
}

async fn create_project(
    engine: &Engine,
    actor: &Actor,
    workflow: &Workflow,
    marker: Marker,
) -> Result<Project, DemoError> {
    let settings = json!(ProjectSettings {
        default_review_config: ReviewConfig {
            ci_steps: CHECKS.map(str::to_owned).to_vec(),
            timeout_seconds: Some(CHECK_SECONDS),
            ..ReviewConfig::default()
        },
        metadata: marker.into_metadata(),
        ..ProjectSettings::default()
    });
    for name in numbered(NAME.to_owned(), ' ') {
        let asked = NewProject {
            name,
            workspace_type: word::of_workspace_type(WorkspaceType::GitWorktree).to_owned(),
            workflow: workflow.definition().clone(),
            settings: settings.clone(),
        };
        match engine.create_project(actor.clone(), asked).await {
            Err(EngineError::Duplicate { .. }) => {}
            other => return Ok(other?),
        }
    }
    Err(DemoError::Workflow("every name is taken"))
}

/// The role whose holder carries a task.
fn role(workflow: &Workflow) -> Result<RoleName, DemoError> {
    workflow.claim_role().ok_or(DemoError::Workflow("nothing can be claimed in it"))
}

/// `base`, `base 2`, `base 3`, …
fn numbered(base: String, separator: char) -> impl Iterator<Item = String> {
    (1_u32..).map(move |number| match number {
        1 => base.clone(),
        _ => format!("{base}{separator}{number}"),
    })
}
