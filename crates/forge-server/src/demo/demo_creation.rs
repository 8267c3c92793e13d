//! Creates everything that a demonstration needs. After a crash it finds what was created before and does not create
//! it twice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use forge_api::DemoStarted;
use forge_domain::project::ProjectSettings;
use forge_domain::task::ReviewConfig;
use forge_domain::workflow::{RoleName, Workflow, WorkflowDefinition, template};
use forge_domain::{Actor, AgentId, Assignee, ProjectId, WorkspaceType};
use forge_engine::{AgentSpec, Engine, EngineError, LocalRepoSpec, ProjectSpec, TaskSpec};
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::repos;

use crate::demo::demo_agents::DemoAgent;
use crate::demo::demo_board::DemoBoard;
use crate::demo::demo_marker::{DemoMarker, scene_metadata};
use crate::demo::demo_scenes::{DemoScene, STORY};
use crate::demo::errors::DemoError;
use crate::demo::files::{BRANCH, CHECKS, FILES, MESSAGE};

const WORKFLOW: &str = "autopilot";
const NAME: &str = "Demo";
const CHECK_SECONDS: u64 = 120;

/// The autopilot workflow, except that a conflict waits for a person instead of returning to the coder, so that the
/// demonstration ends with one to look at.
fn definition() -> Result<WorkflowDefinition, DemoError> {
    let mut definition = template(WORKFLOW).ok_or(DemoError::Workflow("it is missing"))?;
    for state in definition.state.iter_mut().filter(|state| state.merged.is_some()) {
        state.conflict = state.exhausted.take();
        state.rejected = None;
        state.max_attempts = None;
    }
    Ok(definition)
}

/// Creates a demonstration: repository, agents, project, tasks. [`crate::demo::drive`] starts it.
pub(crate) async fn create_demo(engine: &Engine, actor: &Actor) -> Result<DemoStarted, DemoError> {
    let path = create_directory(engine.home().root()).await?.join("repo");
    let repo_path = path.to_str().ok_or(DemoError::PathNotText)?.to_owned();
    engine.repos().found_repository(&path, BRANCH, &FILES, MESSAGE).await?;
    let workflow = Workflow::compile(definition()?).map_err(EngineError::from)?;
    let agents = create_agents(engine, actor, &role(&workflow)?).await?;
    let marker = DemoMarker { demo: true, repo_path: repo_path.clone(), agents };
    let project = create_project(engine, actor, &workflow, marker.clone()).await?;
    complete_demo(engine, actor, project.id, &marker).await?;
    Ok(DemoStarted { project_id: project.id.uuid(), repo_path })
}

/// Creates the repository row and the tasks of a demonstration that do not exist yet.
pub(crate) async fn complete_demo(
    engine: &Engine,
    actor: &Actor,
    project: ProjectId,
    marker: &DemoMarker,
) -> Result<(), DemoError> {
    if repos::primary_of(engine.db(), project).await?.is_none() {
        let asked = LocalRepoSpec { path: PathBuf::from(&marker.repo_path), name: None };
        engine.repos().add_founded_repo(actor.clone(), project, asked).await?;
    }
    let board = DemoBoard::load(engine, project).await?;
    let role = role(board.workflow())?;
    let known = STORY.iter().filter_map(|scene| Some((scene.name, board.scene(scene.name)?.id)));
    let mut made: BTreeMap<_, _> = known.collect();
    for scene in STORY.iter().filter(|scene| board.scene(scene.name).is_none()) {
        let mut asked = new_task(scene);
        asked.dependencies =
            scene.depends_on.iter().filter_map(|on| made.get(on)).copied().collect();
        if let Some(id) = marker.agents.get(scene.agent.name()) {
            asked.roles.insert(role.clone(), Assignee::Agent { id: *id });
        }
        made.insert(
            scene.name,
            engine.commands().create_task(actor.clone(), project, asked).await?.id,
        );
    }
    Ok(())
}

fn new_task(scene: &DemoScene) -> TaskSpec {
    TaskSpec {
        title: scene.title.to_owned(),
        description: scene.description.to_owned(),
        labels: BTreeSet::from(["demo".to_owned()]),
        metadata: scene_metadata(scene.name),
        ..TaskSpec::default()
    }
}

/// Creates a numbered directory below the data directory; the process that creates it owns the number.
async fn create_directory(data: &Path) -> Result<PathBuf, DemoError> {
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

async fn create_agents(
    engine: &Engine,
    actor: &Actor,
    role: &RoleName,
) -> Result<BTreeMap<String, AgentId>, DemoError> {
    let mut hired = BTreeMap::new();
    for agent in DemoAgent::ALL {
        let mut names = numbered_names(format!("demo-{}", agent.name()), '-');
        let made = loop {
            let asked = AgentSpec {
                name: names.next().unwrap_or_default(),
                executor: agent.executor(),
                roles: vec![role.to_string()],
                max_concurrent: DemoAgent::MAX_CONCURRENT,
                ephemeral: true,
                fallback: None,
            };
            match engine.agents().create_agent(actor.clone(), asked).await {
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
    marker: DemoMarker,
) -> Result<ProjectRow, DemoError> {
    let settings = ProjectSettings {
        default_review_config: ReviewConfig {
            ci_steps: CHECKS.map(str::to_owned).to_vec(),
            timeout_seconds: Some(CHECK_SECONDS),
            ..ReviewConfig::default()
        },
        metadata: marker.into_metadata(),
        ..ProjectSettings::default()
    };
    for name in numbered_names(NAME.to_owned(), ' ') {
        let asked = ProjectSpec {
            name,
            workspace_type: WorkspaceType::GitWorktree,
            workflow: workflow.definition().clone(),
            settings: settings.clone(),
        };
        match engine.projects().create_project(actor.clone(), asked).await {
            Err(EngineError::Duplicate { .. }) => {}
            other => return Ok(other?),
        }
    }
    Err(DemoError::Workflow("every name is in use"))
}

/// The role whose holder carries a task.
fn role(workflow: &Workflow) -> Result<RoleName, DemoError> {
    workflow.claim_role().ok_or(DemoError::Workflow("no state of it is claimable"))
}

/// Yields `base`, `base 2`, `base 3`, …
fn numbered_names(base: String, separator: char) -> impl Iterator<Item = String> {
    (1_u32..).map(move |number| match number {
        1 => base.clone(),
        _ => format!("{base}{separator}{number}"),
    })
}
