//! Merges the target into a task's branch, for the agent or person who works on it (M-9).

use crate::branch_update::RebaseResult;
use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{FollowUpMessage, TaskActivity, Workspace, WorkspaceStatus};
use crate::workflow::{RoleName, StateBehaviour, StateRef, WorkflowState};
use crate::{Assignee, Effect, Refusal, TaskEvent};

const LONGEST_MESSAGE: usize = 100_000;

/// Where a task continues after the target was merged into its branch.
enum ReturnPath {
    /// Stays in its state, until an agent or person claims it.
    Stay,
    /// The current state is the work state.
    CurrentState(RoleName),
    /// Moves to the work state.
    MoveTo(StateRef, RoleName),
}

impl DecisionBuilder<'_> {
    /// Merges the target into the branch; then the task goes back to work.
    pub(crate) fn rebase(&mut self, message: Option<&str>) -> Result<(), Refusal> {
        self.check_rebase()?;
        if message.is_some_and(|message| message.len() > LONGEST_MESSAGE) {
            let problem = "has at most 100,000 bytes; commit the rest as a file".to_owned();
            return Err(Refusal::InvalidField { field: "message", problem });
        }
        if let ReturnPath::CurrentState(role) | ReturnPath::MoveTo(_, role) =
            self.return_path(self.state()?)
            && let Some(holder) = self.task.roles.get(&role)
        {
            self.check_budget_left(*holder)?;
        }
        // A pending removal would delete the workspace again.
        self.supersede_pending();
        self.emit(TaskEvent::WorkspaceRebasing);
        let message = message.filter(|words| !words.trim().is_empty()).map(str::to_owned);
        self.plan_effect(Effect::Rebase { visit: self.task.visit, message });
        Ok(())
    }

    /// Checks that the target can be merged now.
    pub(crate) fn check_rebase(&self) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("rebase a task"));
        }
        let key = self.task.key();
        let state = self.state()?;
        if state.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        if self.task.workspace.as_ref().is_none_or(Workspace::is_plain) {
            return Err(Refusal::WorkspaceMissing { key });
        }
        self.check_workspace_idle()?;
        if self.task.review.is_some() {
            let holder = "its review".to_owned();
            return Err(Refusal::WorkspaceLocked { key, holder });
        }
        let problem = match self.return_path(state) {
            ReturnPath::Stay if matches!(state.behaviour, StateBehaviour::Queue { .. }) => {
                return Ok(());
            }
            ReturnPath::Stay => format!(
                "from \"{}\" it cannot go back to work; move it on the board first",
                state.name
            ),
            ReturnPath::CurrentState(role) | ReturnPath::MoveTo(_, role)
                if !self.task.roles.contains_key(&role) =>
            {
                format!("the role \"{role}\" has no holder; assign it first")
            }
            ReturnPath::MoveTo(target, _) => return self.check_move(state, &target),
            ReturnPath::CurrentState(_) => return Ok(()),
        };
        Err(Refusal::NotRebasable { key, problem })
    }

    /// The target was merged into the branch.
    pub(crate) fn rebase_ended(
        &mut self,
        visit: u64,
        workspace: &Workspace,
        result: &RebaseResult,
        message: Option<&str>,
    ) -> Result<(), Refusal> {
        let expected =
            self.task.activity == Some(TaskActivity::Rebasing) && visit == self.task.visit;
        self.emit(TaskEvent::WorkspaceRebased { result: result.clone() });
        let known = self.task.workspace.as_ref().map(|known| known.status);
        let made_again = known != Some(WorkspaceStatus::Ready);
        if made_again {
            self.emit(TaskEvent::WorkspaceCreated { workspace: workspace.clone() });
        }
        let state = self.state()?;
        if expected && self.return_to_work(message)? {
            return Ok(());
        }
        let rests = matches!(
            state.behaviour,
            StateBehaviour::Hold { .. } | StateBehaviour::Terminal { .. }
        );
        if !expected || matches!(result, RebaseResult::UpToDate { .. }) {
            // The task was moved meanwhile, or is still in the same state: a state with a cleanup policy cleans up now.
            let idle = self.task.activity.is_none();
            return if rests && made_again && idle { self.start_state_work() } else { Ok(()) };
        }
        match self.return_path(state) {
            ReturnPath::Stay => Ok(()),
            ReturnPath::CurrentState(role) => {
                self.send_rebase_result(&role, result, message);
                if self.task.annotation.is_some() {
                    self.emit(TaskEvent::TaskAnnotated { annotation: None });
                }
                self.start_state_work()
            }
            ReturnPath::MoveTo(target, role) => {
                self.send_rebase_result(&role, result, message);
                let reason = Some("rebased");
                self.close_left_state(state, &target, reason)?;
                self.enter_state(&target, false, reason)
            }
        }
    }

    /// Sends the result to the worker's conversation; without one, the prompt contains it.
    fn send_rebase_result(
        &mut self,
        role: &RoleName,
        result: &RebaseResult,
        message: Option<&str>,
    ) {
        let said = result.feedback().into_iter().chain(message.map(str::to_owned));
        let said = said.collect::<Vec<_>>().join("\n\n");
        self.message_worker(role, said, message);
    }

    /// `said` is the whole text for a conversation. A prompt contains everything but `message` anyway.
    pub(crate) fn message_worker(&mut self, role: &RoleName, said: String, message: Option<&str>) {
        let holder = self.task.roles.get(role).and_then(Assignee::agent);
        let session = self.task.sessions.get(role).filter(|known| Some(known.agent) == holder);
        match session {
            Some(session) => {
                self.follow_up =
                    Some(FollowUpMessage { session: session.id.clone(), message: said });
            }
            None => self.messages = message.map(str::to_owned).into_iter().collect(),
        }
    }

    /// The work state where the task continues: the current state, else a state that a person could move it to. States
    /// whose role has a holder come first.
    fn return_path(&self, state: &WorkflowState) -> ReturnPath {
        let role_in = |state: &WorkflowState| match &state.behaviour {
            StateBehaviour::Work { role, .. } => Some(role.clone()),
            _ => None,
        };
        if let Some(role) = role_in(state) {
            return ReturnPath::CurrentState(role);
        }
        if matches!(state.behaviour, StateBehaviour::Queue { .. }) {
            return ReturnPath::Stay;
        }
        let works = self.move_targets(state).into_iter().filter_map(|target| {
            let role = role_in(self.resolve(&target).ok()?)?;
            Some((target, role))
        });
        let mut works: Vec<_> = works.collect();
        let held = |role: &RoleName| self.task.roles.contains_key(role);
        works.sort_by_key(|(_, role)| !held(role));
        match works.into_iter().next() {
            Some((target, role)) => ReturnPath::MoveTo(target, role),
            None => ReturnPath::Stay,
        }
    }
}
