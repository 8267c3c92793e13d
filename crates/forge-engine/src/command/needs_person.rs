//! The list of tasks that wait for a person (T-28), updated in the transaction that changes a task.

use crate::command::errors::EngineError;
use crate::command::event_log::append_task_events;
use crate::command::lookup::RecordReader;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::Workflow;
use forge_domain::{
    Actor, NextStep, PersonReason, RecordedEvent, TaskCommandLines, TaskId, TaskWait, Timestamp,
    notification_events,
};
use forge_store::tables::needs_person::{self, NeedsPersonFilter};
use forge_store::tables::{self, PageRequest};
use forge_store::{Db, PageCursor, StoreError, Tx};

const BATCH: u32 = 200;

/// A task that waits for a person, and what to do about it.
#[derive(Debug, Clone)]
pub struct PersonTask {
    pub task: TaskSnapshot,
    pub project_name: String,
    /// The project's slug, as commands take it.
    pub project_slug: String,
    /// Since when it waits for this reason.
    pub since: Timestamp,
    pub wait: TaskWait,
    /// Next steps, best first.
    pub next: Vec<NextStep>,
}

/// Appends the notifications of a decision; `before` is the reason for which the task waited for a person.
pub(crate) async fn append_notifications(
    tx: &mut Tx,
    workflow: &Workflow,
    task: &TaskSnapshot,
    actor: &Actor,
    events: &[RecordedEvent],
    before: Option<PersonReason>,
) -> Result<(), StoreError> {
    let notifications = notification_events(workflow, task, events, before);
    if notifications.is_empty() {
        return Ok(());
    }
    append_task_events(tx, task.project_id, task.id, actor, &notifications).await
}

/// Updates the list if the task's reason to wait for a person changed; `before` is the earlier reason.
pub(crate) async fn record_person_wait(
    tx: &mut Tx,
    workflow: &Workflow,
    task: &TaskSnapshot,
    before: Option<PersonReason>,
) -> Result<(), StoreError> {
    match PersonReason::of(workflow, task) {
        now if now == before => Ok(()),
        Some(reason) => needs_person::put(tx, task, &reason.code(), task.updated_at).await,
        None => needs_person::remove(tx, task.id).await,
    }
}

/// The list of tasks that wait for a person.
#[derive(Debug, Clone)]
pub struct NeedsPersonList {
    pub(crate) db: Db,
    pub(crate) records: RecordReader,
}

impl NeedsPersonList {
    /// One page of tasks that wait for a person, longest wait first, with the actor's next steps.
    pub async fn list_needs_person(
        &self,
        actor: &Actor,
        filter: NeedsPersonFilter,
        page: &PageRequest,
    ) -> Result<(Vec<PersonTask>, Option<PageCursor>), EngineError> {
        let (found, next_page) = needs_person::list(&self.db, filter, page).await?;
        let mut tasks = Vec::with_capacity(found.len());
        for found in found {
            let workflow = self.records.workflow(&found.task.workflow).await?;
            let wait = TaskWait::of(&workflow, &found.task);
            let commands = TaskCommandLines::new(&found.task).in_project(&found.project_slug);
            let next = NextStep::of(&workflow, &found.task, &wait, actor, commands);
            tasks.push(PersonTask {
                wait,
                next,
                task: found.task,
                project_name: found.project_name,
                project_slug: found.project_slug,
                since: found.since,
            });
        }
        Ok((tasks, next_page))
    }

    /// The actor's next steps for a task, as commands that work in any directory.
    pub async fn next_steps_anywhere(
        &self,
        actor: &Actor,
        task: &TaskSnapshot,
    ) -> Result<Vec<NextStep>, EngineError> {
        let workflow = self.records.workflow(&task.workflow).await?;
        let slug = self.records.project(task.project_id).await?.slug;
        let wait = TaskWait::of(&workflow, task);
        let commands = TaskCommandLines::new(task).in_project(&slug);
        Ok(NextStep::of(&workflow, task, &wait, actor, commands))
    }

    /// Fills rows that a migration left open.
    pub(crate) async fn fill_in_needs_person(&self) -> Result<(), EngineError> {
        loop {
            let unknown = needs_person::list_unknown(&self.db, BATCH).await?;
            if unknown.is_empty() {
                return Ok(());
            }
            let inner = self.clone();
            let written = self.db.write(move |tx| {
                let (inner, unknown) = (inner.clone(), unknown.clone());
                Box::pin(async move { inner.fill_in_rows(tx, &unknown).await })
            });
            written.await?;
        }
    }

    async fn fill_in_rows(&self, tx: &mut Tx, tasks: &[TaskId]) -> Result<(), EngineError> {
        for id in tasks {
            // Lock the task, so that no other change comes between reading and writing.
            let Some(task) = tables::tasks::lock(tx, *id).await? else { continue };
            let workflow = self.records.workflows.load_in(tx, &task.workflow).await?;
            match PersonReason::of(&workflow, &task) {
                Some(reason) => {
                    needs_person::put(tx, &task, &reason.code(), task.updated_at).await?;
                }
                None => needs_person::remove(tx, task.id).await?,
            }
        }
        Ok(())
    }
}
