//! All runs and workspaces at a glance.

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::signs::printed;
use forge_domain::task::{Activity, AnnotationType, Snapshot};
use forge_domain::workflow::Standing;
use forge_domain::{TaskId, Timestamp, UserId};
use forge_store::tables::executions::Execution;
use forge_store::tables::members::Place;
use forge_store::tables::tasks::list_with_workspace;
use forge_store::tables::{self, Page};
use std::collections::BTreeMap;

const BATCH: u32 = 200;

/// What there is to look after.
#[derive(Debug, Clone, Default)]
pub struct AgentsCheck {
    /// Agents at work.
    pub running: Vec<Finding>,
    /// Agents that show no sign of life, and tasks whose agent was stopped for that.
    pub stuck: Vec<Finding>,
    /// Tasks whose last run, or what should have led to one, failed.
    pub failed: Vec<Finding>,
    /// Workspaces of tasks that are not finished, in which nobody works.
    pub abandoned: Vec<Finding>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The task.
    pub task: Snapshot,
    /// The run under way, else the last one.
    pub execution: Option<Execution>,
    /// Since when it is so.
    pub since: Timestamp,
    /// What tells so.
    pub evidence: String,
}

enum Class {
    Running,
    Stuck,
    Failed,
    Abandoned,
}

impl Engine {
    /// All agents' runs and all workspaces; of this person's projects only, where one is named.
    pub async fn check_agents(&self, member: Option<UserId>) -> Result<AgentsCheck, EngineError> {
        let mut check = AgentsCheck::default();
        for task in self.tasks_to_check(member).await? {
            let Some(class) = classify(&task) else { continue };
            let last = task.last_run.as_ref().map(|run| run.execution);
            let execution = match last {
                Some(id) => tables::executions::load(self.db(), id).await?,
                None => None,
            };
            let since = since(&task, &class, execution.as_ref());
            let evidence = self.evidence(&task, &class, execution.as_ref());
            let list = match class {
                Class::Running => &mut check.running,
                Class::Stuck => &mut check.stuck,
                Class::Failed => &mut check.failed,
                Class::Abandoned => &mut check.abandoned,
            };
            list.push(Finding { task, execution, since, evidence });
        }
        Ok(check)
    }

    /// Tasks with a workspace, and those that are about to get one for a run.
    async fn tasks_to_check(&self, member: Option<UserId>) -> Result<Vec<Snapshot>, EngineError> {
        let mut all: BTreeMap<TaskId, Snapshot> = BTreeMap::new();
        let mut page = Page::first(BATCH);
        loop {
            let (tasks, next) = list_with_workspace(self.db(), member, &page).await?;
            all.extend(tasks.into_iter().map(|task| (task.id, task)));
            let Some(next) = next else { break };
            page = Page { after: Some(next), ..page };
        }
        let open = tables::executions::list_open(self.db()).await?;
        let more: Vec<_> =
            open.iter().map(|run| run.task_id).filter(|id| !all.contains_key(id)).collect();
        for task in tables::tasks::load_many(self.db(), &more).await? {
            let seen = match member {
                None => true,
                Some(user) => {
                    let place = Place::Project(task.project_id);
                    tables::members::is_member(self.db(), user, place).await?
                }
            };
            if seen {
                all.insert(task.id, task);
            }
        }
        Ok(all.into_values().collect())
    }

    fn evidence(&self, task: &Snapshot, class: &Class, execution: Option<&Execution>) -> String {
        let trouble = task.annotation.as_ref().map(|trouble| trouble.message.clone());
        match (class, task.activity) {
            (Class::Running, Some(Activity::Preparing { .. })) => {
                "its workspace is being made".to_owned()
            }
            (Class::Running, Some(Activity::Stopping { .. })) => "it is being stopped".to_owned(),
            (Class::Running, _) => {
                let log = execution.map(|run| self.0.home.log(run.id.uuid()));
                let (bytes, last) = log.map_or((0, None), |log| printed(&log));
                match last {
                    Some(last) => {
                        let age = self.now().millis().saturating_sub(last.millis()).max(0) / 1000;
                        format!("it printed {bytes} bytes, the last {age} s ago")
                    }
                    None => "it has printed nothing yet".to_owned(),
                }
            }
            (Class::Abandoned, _) => {
                let why = trouble.map(|message| format!("; {message}")).unwrap_or_default();
                format!("nobody works in its workspace, and it is in \"{}\"{why}", task.state)
            }
            (Class::Stuck | Class::Failed, _) => trouble.unwrap_or_default(),
        }
    }
}

fn classify(task: &Snapshot) -> Option<Class> {
    if matches!(task.standing, Standing::Succeeded | Standing::Ended) {
        return None;
    }
    let trouble = task.annotation.as_ref().map(|trouble| trouble.kind);
    if let Some(run) = &task.run {
        // A person at work needs no looking after.
        run.assignee.agent()?;
        let stalled = trouble == Some(AnnotationType::Stalled);
        return Some(if stalled { Class::Stuck } else { Class::Running });
    }
    if task.activity.is_some() || task.postponed.is_some() {
        return None;
    }
    match trouble {
        Some(AnnotationType::Stuck) => Some(Class::Stuck),
        Some(
            AnnotationType::ExecutionFailed
            | AnnotationType::ExecutionLost
            | AnnotationType::ReviewBlocked
            | AnnotationType::SetupFailed
            | AnnotationType::StepFailed
            | AnnotationType::WorkspaceError
            | AnnotationType::WorkspaceCorrupted
            | AnnotationType::WorkspaceResetRequired,
        ) => Some(Class::Failed),
        _ => task.workspace.as_ref().map(|_| Class::Abandoned),
    }
}

fn since(task: &Snapshot, class: &Class, execution: Option<&Execution>) -> Timestamp {
    let trouble = task.annotation.as_ref().map(|trouble| trouble.at);
    let run = execution.map(|run| run.started_at.unwrap_or(run.created_at));
    let left = execution.and_then(|run| run.finished_at);
    match class {
        Class::Running => run,
        Class::Stuck | Class::Failed => trouble,
        Class::Abandoned => left,
    }
    .unwrap_or(task.updated_at)
}
