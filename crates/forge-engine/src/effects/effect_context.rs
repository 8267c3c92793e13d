//! One effect in progress: everything it needs to know, loaded once, and how it talks to the database.

use crate::command::commit::{Commands, EffectEnd};
use crate::command::errors::EngineError;
use crate::command::lookup::{RecordReader, require_found};
use crate::effects::lease::EffectLease;
use crate::effects::{EffectError, GRACE, process_mark};
use crate::workspace::locate::{commit_signature, load_target_in, lock_holder};
use forge_domain::project::ProjectSetup;
use forge_domain::task::{AnnotationType, TaskActivity, TaskSnapshot, Workspace};
use forge_domain::{Actor, EffectReport, ExecutionId, TaskCommand, TaskId};
use forge_git::{BranchName, CommitSignature, LockHolder, ObjectId, Repo};
use forge_store::tables;
use forge_store::tables::agents::AgentRow;
use forge_store::tables::effects::EffectRow;
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::repos::RepoRow;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// An effect in progress, with task, project and repository as they were at its start.
#[derive(Debug)]
pub(crate) struct EffectContext {
    pub(crate) commands: Commands,
    pub(crate) row: EffectRow,
    pub(crate) lease: EffectLease,
    pub(crate) task: TaskSnapshot,
    /// The task that owns the workspace: the parent for an ordered turn (T-17).
    pub(crate) workspace_owner: TaskId,
    pub(crate) project: ProjectRow,
    /// The task's repository; `None` if it has none.
    repo: Option<RepoRow>,
}

impl EffectContext {
    /// Loads what the effect is about.
    pub(crate) async fn load(
        commands: Commands,
        records: &RecordReader,
        row: EffectRow,
    ) -> Result<Self, EngineError> {
        let (mut task, project) =
            tokio::try_join!(records.task(row.task_id), records.project(row.project_id))?;
        let workspace_owner = records.load_parent_workspace(&mut task).await?;
        let repo = match task.repo_id {
            Some(id) => tables::repos::load(&records.db, id).await?,
            None => None,
        };
        let lease = EffectLease { effect_id: row.id, fence: row.fence };
        Ok(Self { commands, row, lease, task, workspace_owner, project, repo })
    }

    /// The journal entry that an earlier attempt of this effect wrote.
    pub(crate) fn journalled<T: DeserializeOwned>(&self) -> Option<T> {
        self.row.journal.as_deref().and_then(|text| serde_json::from_str(text).ok())
    }

    /// Journals what the effect is about to do, so that the next attempt can compare it with reality.
    pub(crate) async fn journal_intent(
        &self,
        intent: &impl serde::Serialize,
    ) -> Result<(), EffectError> {
        Ok(self.commands.leases.journal_intent(self.lease, intent).await?)
    }

    /// Journals a landing, unless the task moved on. Returns false in that case, and the landing must stop.
    pub(crate) async fn journal_landing(
        &self,
        intent: &impl serde::Serialize,
        visit: u64,
    ) -> Result<bool, EffectError> {
        Ok(self.commands.leases.journal_landing(self.lease, intent, self.task.id, visit).await?)
    }

    /// Passes a named fault point.
    pub(crate) async fn pass_fault_point(&self, point: &'static str) -> Result<(), EffectError> {
        Ok(self.commands.faults.reach(point).await?)
    }

    /// Commits an intermediate report; the effect continues.
    pub(crate) async fn report_progress(&self, report: EffectReport) -> Result<(), EngineError> {
        self.commands.report(&self.row, self.lease, report, EffectEnd::NotYet).await
    }

    /// Applies a command to another task on behalf of this effect.
    pub(crate) async fn send_command(
        &self,
        task: TaskId,
        command: TaskCommand,
    ) -> Result<(), EngineError> {
        self.commands.handle(self.actor(), task, command).await.map(drop)
    }

    /// The actor of commands that this effect sends.
    pub(crate) fn actor(&self) -> Actor {
        Actor::system(self.row.effect.name())
    }

    /// Loads the task again.
    pub(crate) async fn reload(&self) -> Result<TaskSnapshot, EffectError> {
        let id = self.row.task_id;
        Ok(require_found(tables::tasks::load(&self.commands.db, id).await?, "task", id)?)
    }

