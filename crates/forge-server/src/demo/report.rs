//! The report of a demonstration.

use forge_api::{DemoReport, DemoTask};
use forge_domain::task::TaskSnapshot;
use forge_domain::{LandResult, ProjectId, TaskEvent};
use forge_engine::Engine;
use forge_store::tables::{events, repos};

use crate::convert::tasks::task_phase::phase;
use crate::demo::demo_board::DemoBoard;
use crate::demo::demo_marker::DemoMarker;
use crate::demo::errors::DemoError;

/// More commits than a demonstration makes.
const ALL: u32 = 100;

/// The current state of a demonstration.
pub(crate) async fn report(engine: &Engine, project: ProjectId) -> Result<DemoReport, DemoError> {
    let row = engine.records().project(project).await?;
    let marker = DemoMarker::of(&row).ok_or(DemoError::NotADemo(project))?;
    let board = DemoBoard::load(engine, project).await?;
    let log = match repos::primary_of(engine.db(), project).await? {
        Some(repo) => engine.repos().history(repo.id, ALL).await?,
        None => Vec::new(),
    };
    let mut tasks = Vec::new();
    for task in &board.tasks {
        tasks.push(describe(engine, task).await?);
    }
    Ok(DemoReport {
        project_id: project.uuid(),
        repo_path: marker.repo_path,
        finished: board.is_over(),
        tasks,
        log,
    })
}

async fn describe(engine: &Engine, task: &TaskSnapshot) -> Result<DemoTask, DemoError> {
    Ok(DemoTask {
        key: task.key().to_string(),
        title: task.title.clone(),
        status: task.state.to_string(),
        phase: phase(task.phase),
        attempts: task.attempts,
        remark: remark(task),
        commit: landed_as(engine, task).await?,
    })
}

/// The problem of the task, otherwise what its gate rejected.
fn remark(task: &TaskSnapshot) -> Option<String> {
    if let Some(trouble) = &task.annotation {
        return Some(trouble.message.clone());
    }
    let rejected = task.attempts.checked_sub(1).filter(|rejected| *rejected > 0)?;
    let passed = task.attempts;
    Some(format!("its checks rejected {rejected} of {passed} attempts, and its agent fixed it"))
}

async fn landed_as(engine: &Engine, task: &TaskSnapshot) -> Result<Option<String>, DemoError> {
    let mut landed = None;
    for row in events::of_task(engine.db(), task.id).await? {
        if let TaskEvent::MergeFinished { result: LandResult::Merged { commit, .. } } =
            row.recorded()?.event
        {
            landed = Some(commit);
        }
    }
    Ok(landed)
}
