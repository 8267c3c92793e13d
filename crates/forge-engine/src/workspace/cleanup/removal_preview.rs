//! Previews the removal of a workspace (W-7, T-22).

use crate::command::errors::EngineError;
use crate::workspace::cleanup::orphan::WorkspaceCleanup;
use crate::workspace::view::workspace_summary::WorkspaceFindings;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{Actor, DecisionFacts, PlannerFacts, TaskCommand, TurnFacts, decide};
use forge_store::tables;

/// What a removal does, or would do, to one workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceRemoval {
    pub task: TaskSnapshot,
    pub path: String,
    pub verdict: RemovalDecision,
    /// The journal ref of uncommitted files; `None` if a look showed that there are none.
    pub saved_under: Option<String>,
}

/// Whether a workspace may be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemovalDecision {
    /// The removal is allowed.
    Allowed { why: String },
    /// Something prevents the removal.
    Blocked { by: String },
}

impl WorkspaceCleanup {
    /// Whether the task's workspace may be removed now, and where it would be saved. Does not read its files.
    pub async fn check_removal(
        &self,
        actor: Actor,
        task: TaskSnapshot,
    ) -> Result<WorkspaceRemoval, EngineError> {
        let workflow = self.records.workflow(&task.workflow).await?;
        let envelope = self.commands.envelope(actor, TaskCommand::CleanWorkspace);
        let path = task.workspace.as_ref().map(|found| found.path.clone()).unwrap_or_default();
        let turns: Vec<_> = task.turns.iter().copied().collect();
        let turns = tables::tasks::load_many(&self.db, &turns).await?;
        let planner = match (&envelope.actor, task.parent) {
            (Actor::Agent { execution, .. }, Some(parent)) => {
                PlannerFacts::of(&self.records.task(parent).await?, *execution)
            }
            _ => None,
        };
        let turns = TurnFacts::in_order(turns);
        let facts = DecisionFacts { turns, planner, ..DecisionFacts::default() };
        if let Err(refusal) = decide(&workflow, &task, &facts, &envelope) {
            let verdict = RemovalDecision::Blocked { by: refusal.to_string() };
            return Ok(WorkspaceRemoval { task, path, verdict, saved_under: None });
        }
        let why = match task.standing {
            TaskStanding::Succeeded => format!("{} has landed", task.key()),
            TaskStanding::Ended => {
                format!("{} has ended without landing; its branch stays", task.key())
            }
            TaskStanding::Open | TaskStanding::Submitted => {
                "no agent or user works there; its branch stays, and the next claim makes it again"
                    .to_owned()
            }
        };
        let saved_under = Some(format!("refs/forge/journal/{}/", task.id));
        Ok(WorkspaceRemoval { task, path, verdict: RemovalDecision::Allowed { why }, saved_under })
    }

    /// What removing the task's workspace would do, after reading its files; changes nothing.
    pub async fn preview_removal(
        &self,
        actor: Actor,
        task: TaskSnapshot,
    ) -> Result<WorkspaceRemoval, EngineError> {
        let WorkspaceRemoval { task, path, verdict, saved_under } =
            self.check_removal(actor, task).await?;
        let RemovalDecision::Allowed { why } = verdict else {
            return Ok(WorkspaceRemoval { task, path, verdict, saved_under });
        };
        let (why, uncommitted) =
            match self.views.workspace_summary(&task).await.map(|seen| seen.found) {
                Ok(WorkspaceFindings::Present { staged, modified, untracked, .. }) => {
                    (why, staged + modified + untracked > 0)
                }
                Ok(WorkspaceFindings::Corrupted { found }) => {
                    (format!("{why}; {found}, so its files are set aside and not deleted"), false)
                }
                Ok(WorkspaceFindings::NotRemoved { error }) => {
                    (format!("{why}; the last try failed: {}", error.unwrap_or_default()), false)
                }
                Ok(WorkspaceFindings::Unknown { reason }) => {
                    (format!("{why}; {reason}, so its files are set aside and not deleted"), false)
                }
                Ok(WorkspaceFindings::Gone | WorkspaceFindings::Plain) => (why, false),
                Err(error) => {
                    let verdict = RemovalDecision::Blocked { by: error.to_string() };
                    return Ok(WorkspaceRemoval { task, path, verdict, saved_under: None });
                }
            };
        let saved_under = saved_under.filter(|_| uncommitted);
        Ok(WorkspaceRemoval { task, path, verdict: RemovalDecision::Allowed { why }, saved_under })
    }

    /// Ended tasks that still have a workspace.
    pub async fn ended_with_workspace(&self) -> Result<Vec<TaskSnapshot>, EngineError> {
        Ok(tables::tasks::ended_with_workspace(&self.db).await?)
    }
}
