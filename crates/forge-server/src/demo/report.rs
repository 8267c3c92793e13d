//! What became of a demonstration.

use forge_api::{Demo, DemoTask};
use forge_domain::task::Snapshot;
use forge_domain::{Event, LandResult, ProjectId};
use forge_engine::Engine;
use forge_store::tables::{events, repos};

use super::board::Board;
use super::errors::DemoError;
use super::marker::Marker;
use crate::convert::phase::phase;

/// More commits than a demonstration makes.
const ALL: u32 = 100;

/// The demonstration of a project as it stands.
pub(crate) async fn report(engine: &Engine, project: ProjectId) -> Result<Demo, DemoError> {
    let row = engine.project(project).await?;
    let marker = Marker::of(&row).ok_or(DemoError::NotADemo(project))?;
    let board = Board::load(engine, project).await?;
    let log = match repos::primary_of(engine.db(), project).await? {
        Some(repo) => engine.history(repo.id, ALL).await?,
        None => Vec::new(),
    };
    let mut tasks = Vec::new();
    for task in &board.tasks {
        tasks.push(describe(engine, task).await?);
    }
    Ok(Demo {
        project_id: project.uuid(),
        repo_path: marker.repo_path,
        finished: board.is_over(),
        tasks,
        log,
    })
}

async fn describe(engine: &Engine, task: &Snapshot) -> Result<DemoTask, DemoError> {
    Ok(DemoTask {
        key: task.key().to_string(),
        title: task.title.clone(),
        status: task.state.to_string(),
        phase: phase(task.phase),
        attempts: task.attempts,
        commit: landed_as(engine, task).await?,
    })
}

async fn landed_as(engine: &Engine, task: &Snapshot) -> Result<Option<String>, DemoError> {
    let mut landed = None;
    for row in events::of_task(engine.db(), task.id).await? {
        if let Event::MergeFinished { result: LandResult::Merged { commit, .. } } =
            row.recorded()?.event
        {
            landed = Some(commit);
        }
    }
    Ok(landed)
}