    /// Ends processes that an earlier attempt of this effect may have left.
    pub(crate) async fn end_leftovers(&self, mark: Uuid) -> Result<(), EffectError> {
        if self.row.attempts > 1 {
            forge_proc::end_marked_processes(&process_mark(mark)?, GRACE).await?;
        }
        Ok(())
    }

    /// The task's repository; without one the effect needs a person.
    pub(crate) fn repo_row(&self) -> Result<&RepoRow, EffectError> {
        self.repo.as_ref().ok_or_else(|| {
            EffectError::workspace(
                "the task has no repository; add one to the project and make it anew",
            )
        })
    }

    /// The task's target branch and its tip.
    pub(crate) async fn load_target(
        &self,
        repo: &Repo,
    ) -> Result<(BranchName, ObjectId), EffectError> {
        load_target_in(&self.task, self.repo_row()?, repo).await
    }

    /// The recorded workspace; without one the effect needs a person.
    pub(crate) fn workspace(&self) -> Result<&Workspace, EffectError> {
        self.task.workspace.as_ref().ok_or_else(|| {
            EffectError::for_person(
                AnnotationType::WorkspaceResetRequired,
                "the task has no workspace; claim it again",
            )
        })
    }

    /// The holder of workspace locks that the effect takes: the execution, else this effect.
    pub(crate) fn lock_holder(&self, node: Uuid) -> Result<LockHolder, EffectError> {
        let execution = match &self.task.run {
            Some(run) => run.execution.to_string(),
            None => format!("{} {}", self.row.effect.name(), self.row.id),
        };
        Ok(lock_holder(node, execution)?)
    }

    /// Loads the agent of the current execution.
    pub(crate) async fn load_agent(&self) -> Result<AgentRow, EffectError> {
        let id = self.task.run.as_ref().and_then(|run| run.assignee.agent());
        let agent = match id {
            Some(id) => tables::agents::load(&self.commands.db, id).await?,
            None => None,
        };
        agent.ok_or_else(|| {
            EffectError::for_person(
                AnnotationType::ExecutionFailed,
                "the agent is not registered any more; assign another",
            )
        })
    }

    /// The commit author: the agent's name.
    pub(crate) async fn load_author(&self) -> Result<String, EffectError> {
        let holder = self.task.run.as_ref().map(|run| run.assignee).or(self.task.holder);
        let db = &self.commands.db;
        let agent = match holder.and_then(|holder| holder.agent()) {
            Some(id) => tables::agents::load(db, id).await?.map(|agent| agent.name),
            None => None,
        };
        Ok(agent.unwrap_or_else(|| "Forge".to_owned()))
    }

    /// The signature of the effect's commits, dated at its creation, so that a retry makes the same commit.
    pub(crate) async fn load_signature(&self) -> Result<CommitSignature, EffectError> {
        commit_signature(&self.load_author().await?, self.row.created_at.millis())
    }

    /// The message of a commit that Forge makes for the task (E-6).
    pub(crate) fn commit_message(&self, title: &str) -> String {
        let mut message = format!("{title}\n\nForge-Task: {}\n", self.task.key());
        if let Some(run) = &self.task.run {
            message.push_str(&format!("Forge-Execution: {}\n", run.execution));
            if let Some(agent) = run.assignee.agent() {
                message.push_str(&format!("Forge-Agent: {agent}\n"));
            }
        }
        message
    }

    /// The project's setup of workspaces.
    pub(crate) fn setup(&self) -> Result<&ProjectSetup, EffectError> {
        self.project.settings.setup().map_err(|error| {
            EffectError::for_person(AnnotationType::SetupFailed, error.to_string())
        })
    }

    /// Whether the task no longer wants this execution.
    pub(crate) async fn must_stop(&self, execution: ExecutionId) -> Result<bool, EffectError> {
        let now = self.reload().await?;
        let is_current = now.run.is_some_and(|run| run.execution == execution);
        Ok(!is_current || matches!(now.activity, Some(TaskActivity::Stopping { .. })))
    }

    /// Whether the execution still waits for its workspace.
    pub(crate) async fn is_preparing(&self, execution: ExecutionId) -> Result<bool, EffectError> {
        Ok(self.reload().await?.activity == Some(TaskActivity::Preparing { execution }))
    }
}
