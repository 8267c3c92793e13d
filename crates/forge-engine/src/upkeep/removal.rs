//! What a removal asked for now would do (W-7, T-22).

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::inspect::WorkspaceFindings;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Standing;
use forge_domain::{Actor, Command, Facts, TurnFacts, decide};
use forge_store::tables;

/// What becomes, or would become, of one workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// Whose it is.
    pub task: Snapshot,
    /// Where it is.
    pub path: String,
    /// Whether it goes.
    pub verdict: Verdict,
    /// Where what is not committed is kept; none when a look showed that there is nothing of that kind.
    pub saved_under: Option<String>,
}

/// Whether a workspace goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Goes {
        /// Why it may.
        why: String,
    },
    /// Something stands in the way.
    Blocked {
        /// What.
        by: String,
    },
}

impl Engine {
    /// Whether the task's workspace may be removed now, and where all of it is saved then. Its files are not looked at.
    pub async fn allow_removal(
        &self,
        actor: Actor,
        task: Snapshot,
    ) -> Result<Removal, EngineError> {
        let workflow = self.workflow(&task.workflow).await?;
        let envelope = self.envelope(actor, Command::CleanWorkspace);
        let path = task.workspace.as_ref().map(|found| found.path.clone()).unwrap_or_default();
        let turns: Vec<_> = task.turns.iter().copied().collect();
        let turns = tables::tasks::load_many(self.db(), &turns).await?;
        let facts = Facts { turns: TurnFacts::in_order(turns), ..Facts::default() };
        if let Err(refusal) = decide(&workflow, &task, &facts, &envelope) {
            let verdict = Verdict::Blocked { by: refusal.to_string() };
            return Ok(Removal { task, path, verdict, saved_under: None });
        }
        let why = match task.standing {
            Standing::Succeeded => format!("{} has landed", task.key()),
            Standing::Ended => {
                format!("{} has ended without landing; its branch stays", task.key())
            }
            Standing::Open | Standing::Submitted => {
                "nobody works there; its branch stays, and the next claim makes it again".to_owned()
            }
        };
        let saved_under = Some(format!("refs/forge/journal/{}/", task.id));
        Ok(Removal { task, path, verdict: Verdict::Goes { why }, saved_under })
    }

    /// What removing the task's workspace now would do, from a look at its files; nothing is changed.
    pub async fn consider_removal(
        &self,
        actor: Actor,
        task: Snapshot,
    ) -> Result<Removal, EngineError> {
        let Removal { task, path, verdict, saved_under } = self.allow_removal(actor, task).await?;
        let Verdict::Goes { why } = verdict else {
            return Ok(Removal { task, path, verdict, saved_under });
        };
        let (why, uncommitted) = match self.workspace_summary(&task).await.map(|seen| seen.found) {
            Ok(WorkspaceFindings::There { staged, modified, untracked, .. }) => {
                (why, staged + modified + untracked > 0)
            }
            Ok(WorkspaceFindings::Corrupted { found }) => {
                (format!("{why}; {found}, so its files are set aside and not deleted"), false)
            }
            Ok(WorkspaceFindings::NotRemoved { error }) => {
                (format!("{why}; the last try failed: {}", error.unwrap_or_default()), false)
            }
            Ok(WorkspaceFindings::Gone | WorkspaceFindings::Plain) => (why, false),
            Err(error) => {
                let verdict = Verdict::Blocked { by: error.to_string() };
                return Ok(Removal { task, path, verdict, saved_under: None });
            }
        };
        let saved_under = saved_under.filter(|_| uncommitted);
        Ok(Removal { task, path, verdict: Verdict::Goes { why }, saved_under })
    }

    /// The tasks that have ended and whose workspace is still there.
    pub async fn ended_with_workspace(&self) -> Result<Vec<Snapshot>, EngineError> {
        Ok(tables::tasks::ended_with_workspace(&self.0.db).await?)
    }
}
