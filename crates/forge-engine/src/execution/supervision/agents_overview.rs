//! Overview of all executions and workspaces.

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::execution::file_activity::output_activity;
use crate::execution::transcript::read_transcript::Transcripts;
use crate::nodes::data_directory::DataDirectory;
use crate::workspace::view::workspace_summary::WorkspaceViews;
use forge_domain::task::{AnnotationType, TaskActivity, TaskSnapshot};
use forge_domain::workflow::{TaskStanding, Workflow};
use forge_domain::{PersonReason, TaskId, TaskWait, Timestamp, UserId};
use forge_store::Db;
use forge_store::tables::executions::ExecutionRow;
use forge_store::tables::members::ProjectResource;
use forge_store::tables::tasks::list_with_workspace;
use forge_store::tables::{self, PageRequest};
use std::collections::BTreeMap;
use std::sync::Arc;

const BATCH: u32 = 200;

/// Executions and workspaces that may need attention.
#[derive(Debug, Clone, Default)]
pub struct AgentsOverview {
    /// Agents that run now.
    pub running: Vec<AgentsOverviewEntry>,
    /// Agents without a sign of life, and tasks whose agent was stopped for that.
    pub stuck: Vec<AgentsOverviewEntry>,
    /// Tasks whose last execution, or the effect before it, failed.
    pub failed: Vec<AgentsOverviewEntry>,
    /// Tasks with a workspace that wait for a person: a decision, a verdict, a clean checkout.
    pub waiting: Vec<AgentsOverviewEntry>,
    /// Workspaces of unfinished tasks in which no agent or user works.
    pub abandoned: Vec<AgentsOverviewEntry>,
}

/// One entry of the overview.
#[derive(Debug, Clone)]
pub struct AgentsOverviewEntry {
    pub task: TaskSnapshot,
    /// The current execution, else the last one.
    pub execution: Option<ExecutionRow>,
    /// Since when this state holds.
    pub since: Timestamp,
    /// What shows this state.
    pub evidence: String,
}

enum TaskHealth {
    Running,
    Stuck,
    Failed,
    Waiting,
    Abandoned,
}

/// Shows what agents do.
#[derive(Debug, Clone)]
pub struct AgentSupervision {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) records: RecordReader,
    pub(crate) transcripts: Transcripts,
    pub(crate) views: WorkspaceViews,
}

impl AgentSupervision {
    /// Lists all executions and workspaces; only those of a user's projects if one is given.
    pub async fn load_agents_overview(
        &self,
        member: Option<UserId>,
    ) -> Result<AgentsOverview, EngineError> {
        let mut check = AgentsOverview::default();
        for task in self.tasks_to_check(member).await? {
            let workflow = self.records.workflow(&task.workflow).await?;
            let Some(class) = classify(&workflow, &task) else { continue };
            let last = task.last_run.as_ref().map(|run| run.execution);
            let execution = match last {
                Some(id) => tables::executions::load(&self.db, id).await?,
                None => None,
            };
            let since = since(&task, &class, execution.as_ref());
            let evidence = match class {
                TaskHealth::Waiting => TaskWait::of(&workflow, &task).message,
                _ => self.evidence(&task, &class, execution.as_ref()),
            };
            let list = match class {
                TaskHealth::Running => &mut check.running,
                TaskHealth::Stuck => &mut check.stuck,
                TaskHealth::Failed => &mut check.failed,
                TaskHealth::Waiting => &mut check.waiting,
                TaskHealth::Abandoned => &mut check.abandoned,
            };
            list.push(AgentsOverviewEntry { task, execution, since, evidence });
        }
        Ok(check)
    }

    /// Tasks with a workspace, and those that are about to get one.
    async fn tasks_to_check(
        &self,
        member: Option<UserId>,
    ) -> Result<Vec<TaskSnapshot>, EngineError> {
        let mut all: BTreeMap<TaskId, TaskSnapshot> = BTreeMap::new();
        let mut page = PageRequest::first(BATCH);
        loop {
            let (tasks, next) = list_with_workspace(&self.db, member, &page).await?;
            all.extend(tasks.into_iter().map(|task| (task.id, task)));
            let Some(next) = next else { break };
            page = PageRequest { after: Some(next), ..page };
        }
        let open = tables::executions::list_open(&self.db).await?;
        let more: Vec<_> =
            open.iter().map(|run| run.task_id).filter(|id| !all.contains_key(id)).collect();
        for task in tables::tasks::load_many(&self.db, &more).await? {
            let seen = match member {
                None => true,
                Some(user) => {
                    let place = ProjectResource::Project(task.project_id);
                    tables::members::is_member(&self.db, user, place).await?
                }
            };
            if seen {
                all.insert(task.id, task);
            }
        }
        Ok(all.into_values().collect())
    }

