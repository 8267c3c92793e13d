//! Claims the tasks of a demonstration for its agents as soon as they are claimable.

use std::path::Path;
use std::time::Duration;

use forge_domain::task::TaskSnapshot;
use forge_domain::{Actor, Assignee, ProjectId, TaskCommand};
use forge_engine::{Engine, EngineError};
use forge_store::tables::{PageRequest, projects};
use forge_store::{StoreError, WakeChannel, WakeSubscription};

use crate::app::AppState;
use crate::demo::demo_board::DemoBoard;
use crate::demo::demo_creation::complete_demo;
use crate::demo::demo_marker::DemoMarker;
use crate::demo::errors::DemoError;

/// Fallback for wake-ups, which can be lost.
const SWEEP: Duration = Duration::from_secs(5);

/// Drives the demonstration in the background until nothing continues by itself, or the server stops.
pub(crate) fn drive(app: &AppState, project: ProjectId) {
    let (engine, stop) = (app.engine.clone(), app.stop.clone());
    app.background.spawn(async move {
        tokio::select! {
            () = stop.cancelled() => {}
            () = watch(&engine, project) => {}
        }
    });
}

/// Continues the demonstrations of this node that an earlier run of the server left unfinished. Call it before the
/// server answers requests, so that no demonstration is being created at the same time.
pub(crate) async fn resume(app: &AppState) {
    let found = match demonstrations(&app.engine).await {
        Ok(found) => found,
        // A failed demonstration must not prevent the start.
        Err(error) => return tracing::warn!(%error, "failed to resume demonstrations"),
    };
    for (project, marker) in found {
        if let Err(error) = resume_one(app, project, &marker).await {
            tracing::warn!(%project, %error, "failed to resume a demonstration");
        }
    }
}

async fn resume_one(
    app: &AppState,
    project: ProjectId,
    marker: &DemoMarker,
) -> Result<(), DemoError> {
    complete_demo(&app.engine, &actor(), project, marker).await?;
    if !DemoBoard::load(&app.engine, project).await?.is_over() {
        drive(app, project);
    }
    Ok(())
}

async fn demonstrations(engine: &Engine) -> Result<Vec<(ProjectId, DemoMarker)>, StoreError> {
    let mut found = Vec::new();
    let mut page = PageRequest::first(PageRequest::MAX);
    loop {
        let (projects, next) = projects::list(engine.db(), &page).await?;
        let marked =
            projects.iter().filter_map(|project| Some((project.id, DemoMarker::of(project)?)));
        // Other nodes share the database, but not the disk.
        let ours = |path: &str| Path::new(path).starts_with(engine.home().root());
        found.extend(marked.filter(|(_, marker)| ours(&marker.repo_path)));
        match next {
            Some(cursor) => page.after = Some(cursor),
            None => return Ok(found),
        }
    }
}

async fn watch(engine: &Engine, project: ProjectId) {
    let mut wakes = engine.db().subscribe(WakeChannel::Events);
    loop {
        match claim_ready_tasks(engine, project).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!(%project, %error, "demonstration is delayed"),
        }
        if let Ok(false) = tokio::time::timeout(SWEEP, wait_for_wake(&mut wakes, project)).await {
            return;
        }
    }
}

/// Waits for the next wake-up about the project; `false` if there will be no more.
async fn wait_for_wake(wakes: &mut WakeSubscription, project: ProjectId) -> bool {
    let project = project.to_string();
    loop {
        match wakes.next().await {
            None => return false,
            Some(wake) if wake.about.as_ref().is_none_or(|about| *about == project) => return true,
            Some(_) => {}
        }
    }
}

/// Claims the tasks that are ready; returns whether the demonstration is over.
async fn claim_ready_tasks(engine: &Engine, project: ProjectId) -> Result<bool, EngineError> {
    let board = DemoBoard::load(engine, project).await?;
    for (task, holder) in board.ready_tasks() {
        match claim(engine, &board, task, holder).await {
            // Another caller was faster, or paused something: the next wake-up shows the new state.
            Err(EngineError::Refused(refusal)) => {
                tracing::debug!(task = %task.key(), %refusal, "claim was refused")
            }
            other => other?,
        }
    }
    Ok(board.is_over())
}

async fn claim(
    engine: &Engine,
    board: &DemoBoard,
    task: &TaskSnapshot,
    holder: Assignee,
) -> Result<(), EngineError> {
    if !task.claimable
        && let Some(pool) = board.workflow().claim_queue()
    {
        let to = pool.name().clone();
        let command = TaskCommand::Move { to, version: Some(task.version), reason: None };
        engine.commands().handle(actor(), task.id, command).await?;
    }
    engine.commands().handle(actor(), task.id, TaskCommand::Claim { claimer: holder }).await?;
    Ok(())
}

fn actor() -> Actor {
    Actor::system("demo")
}
