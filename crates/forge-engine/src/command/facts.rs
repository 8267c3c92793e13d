//! Loads the facts that a decision needs besides the task, in the same transaction.

use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use crate::command::workflow_cache::WorkflowCache;
use forge_domain::project::LandingVerification;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::RoleName;
use forge_domain::{
    Actor, AgentFacts, AgentId, Assignee, BudgetFacts, CommandEnvelope, DecisionFacts,
    DependencyFacts, DispatchFacts, EffectReport, ExecutionId, LandResult, ParentFacts,
    PlannerFacts, ProjectId, RegisteredAgent, ResetScope, SubstituteAgent, TaskCommand, TaskId,
    Timestamp, TurnFacts, WorkspaceType,
};
use forge_store::tables::agents::AgentRow;
use forge_store::{Tx, tables};

/// Loads the facts for this command; others keep their defaults.
pub(crate) async fn load(
    tx: &mut Tx,
    task: &TaskSnapshot,
    envelope: &CommandEnvelope,
    cleanup_delay_seconds: u64,
    workflows: &WorkflowCache,
) -> Result<DecisionFacts, EngineError> {
    let mut facts = DecisionFacts { cleanup_delay_seconds, ..DecisionFacts::default() };
    load_family(tx, task, workflows, &mut facts).await?;
    if let (Actor::Agent { execution, .. }, Some(parent)) = (&envelope.actor, task.parent) {
        let parent = require_found(tables::tasks::load_in(tx, parent).await?, "task", parent)?;
        facts.planner = PlannerFacts::of(&parent, *execution);
    }
    let named = match &envelope.command {
        TaskCommand::Assign { assignee, .. } => Some(*assignee),
        TaskCommand::FollowUp { agent, .. } => Some(Assignee::Agent { id: *agent }),
        TaskCommand::Restart { .. } => task.last_run.as_ref().map(|run| run.assignee),
        _ => None,
    };
    check_agents(tx, task.project_id, named.as_slice()).await?;
    match &envelope.command {
        TaskCommand::BeginTurn => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            facts.project_paused = project.is_some_and(|project| project.paused_at.is_some());
            facts.has_repository = true;
            let workflow = workflows.load_in(tx, &task.workflow).await?;
            let own = workflow.claim_role().and_then(|role| task.roles.get(&role).copied());
            let coder = facts.parent.as_ref().and_then(|parent| parent.holder);
            if let Some(agent) = own.or(coder).and_then(|claimer| claimer.agent()) {
                facts.claimer =
                    Some(load_claiming_agent(tx, task.project_id, agent, envelope.at).await?);
            }
        }
        TaskCommand::Claim { .. } | TaskCommand::ClaimWithOverrides { .. } => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            let plain = project
                .as_ref()
                .is_some_and(|found| found.workspace_type == WorkspaceType::PersistentDirectory);
            facts.project_paused = project.is_some_and(|project| project.paused_at.is_some());
            facts.has_repository = task.repo_id.is_some() || plain;
            facts.dependencies = load_dependencies(tx, task).await?;
            if let Some(agent) = claiming_agent(&envelope.command) {
                facts.claimer =
                    Some(load_claiming_agent(tx, task.project_id, agent, envelope.at).await?);
            }
            if envelope.actor.is_scheduler() {
                facts.dispatch = Some(load_dispatch(tx, task.project_id).await?);
            }
        }
        TaskCommand::ParkHandedOff => {
            facts.dispatch = Some(load_dispatch(tx, task.project_id).await?);
            facts.registered =
                registered_agents(&tables::agents::all_in(tx).await?, task.project_id);
        }
        TaskCommand::Move { .. } | TaskCommand::Complete { .. } => {
            facts.dependencies = load_dependencies(tx, task).await?;
        }
        TaskCommand::ResetWorkspace
        | TaskCommand::CleanWorkspace
        | TaskCommand::Rebase { .. }
        | TaskCommand::Assign { reset: ResetScope::Worktree | ResetScope::Workspace, .. } => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            if project
                .is_some_and(|found| found.workspace_type == WorkspaceType::PersistentDirectory)
            {
                return Err(EngineError::NotAGitWorkspace);
            }
        }
        TaskCommand::Report(EffectReport::LandingEnded {
            result: LandResult::Merged { .. },
            ..
        }) => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            let merge = project.map(|found| found.settings.landing()).transpose()?;
            facts.verifies_landings =
                merge.is_some_and(|merge| merge.verify == LandingVerification::RemoteChecks);
        }
        TaskCommand::Report(EffectReport::ChecksEnded { .. }) => {
            let project = tables::projects::load_in(tx, task.project_id).await?;
            facts.default_reviewer =
                project.and_then(|project| project.settings.or_defaults().default_reviewer);
        }
        TaskCommand::AddDependency { on } => load_new_dependency(tx, task, *on, &mut facts).await?,
        TaskCommand::Report(EffectReport::RunEnded { execution, result })
            if result.told.unavailability().is_some() =>
        {
            facts.substitute = find_substitute(tx, task, *execution, envelope.at).await?;
        }
        _ => {}
    }
    if may_start_execution(&envelope.command) {
        facts.budget = load_budget(tx, task, &envelope.command).await?;
    }
    Ok(facts)
}

