//! Explains why a task waits (E-10), from the facts that the scheduler decides by.

use crate::command::errors::EngineError;
use crate::dispatch::dispatch_input::count_running;
use crate::dispatch::dispatch_round::Dispatch;
use crate::dispatch::waiting_queue::claim_role;
use forge_domain::dispatch::{
    AgentAvailability, ClaimConditions, DispatchBlocker, ResourceShortage,
};
use forge_domain::task::{PostponeCause, TaskKey, TaskSnapshot};
use forge_domain::workflow::{RoleName, TaskStanding, Workflow};
use forge_domain::{
    Actor, Budget, BudgetOwner, ExhaustedBudget, NextStep, ProjectId, TaskCommandLines, TaskId,
    TaskWait, Timestamp, TokenUsage, WaitTarget, WorkspaceType,
};
use forge_store::tables::{
    self, agent_waits::WaitCause, projects::ProjectRow, radar::HeldTask, served_projects::AgentLoad,
};

/// A task and what it waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitExplanation {
    pub task: TaskSnapshot,
    /// What it waits for, in every state.
    pub wait: TaskWait,
    /// Since when it waits for a person; `None` if it does not.
    pub since: Option<Timestamp>,
    /// Reasons, most actionable first; empty if it does not wait for an agent.
    pub reasons: Vec<DispatchBlocker>,
    /// The project's slug, as commands take it.
    pub project_slug: String,
}

const MOST_STEPS: usize = 4;

/// The facts that all tasks of a project share.
struct ProjectDispatchFacts {
    project: ProjectRow,
    served: Option<Option<u32>>,
    dispatch_paused: bool,
    agents: Vec<AgentAvailability>,
    loads: Vec<AgentLoad>,
    budget: Budget,
    used: TokenUsage,
    running_here: u32,
    lacks: Vec<ResourceShortage>,
    held: Vec<HeldTask>,
}

impl ProjectDispatchFacts {
    /// The tasks that block this one because their branches conflict.
    fn conflicting_tasks(&self, task: &TaskSnapshot) -> Vec<(String, Vec<String>)> {
        let held = self.held.iter().filter(|held| held.task_id == task.id);
        held.map(|held| (TaskKey(held.number).to_string(), held.files.clone())).collect()
    }
}

impl Dispatch {
    /// Explains what a task waits for.
    pub async fn explain_wait(&self, id: TaskId) -> Result<WaitExplanation, EngineError> {
        let task = self.records.task(id).await?;
        let around = self.load_dispatch_facts(task.project_id).await?;
        let mut waiting = self.explain_wait_in(task, &around).await?;
        if waiting.wait.person.is_some() {
            waiting.since = tables::needs_person::since(&self.db, id).await?;
        }
        Ok(waiting)
    }

    /// The waiting tasks of a project in queue order, each with its reasons.
    pub async fn list_waiting_tasks(
        &self,
        project: ProjectId,
        limit: u32,
    ) -> Result<Vec<WaitExplanation>, EngineError> {
        let around = self.load_dispatch_facts(project).await?;
        let mut waiting = Vec::new();
        for task in tables::waiting_tasks::of_project(&self.db, project, limit).await? {
            waiting.push(self.explain_wait_in(task, &around).await?);
        }
        Ok(waiting)
    }

    async fn load_dispatch_facts(
        &self,
        id: ProjectId,
    ) -> Result<ProjectDispatchFacts, EngineError> {
        let db = &self.db;
        let loads = tables::served_projects::agent_loads(db).await?;
        let now = self.clock.now();
        let waits = tables::agent_waits::list_waits(db, now).await?;
        let quota_seconds = |agent| {
            let wait = waits.iter().find(|wait| wait.agent_id == agent)?;
            Some(seconds_between(now, wait.until()?))
        };
        let signed_out = |agent| {
            waits.iter().any(|wait| wait.agent_id == agent && wait.cause == WaitCause::Login)
        };
        let agents = tables::agents::all(db).await?;
        let programless = self.agent_programs.load_programless(&agents).await?;
        let agents = agents.into_iter().filter(|agent| agent.works_for(id));
        let agents = agents.map(|agent| AgentAvailability {
            has_program: !programless.contains(&agent.id),
            id: agent.id,
            running: count_running(&loads, |load| load.agent_id == agent.id),
            roles: agent.roles.into_iter().map(RoleName::new).collect(),
            paused: agent.paused,
            quota_seconds: quota_seconds(agent.id),
            signed_out: signed_out(agent.id),
            max_concurrent: u32::try_from(agent.max_concurrent).unwrap_or(0),
            name: agent.name,
        });
        Ok(ProjectDispatchFacts {
            project: self.records.project(id).await?,
            served: tables::served_projects::load_limit(db, id).await?,
            dispatch_paused: tables::served_projects::paused_at(db).await?.is_some(),
            agents: agents.collect(),
            running_here: self.running_here(&loads).await?,
            budget: tables::budgets::load(db, id).await?,
            used: tables::usage::of_project(db, id).await?.usage,
            lacks: self.load_lacks(),
            held: tables::radar::list_held(db).await?,
            loads,
        })
    }

