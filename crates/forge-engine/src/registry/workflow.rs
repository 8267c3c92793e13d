//! Another workflow for a project (F-5).

use super::project;
use crate::commit::save;
use crate::engine::{Engine, Inner};
use crate::errors::EngineError;
use crate::lookup::found;
use forge_domain::workflow::{Definition, StateName, Succession, Workflow};
use forge_domain::{Actor, Adopt, CommandId, Envelope, ProjectId, Refusal, Timestamp, adopt};
use forge_store::tables::projects::Project;
use forge_store::{Tx, tables};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A workflow to be put in the place of a project's present one.
#[derive(Debug, Clone)]
pub struct NewWorkflow {
    /// The version of the project the editor saw.
    pub version: i64,
    /// The workflow.
    pub definition: Definition,
    /// Which state takes the tasks of which; a namesake does without saying.
    pub mapping: BTreeMap<StateName, StateName>,
}

/// A sound workflow on its way into a project.
#[derive(Debug)]
struct Replacement {
    project: ProjectId,
    version: i64,
    workflow: Workflow,
    text: String,
    mapping: BTreeMap<StateName, StateName>,
    actor: Actor,
    at: Timestamp,
}

impl Engine {
    /// Replaces a project's workflow, and takes every task of it along that has not ended: all of them, or nothing is
    /// changed. Tasks of other workflows on the board stay with theirs.
    pub async fn replace_workflow(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: NewWorkflow,
    ) -> Result<Project, EngineError> {
        if !actor.is_person() {
            // Each task would say so, but a board may have none.
            return Err(Refusal::PeopleOnly("replace a workflow").into());
        }
        let workflow = Workflow::compile(asked.definition)?;
        let text = serde_json::to_string(workflow.definition())
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        self.0.faults.reach("command.received").await?;
        let (version, mapping, at) = (asked.version, asked.mapping, self.now());
        let wanted = Arc::new(Replacement { project, version, workflow, text, mapping, actor, at });
        let inner = self.0.clone();
        let replaced = self
            .0
            .db
            .write(move |tx| {
                let (inner, wanted) = (inner.clone(), wanted.clone());
                Box::pin(async move { inner.replace_in(tx, &wanted).await })
            })
            .await?;
        self.0.faults.reach("command.committed").await?;
        Ok(replaced)
    }
}

impl Inner {
    /// Takes the project, its entry, its tasks and its counter, in this order, and nobody takes two of them in another:
    /// who makes a task enters and then counts, who changes one has the task and then counts, who edits the project
    /// has the project and then counts, and who counts waits for nothing more. So nobody waits in a circle. The entry
    /// comes before the tasks so that there are no more of them once they are locked: one made after that could be in
    /// the hands of somebody who waits for the counter.
    async fn replace_in(&self, tx: &mut Tx, wanted: &Replacement) -> Result<Project, EngineError> {
        let id = wanted.project;
        // Against a second editor.
        let mut project = found(tables::projects::lock(tx, id).await?, "project", id)?;
        let (expected, actual) = (wanted.version, project.version);
        if expected != actual {
            return Err(Refusal::VersionConflict { noun: "project", expected, actual }.into());
        }
        if project.workflow == *wanted.workflow.hash() && wanted.mapping.is_empty() {
            return Ok(project);
        }
        let old = self.workflows.load_in(tx, &project.workflow).await?;
        let succession = Succession::new(&old, &wanted.workflow, &wanted.mapping)
            .map_err(|problems| Refusal::InvalidMapping { problems })?;
        tables::projects::close_entry(tx, id).await?;
        let held = tables::tasks::lock_live(tx, id, old.hash()).await?;
        let states = succession.stranded(&held);
        if !states.is_empty() {
            return Err(Refusal::WorkflowInUse { states }.into());
        }
        tables::workflows::put(tx, wanted.workflow.hash(), &wanted.text).await?;
        project.workflow = wanted.workflow.hash().clone();
        project.updated_at = wanted.at;
        // The row is locked, so the version just read is the version that is there.
        tables::projects::update(tx, &project).await?;
        project.version += 1;
        let event = project::event("project.updated", &project, wanted.at);
        tables::events::append(tx, id, &wanted.actor, None, &[event]).await?;
        self.adopt_in(tx, wanted, &succession).await?;
        Ok(project)
    }

    /// Batch by batch, each task by a command of its own.
    async fn adopt_in(
        &self,
        tx: &mut Tx,
        wanted: &Replacement,
        succession: &Succession<'_>,
    ) -> Result<(), EngineError> {
        let (old, mut last) = (succession.old().hash(), 0);
        loop {
            let batch = tables::tasks::live_after(tx, wanted.project, old, last).await?;
            let Some(end) = batch.last() else {
                return Ok(());
            };
            last = end.number;
            for task in &batch {
                let id = CommandId::new(self.ids.next(wanted.at));
                let actor = wanted.actor.clone();
                let envelope = Envelope { id, at: wanted.at, actor, command: Adopt };
                let adopted = adopt(succession, task, &envelope)?;
                save(tx, succession.new_workflow(), &adopted, &wanted.actor, None).await?;
            }
        }
    }
}