    fn evidence(
        &self,
        task: &TaskSnapshot,
        class: &TaskHealth,
        execution: Option<&ExecutionRow>,
    ) -> String {
        let trouble = task.annotation.as_ref().map(|trouble| trouble.message.clone());
        match (class, task.activity) {
            (TaskHealth::Running, Some(TaskActivity::Preparing { .. })) => {
                "its workspace is being made".to_owned()
            }
            (TaskHealth::Running, Some(TaskActivity::Stopping { .. })) => {
                "it is being stopped".to_owned()
            }
            (TaskHealth::Running, _) => {
                let log = execution.map(|run| self.home.log(run.id.uuid()));
                let (bytes, last) = log.map_or((0, None), |log| output_activity(&log));
                match last {
                    Some(last) => {
                        let age =
                            self.clock.now().millis().saturating_sub(last.millis()).max(0) / 1000;
                        format!("it printed {bytes} bytes, the last {age} s ago")
                    }
                    None => "it has printed nothing yet".to_owned(),
                }
            }
            (TaskHealth::Abandoned, _) => {
                let why = trouble.map(|message| format!("; {message}")).unwrap_or_default();
                format!(
                    "no agent or user works in its workspace, and it is in \"{}\"{why}",
                    task.state
                )
            }
            (TaskHealth::Stuck | TaskHealth::Failed | TaskHealth::Waiting, _) => {
                trouble.unwrap_or_default()
            }
        }
    }
}

fn classify(workflow: &Workflow, task: &TaskSnapshot) -> Option<TaskHealth> {
    if matches!(task.standing, TaskStanding::Succeeded | TaskStanding::Ended) {
        return None;
    }
    let trouble = task.annotation.as_ref().map(|trouble| trouble.kind);
    let person = PersonReason::of(workflow, task);
    if let Some(run) = &task.run {
        if person.is_some() {
            return Some(TaskHealth::Waiting);
        }
        // A user at work needs no supervision.
        run.assignee.agent()?;
        let stalled = trouble == Some(AnnotationType::Stalled);
        return Some(if stalled { TaskHealth::Stuck } else { TaskHealth::Running });
    }
    if task.postponed.is_some() || (task.activity.is_some() && person.is_none()) {
        return None;
    }
    match trouble {
        Some(AnnotationType::Stuck) => Some(TaskHealth::Stuck),
        Some(
            AnnotationType::ExecutionFailed
            | AnnotationType::ExecutionLost
            | AnnotationType::ReviewBlocked
            | AnnotationType::RevertsLanded
            | AnnotationType::SetupFailed
            | AnnotationType::EffectFailed
            | AnnotationType::WorkspaceError
            | AnnotationType::WorkspaceCorrupted
            | AnnotationType::RepositoryConfigChanged
            | AnnotationType::WorkspaceResetRequired,
        ) => Some(TaskHealth::Failed),
        _ if person.is_some() => Some(TaskHealth::Waiting),
        _ => task.workspace.as_ref().map(|_| TaskHealth::Abandoned),
    }
}

fn since(task: &TaskSnapshot, class: &TaskHealth, execution: Option<&ExecutionRow>) -> Timestamp {
    let trouble = task.annotation.as_ref().map(|trouble| trouble.at);
    let run = execution.map(|run| run.started_at.unwrap_or(run.created_at));
    let left = execution.and_then(|run| run.finished_at);
    match class {
        TaskHealth::Running => run,
        TaskHealth::Stuck | TaskHealth::Failed => trouble,
        TaskHealth::Waiting => trouble.or(task.review_passed_at).or(left),
        TaskHealth::Abandoned => left,
    }
    .unwrap_or(task.updated_at)
}