    /// The actor's next steps for a task, best first.
    pub async fn next_steps(
        &self,
        actor: &Actor,
        waiting: &WaitExplanation,
    ) -> Result<Vec<NextStep>, EngineError> {
        let WaitExplanation { task, wait, reasons, project_slug, .. } = waiting;
        let workflow = self.records.workflow(&task.workflow).await?;
        let own = NextStep::of(&workflow, task, wait, actor, TaskCommandLines::new(task));
        let about = reasons.iter().filter_map(|reason| NextStep::about(reason, task, project_slug));
        let about: Vec<_> = about.filter(|_| actor.is_person()).collect();
        // A claim works while dispatch is off; most other reasons prevent a claim too.
        let claim_works = matches!(reasons.first(), None | Some(DispatchBlocker::DispatchOff));
        let steps = match wait.waits_for {
            WaitTarget::Agent if !claim_works => [about, own],
            _ => [own, about],
        };
        Ok(steps.into_iter().flatten().take(MOST_STEPS).collect())
    }

    async fn explain_wait_in(
        &self,
        task: TaskSnapshot,
        around: &ProjectDispatchFacts,
    ) -> Result<WaitExplanation, EngineError> {
        let workflow = self.records.workflow(&task.workflow).await?;
        let role = claim_role(&workflow, &task).filter(|_| task.archived_at.is_none());
        let reasons = match role {
            Some(role) => self.queue_reasons(&task, role, around).await?,
            None => self.own_wait(&task, around).await?.into_iter().collect(),
        };
        let mut wait = TaskWait::of(&workflow, &task);
        if let (WaitTarget::Agent | WaitTarget::Time, Some(first)) =
            (wait.waits_for, reasons.first())
        {
            wait.message = first.to_string();
        }
        if wait.waits_for == WaitTarget::Queueing && around.served.is_some() {
            wait.message = describe_unserved(&workflow, &task);
        }
        let project_slug = around.project.slug.clone();
        Ok(WaitExplanation { task, wait, since: None, reasons, project_slug })
    }

    /// The reasons why a claimable task waits.
    async fn queue_reasons(
        &self,
        task: &TaskSnapshot,
        role: RoleName,
        around: &ProjectDispatchFacts,
    ) -> Result<Vec<DispatchBlocker>, EngineError> {
        let dependencies: Vec<_> = task.dependencies.iter().copied().collect();
        let blocking = tables::tasks::load_many(&self.db, &dependencies).await?;
        let blocking = blocking.iter().filter(|other| other.standing != TaskStanding::Succeeded);
        let plain = around.project.workspace_type == WorkspaceType::PersistentDirectory;
        let project = count_running(&around.loads, |load| load.project_id == task.project_id);
        let situation = ClaimConditions {
            role,
            project_paused: around.project.paused_at.is_some(),
            dispatch_on: around.served.is_some(),
            dispatch_paused: around.dispatch_paused,
            has_repository: task.repo_id.is_some() || plain,
            blocking: blocking.map(|other| other.key().to_string()).collect(),
            conflicts: around.conflicting_tasks(task),
            exhausted_budget: self.overspent(task, around).await?,
            agents: around.agents.clone(),
            project: (project, around.served.flatten()),
            node: (around.running_here, self.max_executions),
            shortages: around.lacks.clone(),
            position: tables::waiting_tasks::position(&self.db, task.id).await?.unwrap_or(1),
        };
        Ok(situation.reasons(task))
    }

    /// The reason why a claimed task waits: its agent's quota or login, or a budget.
    async fn own_wait(
        &self,
        task: &TaskSnapshot,
        around: &ProjectDispatchFacts,
    ) -> Result<Option<DispatchBlocker>, EngineError> {
        let Some(waits) = &task.postponed else { return Ok(None) };
        let agent = around.agents.iter().find(|found| found.id == waits.agent);
        let agents = agent.map(|found| found.name.clone()).into_iter().collect();
        match waits.cause {
            PostponeCause::Login => Ok(Some(DispatchBlocker::NotSignedIn { agents })),
            PostponeCause::Quota { until } => {
                let seconds = seconds_between(self.clock.now(), until);
                Ok(Some(DispatchBlocker::QuotaWait { agents, seconds }))
            }
            PostponeCause::Budget => {
                Ok(self.overspent(task, around).await?.map(DispatchBlocker::BudgetExhausted))
            }
        }
    }

    /// The exhausted budget with its current figures.
    async fn overspent(
        &self,
        task: &TaskSnapshot,
        around: &ProjectDispatchFacts,
    ) -> Result<Option<ExhaustedBudget>, EngineError> {
        if !task.budget.is_unlimited() {
            let used = tables::usage::of_task(&self.db, task.id).await?.usage;
            if let Some(spent) = task.budget.reached_limit(used) {
                return Ok(Some(ExhaustedBudget { owner: BudgetOwner::Task, spent }));
            }
        }
        let spent = around.budget.reached_limit(around.used);
        Ok(spent.map(|spent| ExhaustedBudget { owner: BudgetOwner::Project, spent }))
    }
}

/// Why dispatch, which is on, does not assign a task that is in no claimable state.
fn describe_unserved(workflow: &Workflow, task: &TaskSnapshot) -> String {
    let claimable = workflow.states().find(|state| state.is_claimable());
    let next =
        claimable.map_or_else(String::new, |state| format!("; move it to \"{}\"", state.name));
    format!("dispatch is on, but it does not look at tasks in \"{}\"{next}", task.state)
}

fn seconds_between(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from((to.millis() - from.millis() + 999) / 1000).unwrap_or(0)
}
