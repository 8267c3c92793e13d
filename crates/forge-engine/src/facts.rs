//! Loads what a decision needs to know besides the task, in the same transaction.

use crate::engine::Limits;
use crate::errors::EngineError;
use crate::lookup::found;
use crate::plain::PERSISTENT;
use crate::train::{MergeSettings, MergeVerify};
use crate::workflows::Workflows;
use forge_domain::task::Snapshot;
use forge_domain::{
    AgentFacts, AgentId, BudgetFacts, Command, DependencyFacts, DispatchFacts, Envelope,
    ExecutionId, Facts, LandResult, ParentFacts, ProjectId, Report, Reset, Substitute, TaskId,
    Timestamp, TurnFacts,
};
use forge_store::{Tx, tables};

/// The facts this command needs; the rest stay at their defaults.
pub(crate) async fn load(
    tx: &mut Tx,
    task: &Snapshot,
    envelope: &Envelope,
    limits: &Limits,
    workflows: &Workflows,
) -> Result<Facts, EngineError> {
    let mut facts =
        Facts { cleanup_delay_seconds: limits.cleanup_delay_seconds, ..Facts::default() };
    family(tx, task, workflows, &mut facts).await?;
    match &envelope.command {
        Command::BeginTurn => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            facts.project_paused = project.is_some_and(|project| project.paused_at.is_some());
            facts.has_repository = true;
            let workflow = workflows.load_in(tx, &task.workflow).await?;
            let own = workflow.claim_role().and_then(|role| task.roles.get(&role).copied());
            let coder = facts.parent.as_ref().and_then(|parent| parent.coder);
            if let Some(agent) = own.or(coder).and_then(|claimer| claimer.agent()) {
                facts.claimer = Some(claiming_agent(tx, agent, envelope.at).await?);
            }
        }
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
        | Command::Rebase { .. }
        | Command::Assign { reset: Reset::Worktree | Reset::Workspace, .. } => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            if project.is_some_and(|found| found.workspace_type == PERSISTENT) {
                return Err(EngineError::NotAGitWorkspace);
            }
        }
        Command::Report(Report::LandingEnded { result: LandResult::Merged { .. }, .. }) => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            let merge = project.map(|found| MergeSettings::of(&found.settings)).transpose()?;
            facts.verifies_landings =
                merge.is_some_and(|merge| merge.verify == MergeVerify::RemoteChecks);
        }
        Command::AddDependency { on } => would_be_dependency(tx, task, *on, &mut facts).await?,
        Command::Report(Report::RunEnded { execution, result })
            if result.told.quota().is_some() =>
        {
            facts.substitute = substitute(tx, task, *execution, envelope.at).await?;
        }
        _ => {}
    }
    if may_begin_a_run(&envelope.command) {
        facts.budget = budget(tx, task, &envelope.command).await?;
    }
    Ok(facts)
}

/// What a turn and the task in whose workspace it is taken need to know of each other. Both lock the parent before they
/// look, so that never two of them begin there at once.
async fn family(
    tx: &mut Tx,
    task: &Snapshot,
    workflows: &Workflows,
    facts: &mut Facts,
) -> Result<(), EngineError> {
    if !task.turns.is_empty() {
        facts.turns = TurnFacts::in_order(turns_of(tx, task).await?);
    }
    if let (Some(_), Some(parent)) = (task.turn(), task.parent) {
        let parent = found(tables::tasks::lock(tx, parent).await?, "task", parent)?;
        let workflow = workflows.load_in(tx, &parent.workflow).await?;
        let turns = turns_of(tx, &parent).await?;
        facts.parent = Some(ParentFacts::of(&workflow, &parent, &turns, task));
    }
    Ok(())
}

/// The turns in a task's workspace, in no order.
pub(crate) async fn turns_of(tx: &mut Tx, task: &Snapshot) -> Result<Vec<Snapshot>, EngineError> {
    let ids: Vec<_> = task.turns.iter().copied().collect();
    Ok(tables::tasks::load_many_in(tx, &ids).await?)
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

/// Whether an agent may begin because of it, so that somebody has to pay.
fn may_begin_a_run(command: &Command) -> bool {
    match command {
        Command::Claim { .. }
        | Command::BeginTurn
        | Command::Move { .. }
        | Command::Assign { .. }
        | Command::FollowUp { .. }
        | Command::Rebase { .. }
        | Command::Restart { .. } => true,
        Command::Update(patch) => patch.budget.is_some(),
        Command::Report(report) => matches!(
            report,
            Report::RunEnded { .. }
                | Report::RunDue
                | Report::Stopped { .. }
                | Report::ChecksEnded { .. }
                | Report::TurnChanged { .. }
                | Report::LandingEnded { .. }
                | Report::Rebased { .. }
                | Report::Inverted { .. }
        ),
        _ => false,
    }
}

async fn budget(
    tx: &mut Tx,
    task: &Snapshot,
    command: &Command,
) -> Result<BudgetFacts, EngineError> {
    let mut facts = BudgetFacts {
        of_project: tables::budgets::load_in(tx, task.project_id).await?,
        ..BudgetFacts::default()
    };
    if !facts.of_project.is_unlimited() {
        facts.used_by_project = tables::usage::of_project_in(tx, task.project_id).await?.usage;
    }
    if !task.budget.is_unlimited() || matches!(command, Command::Update(_)) {
        facts.used_by_task = tables::usage::of_task_in(tx, task.id).await?.usage;
    }
    Ok(facts)
}

/// Who goes on for the agent whose allowance is used up: the first of its line of fallbacks who can now.
async fn substitute(
    tx: &mut Tx,
    task: &Snapshot,
    execution: ExecutionId,
    now: Timestamp,
) -> Result<Option<Substitute>, EngineError> {
    let run = task.run.as_ref().filter(|run| run.execution == execution);
    let Some((run, first)) = run.and_then(|run| Some((run, run.assignee.agent()?))) else {
        return Ok(None);
    };
    let Some(exhausted) = tables::agents::load_in(tx, first).await? else { return Ok(None) };
    let (mut next, mut seen) = (exhausted.fallback, vec![first]);
    while let Some(id) = next.filter(|id| !seen.contains(id)) {
        seen.push(id);
        let Some(agent) = tables::agents::load_in(tx, id).await? else { break };
        let takes =
            agent.roles.is_empty() || agent.roles.iter().any(|role| role == run.role.as_str());
        let facts = claiming_agent(tx, id, now).await?;
        if takes && !facts.paused && !facts.quota_wait && facts.running < facts.max_concurrent {
            let in_place_of = exhausted.name;
            return Ok(Some(Substitute { agent: id, name: agent.name, in_place_of }));
        }
        next = agent.fallback;
    }
    Ok(None)
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
    facts.is_turn = other.turn().is_some();
    facts.is_family = other.parent == Some(task.id) || task.parent == Some(on);
    facts.way_back = tables::tasks::way_back(tx, on, task.id).await?;
    Ok(())
}
