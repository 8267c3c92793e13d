//! A new task that is part of another (T-17).

use super::NewTask;
use crate::commit::save;
use crate::engine::Inner;
use crate::errors::EngineError;
use crate::facts::{self, turns_of};
use crate::lookup::found;
use forge_domain::task::Snapshot;
use forge_domain::workflow::{WorkflowHash, template};
use forge_domain::{AskedSubtask, Command, Create, Envelope, Refusal, decide, part_of};
use forge_store::{Tx, tables};

/// The template that a turn follows, whatever its project does.
const TURN: &str = "ordered-turn";

/// The task that a new one is part of, locked.
pub(super) struct Family {
    parent: Option<Snapshot>,
    asked: AskedSubtask,
    last: Option<i64>,
}

impl Family {
    /// The parent that was asked for, and what a turn among its turns has to know.
    pub(super) async fn load(tx: &mut Tx, asked: &NewTask) -> Result<Self, EngineError> {
        let how = asked.subtask;
        let Some(id) = asked.parent else {
            if how != AskedSubtask::default() {
                let problem = "a subtask needs a parent".to_owned();
                return Err(Refusal::InvalidField { field: "parent", problem }.into());
            }
            return Ok(Self { parent: None, asked: how, last: None });
        };
        let (parent, last) = match how {
            AskedSubtask::Independent { .. } => (tables::tasks::load_in(tx, id).await?, None),
            AskedSubtask::OrderedTurn { .. } => {
                let parent = found(tables::tasks::lock(tx, id).await?, "task", id)?;
                let turns = turns_of(tx, &parent).await?;
                let last = turns.iter().filter_map(|turn| turn.turn().map(|turn| turn.order)).max();
                (Some(parent), last)
            }
        };
        Ok(Self { parent: Some(found(parent, "task", id)?), asked: how, last })
    }

    /// The workflow of a turn, with its text.
    pub(super) fn workflow(&self) -> Result<Option<(WorkflowHash, String)>, EngineError> {
        if !matches!(self.asked, AskedSubtask::OrderedTurn { .. }) {
            return Ok(None);
        }
        let definition = found(template(TURN), "workflow", TURN)?;
        let text = serde_json::to_string(&definition)
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        Ok(Some((definition.hash(), text)))
    }

    /// Makes the new task part of its parent.
    pub(super) fn join(&self, command: &mut Create) -> Result<(), Refusal> {
        match &self.parent {
            Some(parent) => part_of(parent, self.last, self.asked, command),
            None => Ok(()),
        }
    }
}

impl Inner {
    /// Tells the parent of a turn that it has one more, in the same transaction.
    pub(super) async fn tell_family(
        &self,
        tx: &mut Tx,
        family: Family,
        task: &Snapshot,
        envelope: &Envelope<NewTask>,
    ) -> Result<(), EngineError> {
        let (Some(parent), Some(_)) = (family.parent, task.turn()) else { return Ok(()) };
        let command = Command::AddTurn { turn: task.id };
        let (id, at, actor) = (envelope.id, envelope.at, envelope.actor.clone());
        let envelope = Envelope { id, at, actor, command };
        let workflow = self.workflows.load_in(tx, &parent.workflow).await?;
        let facts = facts::load(tx, &parent, &envelope, &self.limits, &self.workflows).await?;
        let decision = decide(&workflow, &parent, &facts, &envelope)?;
        save(tx, &workflow, &decision, &envelope.actor, None).await?;
        Ok(())
    }
}
