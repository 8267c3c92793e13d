//! What passes between a task and those that take turns in its workspace (T-17). Each says only that something changed;
//! the other looks for itself, so that hearing it twice does no harm.

use super::perform::Step;
use super::{Failure, Outcome};
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::workflow::Standing;
use forge_domain::{Actor, Command, Refusal, Report, TaskId};

/// The longest time until a turn whose agent has no room is tried again.
const PATIENCE_SECONDS: u64 = 60;

impl Engine {
    /// A turn sees its parent's workspace as its own. Answers whose it is.
    pub(crate) async fn lend_place(&self, task: &mut Snapshot) -> Result<TaskId, EngineError> {
        let (Some(_), Some(parent)) = (task.turn(), task.parent) else { return Ok(task.id) };
        let parent = self.task(parent).await?;
        task.workspace = parent.workspace;
        Ok(parent.id)
    }
}

impl Step<'_> {
    /// A turn whose parent lost its workspace in this moment.
    pub(super) fn no_place(&self) -> Failure {
        Failure::of(
            AnnotationType::ParentWorkspaceRequired,
            "the parent has no workspace any more; claim it, then begin this turn anew",
        )
    }

    pub(super) async fn tell_parent(&self, ended: bool) -> Result<Outcome, Failure> {
        self.reach("family.telling").await?;
        if let Some(parent) = self.task.parent {
            self.say(parent, Command::Report(Report::TurnChanged { ended })).await?;
        }
        self.reach("family.told").await?;
        Ok(Outcome::Report(Report::ParentTold))
    }

    pub(super) async fn begin_turn(&self, turn: TaskId) -> Result<Outcome, Failure> {
        self.reach("family.beginning").await?;
        let refusal = match self.say(turn, Command::BeginTurn).await {
            Ok(()) => {
                self.reach("family.begun").await?;
                return Ok(Outcome::Report(Report::TurnBegun));
            }
            Err(EngineError::Refused(refusal)) => refusal,
            Err(error) => return Err(error.into()),
        };
        let message = refusal.to_string();
        let report = Report::TurnRefused { turn, message: message.clone() };
        if passes(&refusal) {
            let patience_seconds = PATIENCE_SECONDS;
            return Ok(Outcome::TryAgain { report, error: message, patience_seconds });
        }
        Ok(Outcome::Report(report))
    }

    /// Calls all open turns off with a task that has ended; otherwise gives back those that are under way.
    pub(super) async fn end_turns(&self) -> Result<Outcome, Failure> {
        self.reach("family.ending").await?;
        let cancel = matches!(self.task.standing, Standing::Succeeded | Standing::Ended);
        for turn in &self.task.turns {
            match self.say(*turn, Command::EndTurn { cancel }).await {
                Ok(()) | Err(EngineError::Refused(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.reach("family.ended").await?;
        Ok(Outcome::Report(Report::TurnChanged { ended: false }))
    }

    async fn say(&self, task: TaskId, command: Command) -> Result<(), EngineError> {
        let actor = Actor::system(self.row.effect.name());
        self.engine.handle(actor, task, command).await.map(drop)
    }
}

/// Whether it may be otherwise in a while without anybody's doing.
fn passes(refusal: &Refusal) -> bool {
    matches!(
        refusal,
        Refusal::AgentPaused
            | Refusal::ProjectPaused
            | Refusal::AgentAtCapacity { .. }
            | Refusal::BudgetExhausted(_)
            | Refusal::WorkspaceLocked { .. }
    )
}
