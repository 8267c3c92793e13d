//! Entering a state. The transition is a fact at once; the state's own business begins when what was under way is over.

use super::draft::Draft;
use crate::task::{Activity, AnnotationType, Purpose, Run, WorkspaceStatus};
use crate::workflow::{Behaviour, CleanupPolicy, Outcome, RoleName, StateRef};
use crate::{Effect, Event, ExecutionId, Refusal, ReviewId};

impl Draft<'_> {
    /// Moves the task, ends what was under way, and begins what the new state is for.
    pub(super) fn arrive(
        &mut self,
        to: &StateRef,
        rejection: bool,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let landing = self.task.landing_mark(self.task.visit);
        self.transition(to, rejection, reason)?;
        self.supersede();
        self.end_personal_run_unless_preparing();
        match self.task.activity {
            Some(
                activity @ (Activity::Preparing { .. }
                | Activity::Running { .. }
                | Activity::Checking { .. }),
            ) => {
                if let Some(mark) = activity.mark() {
                    self.emit(Event::TaskStopping { mark });
                    self.want(Effect::Stop { mark });
                }
                Ok(())
            }
            // Already being stopped for an earlier move: the last state entered begins when that is over.
            Some(Activity::Stopping { .. }) => {
                self.rewant_stop();
                Ok(())
            }
            Some(Activity::Landing) => {
                // Its checks on the merged tree may be running.
                self.emit(Event::TaskStopping { mark: landing });
                self.want(Effect::Stop { mark: landing });
                Ok(())
            }
            Some(Activity::EndingTurns) => {
                self.want(Effect::EndTurns);
                Ok(())
            }
            Some(Activity::Cleaning | Activity::Rebasing | Activity::Reverting) | None => {
                self.begin()
            }
        }
    }

    /// Only the fact of the move.
    pub(super) fn transition(
        &mut self,
        to: &StateRef,
        rejection: bool,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let state = self.resolve(to)?;
        if self.task.annotation.is_some() {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
        self.emit(Event::TaskTransitioned {
            from: self.task.state.clone(),
            to: state.name.clone(),
            phase: state.phase,
            standing: state.standing(),
            claimable: state.is_claimable(),
            rejection,
            reason: reason.map(str::to_owned),
        });
        Ok(())
    }

    /// Begins the business of the state the task is in; nothing is under way.
    pub(super) fn begin(&mut self) -> Result<(), Refusal> {
        let state = self.state()?;
        if self.must_end_turns(state) {
            self.end_turns();
            return Ok(());
        }
        match &state.behaviour {
            Behaviour::Queue { .. } => Ok(()),
            Behaviour::Work { role, optional, done, .. } => {
                match self.task.roles.get(role).copied() {
                    Some(_) => {
                        self.answer_with_feedback(role);
                        self.open_run(role, Purpose::Work)
                    }
                    None if *optional => {
                        let done = done.clone();
                        if self.waits_for_turns(&done)? {
                            self.begin_turns();
                            return Ok(());
                        }
                        self.arrive(&done, false, Some("skipped: nobody holds the role"))
                    }
                    None => {
                        let message = format!(
                            "nobody holds the role \"{role}\"; assign it and move the task back"
                        );
                        self.park(AnnotationType::RoleUnassigned, &message, serde_json::Value::Null)
                    }
                }
            }
            Behaviour::Gate { .. } => {
                let review = ReviewId::new(self.fresh());
                let attempt = self.task.attempts + 1;
                self.emit(Event::ReviewStarted { review, attempt });
                self.want(Effect::RunChecks { review });
                Ok(())
            }
            Behaviour::Merge { .. } => {
                self.emit(Event::MergeStarted);
                self.want(Effect::Land { visit: self.task.visit });
                Ok(())
            }
            Behaviour::Hold { cleanup } => {
                if let Some(policy) = cleanup {
                    self.clean(*policy, false);
                }
                Ok(())
            }
            Behaviour::Terminal { outcome, cleanup } => {
                self.clean(*cleanup, *outcome == Outcome::Success);
                Ok(())
            }
        }
    }

    /// Opens an execution for the role's holder; its workspace comes first. Where nobody pays for it, it waits (E-8).
    pub(super) fn open_run(&mut self, role: &RoleName, purpose: Purpose) -> Result<(), Refusal> {
        let Some(assignee) = self.task.roles.get(role).copied() else {
            return Ok(());
        };
        if !self.has_the_place()? {
            return Ok(());
        }
        if self.task.postponed.is_some() {
            // It begins now, and not a second time when its hour comes.
            self.supersede();
        }
        if let (Some(agent), Some(overspent)) = (assignee.agent(), self.overspent()) {
            self.wait_for_budget(role, purpose, agent, overspent);
            return Ok(());
        }
        let execution = ExecutionId::new(self.fresh());
        let mut follow_up = self.follow_up.take();
        let mut messages = std::mem::take(&mut self.messages);
        let untold = self.untold(role);
        let steers = untold.iter().map(|steer| steer.id).collect();
        messages.extend(untold.into_iter().map(|steer| steer.message));
        if let Some(follow_up) = &mut follow_up {
            let mut all = vec![std::mem::take(&mut follow_up.message)];
            all.append(&mut messages);
            all.retain(|message| !message.is_empty());
            follow_up.message = all.join("\n\n");
        }
        self.emit(Event::ExecutionCreated(Run {
            execution,
            role: role.clone(),
            assignee,
            purpose,
            follow_up,
            messages,
            steers,
        }));
        self.want(Effect::PrepareWorkspace { execution });
        Ok(())
    }

    /// Sends the task to where people look after it.
    pub(super) fn park(
        &mut self,
        trouble: AnnotationType,
        message: &str,
        details: serde_json::Value,
    ) -> Result<(), Refusal> {
        let fault = self.workflow.fault();
        if self.task.state != *fault.name() {
            self.arrive(&fault, false, Some(message))?;
        }
        self.annotate(trouble, message, details);
        Ok(())
    }

    /// W-7.
    fn clean(&mut self, policy: CleanupPolicy, retire_branch: bool) {
        let there = self
            .task
            .workspace
            .as_ref()
            .is_some_and(|found| found.status != WorkspaceStatus::Cleaned);
        // A turn that is still to be taken needs it.
        if !there || self.open_turns().next().is_some() {
            return;
        }
        let effect = Effect::CleanWorkspace { retire_branch };
        match policy {
            CleanupPolicy::Immediate => {
                self.emit(Event::WorkspaceCleaning);
                self.want(effect);
            }
            CleanupPolicy::Delayed(seconds) => {
                let delay = seconds.unwrap_or(self.facts.cleanup_delay_seconds);
                self.want_at(effect, self.now().plus_seconds(delay));
            }
        }
    }

    /// A person's run whose workspace is still being made is stopped like any other.
    fn end_personal_run_unless_preparing(&mut self) {
        if !matches!(self.task.activity, Some(Activity::Preparing { .. })) {
            self.end_personal_run();
        }
    }
}
