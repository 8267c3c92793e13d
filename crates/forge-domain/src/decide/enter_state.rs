//! Entering a state. The transition is recorded at once; the work of the new state starts when the previous activity
//! has ended.

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, ExecutionPurpose, TaskActivity, TaskExecution, WorkspaceStatus};
use crate::workflow::{CleanupPolicy, RoleName, StateBehaviour, StateRef, TerminalOutcome};
use crate::{Effect, ExecutionId, Refusal, ReviewId, TaskEvent};

impl DecisionBuilder<'_> {
    /// Moves the task to a state, stops the current activity, and starts the work of the new state.
    pub(crate) fn enter_state(
        &mut self,
        to: &StateRef,
        rejection: bool,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let landing = self.task.landing_mark(self.task.visit);
        self.record_transition(to, rejection, reason)?;
        self.supersede_pending();
        self.end_personal_run_unless_preparing();
        match self.task.activity {
            Some(
                activity @ (TaskActivity::Preparing { .. }
                | TaskActivity::Running { .. }
                | TaskActivity::Checking { .. }),
            ) => {
                if let Some(mark) = activity.mark() {
                    self.emit(TaskEvent::TaskStopping { mark });
                    self.plan_effect(Effect::Stop { mark });
                }
                Ok(())
            }
            // A stop for an earlier move is under way: the work of the last entered state starts when it ends.
            Some(TaskActivity::Stopping { .. }) => {
                self.replan_stop();
                Ok(())
            }
            Some(TaskActivity::Landing) => {
                // Checks of the merged tree may be running.
                self.emit(TaskEvent::TaskStopping { mark: landing });
                self.plan_effect(Effect::Stop { mark: landing });
                Ok(())
            }
            Some(TaskActivity::EndingTurns) => {
                self.plan_effect(Effect::EndTurns);
                Ok(())
            }
            Some(TaskActivity::Cleaning | TaskActivity::Rebasing | TaskActivity::Reverting)
            | None => self.start_state_work(),
        }
    }

    /// Records the transition and nothing else.
    pub(crate) fn record_transition(
        &mut self,
        to: &StateRef,
        rejection: bool,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let state = self.resolve(to)?;
        let released = std::mem::take(&mut self.released);
        if self.task.annotation.is_some() {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
        if state.is_terminal() {
            self.close_questions(|_| true);
        }
        self.emit(TaskEvent::TaskTransitioned {
            from: self.task.state.clone(),
            to: state.name.clone(),
            phase: state.phase,
            standing: state.standing(),
            claimable: state.is_claimable(),
            rejection,
            reason: reason.map(str::to_owned),
            by_person: self.actor().is_person(),
            released,
        });
        Ok(())
    }

    /// Starts the work of the current state. No activity may be under way.
    pub(crate) fn start_state_work(&mut self) -> Result<(), Refusal> {
        let state = self.state()?;
        if self.must_end_turns(state) {
            self.end_turns();
            return Ok(());
        }
        match &state.behaviour {
            StateBehaviour::Queue { .. } => Ok(()),
            StateBehaviour::Work { role, optional, done, .. } => {
                match self.task.roles.get(role).copied() {
                    Some(_) => {
                        self.send_feedback(role);
                        self.open_execution(role, ExecutionPurpose::Work)
                    }
                    None if *optional => {
                        let done = done.clone();
                        if self.waits_for_turns(&done)? {
                            self.start_turns();
                            return Ok(());
                        }
                        self.enter_state(&done, false, Some("skipped: the role has no holder"))
                    }
                    None => {
                        let message = format!(
                            "the role \"{role}\" has no holder; assign it and move the task back"
                        );
                        self.park(AnnotationType::RoleUnassigned, &message, serde_json::Value::Null)
                    }
                }
            }
            StateBehaviour::Gate { .. } => {
                let review = ReviewId::new(self.derive_id());
                let attempt = self.task.attempts + 1;
                self.emit(TaskEvent::ReviewStarted { review, attempt });
                self.plan_effect(Effect::RunChecks { review });
                Ok(())
            }
            StateBehaviour::Merge { .. } => {
                self.emit(TaskEvent::MergeStarted);
                self.plan_effect(Effect::Land { visit: self.task.visit });
                Ok(())
            }
            StateBehaviour::Hold { cleanup } => {
                if let Some(policy) = cleanup {
                    self.plan_cleanup(*policy, false);
                }
                Ok(())
            }
            StateBehaviour::Terminal { outcome, cleanup } => {
                self.plan_cleanup(*cleanup, *outcome == TerminalOutcome::Success);
                Ok(())
            }
        }
    }

    /// Opens an execution for the holder of the role and prepares its workspace. If a budget is used up, the execution
    /// waits (E-8).
    pub(crate) fn open_execution(
        &mut self,
        role: &RoleName,
        purpose: ExecutionPurpose,
    ) -> Result<(), Refusal> {
        let Some(assignee) = self.task.roles.get(role).copied() else {
            return Ok(());
        };
        if !self.acquire_workspace()? {
            return Ok(());
        }
        if self.task.postponed.is_some() {
            // The postponed execution starts now, and must not start a second time later.
            self.supersede_pending();
        }
        if let (Some(agent), Some(overspent)) = (assignee.agent(), self.exhausted_budget()) {
            self.wait_for_budget(role, purpose, agent, overspent);
            return Ok(());
        }
        let execution = ExecutionId::new(self.derive_id());
        let mut follow_up = self.follow_up.take();
        let mut messages = std::mem::take(&mut self.messages);
        let untold = self.unread_messages(role);
        let steers = untold.iter().map(|steer| steer.id).collect();
        messages.extend(untold.into_iter().map(|steer| steer.message));
        if let Some(follow_up) = &mut follow_up {
            let mut all = vec![std::mem::take(&mut follow_up.message)];
            all.append(&mut messages);
            all.retain(|message| !message.is_empty());
            follow_up.message = all.join("\n\n");
        }
        let overrides = self.task.overrides.get(role).cloned().unwrap_or_default();
        self.emit(TaskEvent::ExecutionCreated(TaskExecution {
            execution,
            role: role.clone(),
            assignee,
            purpose,
            follow_up,
            messages,
            steers,
            overrides,
        }));
        self.plan_effect(Effect::PrepareWorkspace { execution });
        Ok(())
    }

    /// Moves the task to the fault state, where it waits for a person.
    pub(crate) fn park(
        &mut self,
        trouble: AnnotationType,
        message: &str,
        details: serde_json::Value,
    ) -> Result<(), Refusal> {
        let fault = self.workflow.fault();
        if self.task.state != *fault.name() {
            self.enter_state(&fault, false, Some(message))?;
        }
        self.annotate(trouble, message, details);
        Ok(())
    }

    /// Plans the removal of the workspace (W-7).
    fn plan_cleanup(&mut self, policy: CleanupPolicy, retire_branch: bool) {
        let there = self
            .task
            .workspace
            .as_ref()
            .is_some_and(|found| found.status != WorkspaceStatus::Cleaned);
        // An open ordered turn needs the workspace.
        if !there || self.open_turns().next().is_some() {
            return;
        }
        let effect = Effect::CleanWorkspace { retire_branch };
        match policy {
            CleanupPolicy::Immediate => {
                self.emit(TaskEvent::WorkspaceCleaning);
                self.plan_effect(effect);
            }
            CleanupPolicy::Delayed(seconds) => {
                let delay = seconds.unwrap_or(self.facts.cleanup_delay_seconds);
                self.plan_effect_at(effect, self.now().plus_seconds(delay));
            }
        }
    }

    /// Ends a person's execution. While its workspace is being prepared, it is stopped like any other execution
    /// instead.
    fn end_personal_run_unless_preparing(&mut self) {
        if !matches!(self.task.activity, Some(TaskActivity::Preparing { .. })) {
            self.end_personal_run();
        }
    }
}
