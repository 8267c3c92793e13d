//! Makes a new task a subtask of another (T-17).

use crate::admin::TaskSpec;
use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::facts::load_turns;
use crate::command::lookup::require_found;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{WorkflowHash, template};
use forge_domain::{
    CommandEnvelope, CreateTask, Refusal, SubtaskRequest, TaskCommand, attach_subtask,
};
use forge_store::{Tx, tables};

/// The workflow template of every ordered turn.
const TURN: &str = "ordered-turn";

/// The locked parent of a new task.
pub(crate) struct SubtaskParent {
    parent: Option<TaskSnapshot>,
    asked: SubtaskRequest,
    last: Option<i64>,
}

impl SubtaskParent {
    /// Loads the requested parent, and the order of its last turn.
    pub(crate) async fn load(tx: &mut Tx, asked: &TaskSpec) -> Result<Self, EngineError> {
        let how = asked.subtask;
        let Some(id) = asked.parent else {
            if how != SubtaskRequest::default() {
                let problem = "a subtask needs a parent".to_owned();
                return Err(Refusal::InvalidField { field: "parent", problem }.into());
            }
            return Ok(Self { parent: None, asked: how, last: None });
        };
        let (parent, last) = match how {
            SubtaskRequest::Independent { .. } => (tables::tasks::load_in(tx, id).await?, None),
            SubtaskRequest::OrderedTurn { .. } => {
                let parent = require_found(tables::tasks::lock(tx, id).await?, "task", id)?;
                let turns = load_turns(tx, &parent).await?;
                let last = turns.iter().filter_map(|turn| turn.turn().map(|turn| turn.order)).max();
                (Some(parent), last)
            }
        };
        Ok(Self { parent: Some(require_found(parent, "task", id)?), asked: how, last })
    }

    /// The workflow of an ordered turn, with its text.
    pub(crate) fn workflow(&self) -> Result<Option<(WorkflowHash, String)>, EngineError> {
        if !matches!(self.asked, SubtaskRequest::OrderedTurn { .. }) {
            return Ok(None);
        }
        let definition = require_found(template(TURN), "workflow", TURN)?;
        let text = serde_json::to_string(&definition)
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        Ok(Some((definition.hash(), text)))
    }

    /// Makes the new task a subtask of its parent.
    pub(crate) fn make_subtask(&self, command: &mut CreateTask) -> Result<(), Refusal> {
        match &self.parent {
            Some(parent) => attach_subtask(parent, self.last, self.asked, command),
            None => Ok(()),
        }
    }
}

impl Commands {
    /// Tells the parent about a new ordered turn, in the same transaction.
    pub(crate) async fn inform_parent(
        &self,
        tx: &mut Tx,
        family: SubtaskParent,
        task: &TaskSnapshot,
        envelope: &CommandEnvelope<TaskSpec>,
    ) -> Result<(), EngineError> {
        let (Some(parent), Some(_)) = (family.parent, task.turn()) else { return Ok(()) };
        let command = TaskCommand::AddTurn { turn: task.id };
        let (id, at, actor) = (envelope.id, envelope.at, envelope.actor.clone());
        let envelope = CommandEnvelope { id, at, actor, command };
        self.apply_in(tx, &parent, &envelope, None).await?;
        Ok(())
    }
}