/// Loads what an ordered turn and its parent need to know of each other. Both lock the parent first, so that two turns
/// never start at once.
async fn load_family(
    tx: &mut Tx,
    task: &TaskSnapshot,
    workflows: &WorkflowCache,
    facts: &mut DecisionFacts,
) -> Result<(), EngineError> {
    if !task.turns.is_empty() {
        facts.turns = TurnFacts::in_order(load_turns(tx, task).await?);
    }
    if let (Some(_), Some(parent)) = (task.turn(), task.parent) {
        let parent = require_found(tables::tasks::lock(tx, parent).await?, "task", parent)?;
        let workflow = workflows.load_in(tx, &parent.workflow).await?;
        let turns = load_turns(tx, &parent).await?;
        facts.parent = Some(ParentFacts::of(&workflow, &parent, &turns, task));
    }
    Ok(())
}

/// The ordered turns of a task, unsorted.
pub(crate) async fn load_turns(
    tx: &mut Tx,
    task: &TaskSnapshot,
) -> Result<Vec<TaskSnapshot>, EngineError> {
    let ids: Vec<_> = task.turns.iter().copied().collect();
    Ok(tables::tasks::load_many_in(tx, &ids).await?)
}

/// The agent that a command claims the task for.
fn claiming_agent(command: &TaskCommand) -> Option<AgentId> {
    match command {
        TaskCommand::Claim { claimer } => claimer.agent(),
        TaskCommand::ClaimWithOverrides { agent, .. } => Some(*agent),
        _ => None,
    }
}

async fn load_claiming_agent(
    tx: &mut Tx,
    project: ProjectId,
    id: AgentId,
    now: Timestamp,
) -> Result<AgentFacts, EngineError> {
    // The row lock keeps the count of running executions true until the claim commits. Agents of other projects are not
    // found (S-6).
    let agent = tables::agents::lock(tx, id).await?.filter(|agent| agent.works_for(project));
    let agent = require_found(agent, "agent", id)?;
    let running = tables::agents::count_running(tx, id).await?;
    Ok(AgentFacts {
        paused: agent.paused,
        quota_wait: tables::agent_waits::is_waiting_in(tx, id, now).await?,
        running: u32::try_from(running).unwrap_or(u32::MAX),
        max_concurrent: u32::try_from(agent.max_concurrent).unwrap_or(0),
    })
}

/// The agents of a project, as the dispatch rules see them.
pub(crate) fn registered_agents(agents: &[AgentRow], project: ProjectId) -> Vec<RegisteredAgent> {
    let own = agents.iter().filter(|agent| agent.works_for(project));
    let agents = own.map(|agent| RegisteredAgent {
        id: agent.id,
        name: agent.name.clone(),
        roles: agent.roles.iter().cloned().map(RoleName::new).collect(),
    });
    agents.collect()
}

/// Refuses agents of other projects (S-6) and removed ones as not found.
pub(crate) async fn check_agents(
    tx: &mut Tx,
    project: ProjectId,
    holders: &[Assignee],
) -> Result<(), EngineError> {
    for holder in holders {
        let Some(id) = holder.agent() else { continue };
        let agent = tables::agents::load_in(tx, id).await?;
        if agent.is_some_and(|agent| agent.removed_at.is_some() || !agent.works_for(project)) {
            return Err(EngineError::NotFound { noun: "agent", id: id.to_string() });
        }
    }
    Ok(())
}

