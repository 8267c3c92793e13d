//! Claims the tasks of a demonstration for its agents as they become claimable, like a person who watches the board.

use std::path::Path;
use std::time::Duration;

use forge_domain::task::Snapshot;
use forge_domain::{Actor, Assignee, Command, ProjectId};
use forge_engine::{Engine, EngineError};
use forge_store::tables::{Page, projects};
use forge_store::{Channel, StoreError, Subscription};

use super::board::Board;
use super::errors::DemoError;
use super::marker::Marker;
use super::stage::furnish;
use crate::app::App;

/// Behind the hints, which can be lost.
const SWEEP: Duration = Duration::from_secs(5);

/// Drives the demonstration in the background until nothing goes on by itself, or the server stops.
pub(crate) fn drive(app: &App, project: ProjectId) {
    let (engine, stop) = (app.engine.clone(), app.stop.clone());
    app.background.spawn(async move {
        tokio::select! {
            () = stop.cancelled() => {}
            () = watch(&engine, project) => {}
        }
    });
}

/// Goes on with the demonstrations of this node that an earlier run of the server left in the middle. Call it before
/// requests are answered, so that none of them is being made meanwhile.
pub(crate) async fn resume(app: &App) {
    let found = match demonstrations(&app.engine).await {
        Ok(found) => found,
        // A demonstration is no reason not to start.
        Err(error) => return tracing::warn!(%error, "demonstrations are not resumed"),
    };
    for (project, marker) in found {
        if let Err(error) = resume_one(app, project, &marker).await {
            tracing::warn!(%project, %error, "a demonstration is not resumed");
        }
    }
}

async fn resume_one(app: &App, project: ProjectId, marker: &Marker) -> Result<(), DemoError> {
    furnish(&app.engine, &actor(), project, marker).await?;
    if !Board::load(&app.engine, project).await?.is_over() {
        drive(app, project);
    }
    Ok(())
}

async fn demonstrations(engine: &Engine) -> Result<Vec<(ProjectId, Marker)>, StoreError> {
    let mut found = Vec::new();
    let mut page = Page::first(Page::MAX);
    loop {
        let (projects, next) = projects::list(engine.db(), &page).await?;
        let marked = projects.iter().filter_map(|project| Some((project.id, Marker::of(project)?)));
        // Other nodes share the database, not the disk.
        let ours = |path: &str| Path::new(path).starts_with(engine.home().root());
        found.extend(marked.filter(|(_, marker)| ours(&marker.repo_path)));
        match next {
            Some(cursor) => page.after = Some(cursor),
            None => return Ok(found),
        }
    }
}

async fn watch(engine: &Engine, project: ProjectId) {
    let mut wakes = engine.db().subscribe(Channel::Events);
    loop {
        match look(engine, project).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!(%project, %error, "the demonstration waits"),
        }
        if let Ok(false) = tokio::time::timeout(SWEEP, hint(&mut wakes, project)).await {
            return;
        }
    }
}

/// Whether there will be more hints; comes back with the next one about the project.
async fn hint(wakes: &mut Subscription, project: ProjectId) -> bool {
    let project = project.to_string();
    loop {
        match wakes.next().await {
            None => return false,
            Some(wake) if wake.about.as_ref().is_none_or(|about| *about == project) => return true,
            Some(_) => {}
        }
    }
}

/// Claims what is ready; whether it is all over.
async fn look(engine: &Engine, project: ProjectId) -> Result<bool, EngineError> {
    let board = Board::load(engine, project).await?;
    for (task, holder) in board.ready() {
        match claim(engine, &board, task, holder).await {
            // Somebody was faster, or paused something: the next hint shows how things stand.
            Err(EngineError::Refused(refusal)) => {
                tracing::debug!(task = %task.key(), %refusal, "not claimed")
            }
            other => other?,
        }
    }
    Ok(board.is_over())
}

async fn claim(
    engine: &Engine,
    board: &Board,
    task: &Snapshot,
    holder: Assignee,
) -> Result<(), EngineError> {
    if !task.claimable
        && let Some(pool) = board.workflow().pool()
    {
        let to = pool.name().clone();
        let command = Command::Move { to, version: task.version, reason: None };
        engine.handle(actor(), task.id, command).await?;
    }
    engine.handle(actor(), task.id, Command::Claim { claimer: holder }).await?;
    Ok(())
}

fn actor() -> Actor {
    Actor::system("demo")
}
