//! Follows one task by its events.

use std::collections::BTreeMap;

use forge_api::{
    EventQuery, EventView, OutcomeView, StateKind, StateView, Task, TaskWaiting, WaitsFor,
};
use forge_client::{ApiClient, EventStream};

use crate::cli_error::CliError;
use crate::commands::task::progress::merge_step::MergeStage;

/// A task, its workflow, and the events that follow.
pub(crate) struct TaskFollower<'a> {
    client: &'a ApiClient,
    events: EventStream,
    states: BTreeMap<String, StateView>,
    cancel: String,
    workflow_hash: String,
    pub(crate) task: Task,
}

/// Where a task stands, for one who follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FollowedState {
    /// The server or an agent acts next.
    Moving,
    /// The task waits for a person.
    NeedsPerson,
    /// The task has ended with this outcome.
    Ended(OutcomeView),
}

impl<'a> TaskFollower<'a> {
    /// Starts to follow a task. The stream is open before the task is read, so that no change is missed.
    pub(crate) async fn start(client: &'a ApiClient, task: &Task) -> Result<Self, CliError> {
        let query = EventQuery { project: Some(task.project_id), ..EventQuery::default() };
        let events = client.events().follow(query).await?;
        let task = client.tasks().fetch(task.id).await?;
        let mut follower = Self {
            client,
            events,
            states: BTreeMap::new(),
            cancel: String::new(),
            workflow_hash: String::new(),
            task,
        };
        follower.load_workflow().await?;
        Ok(follower)
    }

    /// The next event of the task, after which `task` is up to date.
    pub(crate) async fn next(&mut self) -> Result<EventView, CliError> {
        loop {
            let event = self.events.next().await?;
            if event.task_id == Some(self.task.id) {
                self.refresh().await?;
                return Ok(event);
            }
        }
    }

    /// Reads the task again.
    pub(crate) async fn refresh(&mut self) -> Result<(), CliError> {
        self.task = self.client.tasks().fetch(self.task.id).await?;
        self.load_workflow().await
    }

    /// The task's state in its workflow.
    pub(crate) fn state(&self) -> Result<&StateView, CliError> {
        self.states.get(&self.task.status).ok_or_else(|| {
            CliError::not_found(format!(
                "the workflow of {} has no state \"{}\" any more",
                self.task.key, self.task.status
            ))
            .hint("look at the project's workflow with `forge project workflow`")
        })
    }

    /// How far a task in this state is on its way to the target branch.
    pub(crate) fn stage_of(&self, state: Option<&str>) -> MergeStage {
        let state = state.and_then(|name| self.states.get(name));
        state.map_or(MergeStage::Open, |state| MergeStage::of(state.kind))
    }

    /// What the task waits for.
    pub(crate) async fn fetch_wait(&self) -> Result<TaskWaiting, CliError> {
        Ok(self.client.tasks().fetch_wait(self.task.id).await?)
    }

    /// Where the task stands.
    pub(crate) async fn fetch_state(&self) -> Result<FollowedState, CliError> {
        if let Ok(state) = self.state()
            && state.kind == StateKind::Terminal
        {
            return Ok(FollowedState::Ended(state.outcome.unwrap_or(OutcomeView::Success)));
        }
        let wait = self.fetch_wait().await?;
        Ok(match (wait.person_reason, wait.waits_for) {
            (Some(_), _) => FollowedState::NeedsPerson,
            // An ordered turn follows a workflow of its own.
            (None, WaitsFor::Nothing) if self.task.status == self.cancel => {
                FollowedState::Ended(OutcomeView::Cancelled)
            }
            (None, WaitsFor::Nothing) => FollowedState::Ended(OutcomeView::Success),
            (None, _) => FollowedState::Moving,
        })
    }

    /// Reads the project's workflow again when the task has another one than before.
    async fn load_workflow(&mut self) -> Result<(), CliError> {
        if self.workflow_hash != self.task.workflow_hash {
            let workflow = self.client.projects().fetch_workflow(self.task.project_id).await?;
            self.states =
                workflow.states.into_iter().map(|state| (state.name.clone(), state)).collect();
            self.cancel = workflow.cancel;
            self.workflow_hash.clone_from(&self.task.workflow_hash);
        }
        Ok(())
    }
}