/// Whether the command may start an agent, so that budgets must be checked.
fn may_start_execution(command: &TaskCommand) -> bool {
    match command {
        TaskCommand::Claim { .. }
        | TaskCommand::ClaimWithOverrides { .. }
        | TaskCommand::BeginTurn
        | TaskCommand::Move { .. }
        | TaskCommand::Complete { .. }
        | TaskCommand::Assign { .. }
        | TaskCommand::FollowUp { .. }
        | TaskCommand::Answer { .. }
        | TaskCommand::Rebase { .. }
        | TaskCommand::Restart { .. } => true,
        TaskCommand::Update(patch) => patch.budget.is_some(),
        TaskCommand::Report(report) => matches!(
            report,
            EffectReport::RunEnded { .. }
                | EffectReport::RunDue
                | EffectReport::Stopped { .. }
                | EffectReport::ChecksEnded { .. }
                | EffectReport::TurnChanged { .. }
                | EffectReport::LandingEnded { .. }
                | EffectReport::Rebased { .. }
                | EffectReport::Inverted { .. }
        ),
        _ => false,
    }
}

async fn load_budget(
    tx: &mut Tx,
    task: &TaskSnapshot,
    command: &TaskCommand,
) -> Result<BudgetFacts, EngineError> {
    let mut facts = BudgetFacts {
        of_project: tables::budgets::load_in(tx, task.project_id).await?,
        ..BudgetFacts::default()
    };
    if !facts.of_project.is_unlimited() {
        facts.used_by_project = tables::usage::of_project_in(tx, task.project_id).await?.usage;
    }
    if !task.budget.is_unlimited() || matches!(command, TaskCommand::Update(_)) {
        facts.used_by_task = tables::usage::of_task_in(tx, task.id).await?.usage;
    }
    Ok(facts)
}

/// Finds the substitute of an agent whose quota is used up: the first available agent along its fallbacks.
async fn find_substitute(
    tx: &mut Tx,
    task: &TaskSnapshot,
    execution: ExecutionId,
    now: Timestamp,
) -> Result<Option<SubstituteAgent>, EngineError> {
    let run = task.run.as_ref().filter(|run| run.execution == execution);
    let Some((run, first)) = run.and_then(|run| Some((run, run.assignee.agent()?))) else {
        return Ok(None);
    };
    let Some(exhausted) = tables::agents::load_in(tx, first).await? else { return Ok(None) };
    let (mut next, mut seen) = (exhausted.fallback, vec![first]);
    while let Some(id) = next.filter(|id| !seen.contains(id)) {
        seen.push(id);
        let Some(agent) = tables::agents::load_in(tx, id).await? else { break };
        if agent.removed_at.is_some() || !agent.works_for(task.project_id) {
            next = agent.fallback;
            continue;
        }
        let takes =
            agent.roles.is_empty() || agent.roles.iter().any(|role| role == run.role.as_str());
        let facts = load_claiming_agent(tx, task.project_id, id, now).await?;
        if takes && !facts.paused && !facts.quota_wait && facts.running < facts.max_concurrent {
            let in_place_of = exhausted.name;
            return Ok(Some(SubstituteAgent {
                agent: id,
                name: agent.name,
                replaced_name: in_place_of,
            }));
        }
        next = agent.fallback;
    }
    Ok(None)
}

async fn load_dispatch(tx: &mut Tx, project: ProjectId) -> Result<DispatchFacts, EngineError> {
    let served = tables::served_projects::load_limit_in(tx, project).await?;
    let max_concurrent = served.flatten();
    let running = match max_concurrent {
        Some(_) => tables::served_projects::count_running_in(tx, project).await?,
        None => 0,
    };
    let on = served.is_some() && tables::served_projects::paused_at_in(tx).await?.is_none();
    Ok(DispatchFacts { is_on: on, running, max_concurrent })
}

async fn load_dependencies(
    tx: &mut Tx,
    task: &TaskSnapshot,
) -> Result<Vec<DependencyFacts>, EngineError> {
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

async fn load_new_dependency(
    tx: &mut Tx,
    task: &TaskSnapshot,
    on: TaskId,
    facts: &mut DecisionFacts,
) -> Result<(), EngineError> {
    let Some(other) = tables::tasks::load_many_in(tx, &[on]).await?.pop() else {
        return Err(EngineError::NotFound { noun: "task", id: on.to_string() });
    };
    facts.same_project = other.project_id == task.project_id;
    facts.is_turn = other.turn().is_some();
    facts.is_family = other.parent == Some(task.id) || task.parent == Some(on);
    facts.dependency_cycle = tables::tasks::find_cycle(tx, on, task.id).await?;
    Ok(())
}
