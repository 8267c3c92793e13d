//! Loads what a decision needs to know besides the task, in the same transaction.

use crate::engine::Limits;
use crate::errors::EngineError;
use crate::plain::PERSISTENT;
use forge_domain::task::Snapshot;
use forge_domain::{
    AgentFacts, AgentId, Command, DependencyFacts, DispatchFacts, Envelope, Facts, ProjectId,
    Reset, TaskId, Timestamp,
};
use forge_store::{Tx, tables};

/// The facts this command needs; the rest stay at their defaults.
pub(crate) async fn load(
    tx: &mut Tx,
    task: &Snapshot,
    envelope: &Envelope,
    limits: &Limits,
) -> Result<Facts, EngineError> {
    let mut facts =
        Facts { cleanup_delay_seconds: limits.cleanup_delay_seconds, ..Facts::default() };
    match &envelope.command {
        Command::Claim { claimer } => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            let plain = project.as_ref().is_some_and(|found| found.workspace_type == PERSISTENT);
            facts.project_paused = project.is_some_and(|project| project.paused_at.is_some());
            facts.has_repository = task.repo_id.is_some() || plain;
            facts.dependencies = dependencies(tx, task).await?;
            if let Some(agent) = claimer.agent() {
                facts.claimer = Some(claiming_agent(tx, agent, envelope.at).await?);
            }
            if envelope.actor.is_scheduler() {
                facts.dispatch = Some(dispatch(tx, task.project_id).await?);
            }
        }
        Command::ResetWorkspace
        | Command::CleanWorkspace
        | Command::Assign { reset: Reset::Worktree | Reset::Workspace, .. } => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            if project.is_some_and(|found| found.workspace_type == PERSISTENT) {
                return Err(EngineError::NotAGitWorkspace);
            }
        }
        Command::AddDependency { on } => would_be_dependency(tx, task, *on, &mut facts).await?,
        _ => {}
    }
    Ok(facts)
}

async fn claiming_agent(
    tx: &mut Tx,
    id: AgentId,
    now: Timestamp,
) -> Result<AgentFacts, EngineError> {
    // The row lock makes "has room" true until the claim is committed.
    let Some(agent) = tables::agents::lock(tx, id).await? else {
        return Err(EngineError::NotFound { noun: "agent", id: id.to_string() });
    };
    let running = tables::agents::count_running(tx, id).await?;
    let until = tables::quota::until_in(tx, id).await?;
    Ok(AgentFacts {
        paused: agent.paused,
        quota_wait: until.is_some_and(|until| now < until),
        running: u32::try_from(running).unwrap_or(u32::MAX),
        max_concurrent: u32::try_from(agent.max_concurrent).unwrap_or(0),
    })
}

async fn dispatch(tx: &mut Tx, project: ProjectId) -> Result<DispatchFacts, EngineError> {
    let served = tables::dispatch::served_in(tx, project).await?;
    let max_concurrent = served.flatten();
    let running = match max_concurrent {
        Some(_) => tables::dispatch::count_running_in(tx, project).await?,
        None => 0,
    };
    let on = served.is_some() && tables::dispatch::paused_at_in(tx).await?.is_none();
    Ok(DispatchFacts { on, running, max_concurrent })
}

async fn dependencies(tx: &mut Tx, task: &Snapshot) -> Result<Vec<DependencyFacts>, EngineError> {
    if task.dependencies.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = task.dependencies.iter().copied().collect();
    Ok(tables::tasks::load_many_in(tx, &ids)
        .await?
        .into_iter()
        .map(|other| DependencyFacts {
            task_id: other.id,
            key: other.key().to_string(),
            standing: other.standing,
            holder: other.holder,
        })
        .collect())
}

async fn would_be_dependency(
    tx: &mut Tx,
    task: &Snapshot,
    on: TaskId,
    facts: &mut Facts,
) -> Result<(), EngineError> {
    let Some(other) = tables::tasks::load_many_in(tx, &[on]).await?.pop() else {
        return Err(EngineError::NotFound { noun: "task", id: on.to_string() });
    };
    facts.same_project = other.project_id == task.project_id;
    facts.is_family = other.parent == Some(task.id) || task.parent == Some(on);
    facts.way_back = tables::tasks::way_back(tx, on, task.id).await?;
    Ok(())
}
