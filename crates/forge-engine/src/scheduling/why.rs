//! Why a task waits (E-10): the same facts that the scheduler decides by, told to people.

use super::line::claim_role;
use super::market::running;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::plain::PERSISTENT;
use forge_domain::dispatch::{Contender, Lack, Reason, Situation};
use forge_domain::task::{Postponement, Snapshot, TaskKey};
use forge_domain::workflow::{RoleName, Standing};
use forge_domain::{Budget, BudgetOwner, Overspent, ProjectId, TaskId, Timestamp, TokenUsage};
use forge_store::tables::{self, dispatch::Load, projects::Project, radar::Held};

/// A task and why it waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// The task.
    pub task: Snapshot,
    /// What keeps it, the first thing to do something about first; empty when it does not wait for an agent.
    pub reasons: Vec<Reason>,
}

/// What all tasks of a project have in common.
struct Surroundings {
    project: Project,
    served: Option<Option<u32>>,
    dispatch_paused: bool,
    agents: Vec<Contender>,
    loads: Vec<Load>,
    budget: Budget,
    used: TokenUsage,
    running_here: u32,
    lacks: Vec<Lack>,
    held: Vec<Held>,
}

impl Surroundings {
    /// Whom a task waits for because their branches clash.
    fn clashing(&self, task: &Snapshot) -> Vec<(String, Vec<String>)> {
        let held = self.held.iter().filter(|held| held.task_id == task.id);
        held.map(|held| (TaskKey(held.number).to_string(), held.files.clone())).collect()
    }
}

impl Engine {
    /// Why a task is not given to an agent yet.
    pub async fn why(&self, id: TaskId) -> Result<Waiting, EngineError> {
        let task = self.task(id).await?;
        let around = self.surroundings_of(task.project_id).await?;
        self.why_in(task, &around).await
    }

    /// The tasks of a project that wait, the first in line first, each with why.
    pub async fn waiting(
        &self,
        project: ProjectId,
        limit: u32,
    ) -> Result<Vec<Waiting>, EngineError> {
        let around = self.surroundings_of(project).await?;
        let mut waiting = Vec::new();
        for task in tables::waiting::of_project(self.db(), project, limit).await? {
            waiting.push(self.why_in(task, &around).await?);
        }
        Ok(waiting)
    }

    async fn surroundings_of(&self, id: ProjectId) -> Result<Surroundings, EngineError> {
        let db = self.db();
        let loads = tables::dispatch::loads(db).await?;
        let now = self.now();
        let waits = tables::quota::waits(db, now).await?;
        let quota_seconds = |agent| {
            let wait = waits.iter().find(|wait| wait.agent_id == agent)?;
            Some(seconds_between(now, wait.until))
        };
        let agents = tables::agents::all(db).await?.into_iter();
        let agents = agents.map(|agent| Contender {
            id: agent.id,
            running: running(&loads, |load| load.agent_id == agent.id),
            roles: agent.roles.into_iter().map(RoleName::new).collect(),
            paused: agent.paused,
            quota_seconds: quota_seconds(agent.id),
            max_concurrent: u32::try_from(agent.max_concurrent).unwrap_or(0),
            name: agent.name,
        });
        Ok(Surroundings {
            project: self.project(id).await?,
            served: tables::dispatch::load_served(db, id).await?,
            dispatch_paused: tables::dispatch::paused_at(db).await?.is_some(),
            agents: agents.collect(),
            running_here: self.running_here(&loads).await?,
            budget: tables::budgets::load(db, id).await?,
            used: tables::usage::of_project(db, id).await?.usage,
            lacks: self.load_lacks(),
            held: tables::radar::held(db).await?,
            loads,
        })
    }

    async fn why_in(&self, task: Snapshot, around: &Surroundings) -> Result<Waiting, EngineError> {
        let workflow = self.workflow(&task.workflow).await?;
        let role = claim_role(&workflow, &task).filter(|_| task.archived_at.is_none());
        let Some(role) = role else {
            let reasons = self.own_wait(&task, around).await?.into_iter().collect();
            return Ok(Waiting { task, reasons });
        };
        let dependencies: Vec<_> = task.dependencies.iter().copied().collect();
        let blocking = tables::tasks::load_many(self.db(), &dependencies).await?;
        let blocking = blocking.iter().filter(|other| other.standing != Standing::Succeeded);
        let plain = around.project.workspace_type == PERSISTENT;
        let project = running(&around.loads, |load| load.project_id == task.project_id);
        let situation = Situation {
            role,
            project_paused: around.project.paused_at.is_some(),
            dispatches: around.served.is_some(),
            dispatch_paused: around.dispatch_paused,
            has_repository: task.repo_id.is_some() || plain,
            blocking: blocking.map(|other| other.key().to_string()).collect(),
            clashing: around.clashing(&task),
            overspent: self.overspent(&task, around).await?,
            agents: around.agents.clone(),
            project: (project, around.served.flatten()),
            node: (around.running_here, self.0.limits.agents),
            lacks: around.lacks.clone(),
            place: tables::waiting::place(self.db(), task.id).await?.unwrap_or(1),
        };
        let reasons = situation.reasons(&task);
        Ok(Waiting { task, reasons })
    }

    /// A task that is under way can wait too: for the allowance of the agent that has it, or for money.
    async fn own_wait(
        &self,
        task: &Snapshot,
        around: &Surroundings,
    ) -> Result<Option<Reason>, EngineError> {
        let Some(waits) = &task.postponed else { return Ok(None) };
        match waits.cause {
            Postponement::Quota { until } => {
                let agent = around.agents.iter().find(|found| found.id == waits.agent);
                let agents = agent.map(|found| found.name.clone()).into_iter().collect();
                let seconds = seconds_between(self.now(), until);
                Ok(Some(Reason::QuotaWait { agents, seconds }))
            }
            Postponement::Budget => {
                Ok(self.overspent(task, around).await?.map(Reason::BudgetExhausted))
            }
        }
    }

    /// The budget that is used up, with its figures as they are now.
    async fn overspent(
        &self,
        task: &Snapshot,
        around: &Surroundings,
    ) -> Result<Option<Overspent>, EngineError> {
        if !task.budget.is_unlimited() {
            let used = tables::usage::of_task(self.db(), task.id).await?.usage;
            if let Some(spent) = task.budget.spent(used) {
                return Ok(Some(Overspent { owner: BudgetOwner::Task, spent }));
            }
        }
        let spent = around.budget.spent(around.used);
        Ok(spent.map(|spent| Overspent { owner: BudgetOwner::Project, spent }))
    }
}

fn seconds_between(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from((to.millis() - from.millis() + 999) / 1000).unwrap_or(0)
}
