//! Replaces a project's workflow (F-5).

use crate::admin::project;
use crate::admin::project::Projects;
use crate::command::commit::store_decision;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_domain::workflow::{StateName, Workflow, WorkflowDefinition, WorkflowMigration};
use forge_domain::{
    Actor, AdoptWorkflow, CommandEnvelope, CommandId, PersonReason, ProjectId, Refusal, Timestamp,
    adopt_workflow,
};
use forge_store::tables::projects::ProjectRow;
use forge_store::{Tx, tables};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A workflow to replace a project's current one.
#[derive(Debug, Clone)]
pub struct WorkflowSpec {
    /// The project version that the editor saw.
    pub version: i64,
    pub definition: WorkflowDefinition,
    /// Maps old states to new ones; states with equal names need no entry.
    pub mapping: BTreeMap<StateName, StateName>,
}

/// A validated workflow replacement.
#[derive(Debug)]
struct WorkflowReplacement {
    project: ProjectId,
    version: i64,
    workflow: Workflow,
    text: String,
    mapping: BTreeMap<StateName, StateName>,
    actor: Actor,
    at: Timestamp,
}

impl Projects {
    /// Replaces a project's workflow and migrates all its unfinished tasks, or changes nothing. Tasks of other
    /// workflows keep theirs.
    pub async fn replace_workflow(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: WorkflowSpec,
    ) -> Result<ProjectRow, EngineError> {
        if !actor.is_person() {
            // Each task would refuse this too, but a project may have no tasks.
            return Err(Refusal::PeopleOnly("replace a workflow").into());
        }
        let workflow = Workflow::compile(asked.definition)?;
        let text = serde_json::to_string(workflow.definition())
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        self.faults.reach("command.received").await?;
        let (version, mapping, at) = (asked.version, asked.mapping, self.clock.now());
        let wanted =
            Arc::new(WorkflowReplacement { project, version, workflow, text, mapping, actor, at });
        let inner = self.clone();
        let replaced = self
            .db
            .write(move |tx| {
                let (inner, wanted) = (inner.clone(), wanted.clone());
                Box::pin(async move { inner.replace_workflow_in(tx, &wanted).await })
            })
            .await?;
        self.faults.reach("command.committed").await?;
        Ok(replaced)
    }

    /// Locks the project, its entry, its tasks and its counter, in this order. No other transaction takes two of them
    /// in another order: creating a task locks entry and counter, changing a task locks task and counter, editing the
    /// project locks project and counter, and the counter is always last. So no deadlock is possible. The entry comes
    /// before the tasks, so that no task is added once they are locked: a later task could be locked by a transaction
    /// that waits for the counter.
    async fn replace_workflow_in(
        &self,
        tx: &mut Tx,
        wanted: &WorkflowReplacement,
    ) -> Result<ProjectRow, EngineError> {
        let id = wanted.project;
        // Excludes a second editor.
        let mut project = require_found(tables::projects::lock(tx, id).await?, "project", id)?;
        let (expected, actual) = (wanted.version, project.version);
        if expected != actual {
            return Err(Refusal::VersionConflict { noun: "project", expected, actual }.into());
        }
        if project.workflow == *wanted.workflow.hash() && wanted.mapping.is_empty() {
            return Ok(project);
        }
        let old = self.records.workflows.load_in(tx, &project.workflow).await?;
        let succession = WorkflowMigration::new(&old, &wanted.workflow, &wanted.mapping)
            .map_err(|problems| Refusal::InvalidMapping { problems })?;
        tables::projects::lock_workflow(tx, id).await?;
        let held = tables::tasks::lock_open(tx, id, old.hash()).await?;
        let states = succession.occupied_states(&held);
        if !states.is_empty() {
            return Err(Refusal::WorkflowInUse { states }.into());
        }
        tables::workflows::put(tx, wanted.workflow.hash(), &wanted.text).await?;
        project.workflow = wanted.workflow.hash().clone();
        project.updated_at = wanted.at;
        // The row is locked, so its version is still current.
        tables::projects::update(tx, &project).await?;
        project.version += 1;
        let event = project::event("project.updated", &project, wanted.at);
        append_events(tx, id, &wanted.actor, &[event]).await?;
        self.migrate_tasks_in(tx, wanted, &succession).await?;
        Ok(project)
    }

    /// Migrates batch by batch, each task by its own command.
    async fn migrate_tasks_in(
        &self,
        tx: &mut Tx,
        wanted: &WorkflowReplacement,
        succession: &WorkflowMigration<'_>,
    ) -> Result<(), EngineError> {
        let (old, mut last) = (succession.old().hash(), 0);
        loop {
            let batch = tables::tasks::open_after(tx, wanted.project, old, last).await?;
            let Some(end) = batch.last() else {
                return Ok(());
            };
            last = end.number;
            for task in &batch {
                let id = CommandId::new(self.ids.next(wanted.at));
                let actor = wanted.actor.clone();
                let envelope = CommandEnvelope { id, at: wanted.at, actor, command: AdoptWorkflow };
                let adopted = adopt_workflow(succession, task, &envelope)?;
                let before = PersonReason::of(succession.old(), task);
                let new = succession.new_workflow();
                store_decision(tx, new, &adopted, &wanted.actor, None, before).await?;
            }
        }
    }
}
