//! A failed landing: the state to which the merge state sends the task, and how often (F-3, M-9, M-12).

use crate::branch_update::RebaseResult;
use crate::decide::decision_builder::DecisionBuilder;
use crate::land_result::LandResult;
use crate::task::{AnnotationType, TaskActivity};
use crate::workflow::{StateBehaviour, StateRef};
use crate::{Effect, Refusal, TaskEvent};

/// Parts of the annotation about a failed landing.
type AnnotationParts = (AnnotationType, String, serde_json::Value);

impl DecisionBuilder<'_> {
    /// Sends a task along the edge of a failed landing. If the edge leads back to work, the target is merged in first,
    /// as for a person's rebase, and the next prompt names the conflict and the tasks that caused it. After
    /// `max_attempts` the `exhausted` edge applies.
    pub(crate) fn landing_failed(
        &mut self,
        edge: &StateRef,
        result: &LandResult,
        (kind, message, mut details): AnnotationParts,
    ) -> Result<(), Refusal> {
        let state = self.state()?;
        let StateBehaviour::Merge { exhausted, max_attempts, .. } = &state.behaviour else {
            return Ok(());
        };
        let back = &self.resolve(edge)?.behaviour;
        if !matches!(back, StateBehaviour::Work { .. } | StateBehaviour::Queue { .. }) {
            self.enter_state(edge, false, Some(&message))?;
            self.annotate(kind, message, details);
            return Ok(());
        }
        let attempt = self.task.rejections.get(&state.name).copied().unwrap_or(0) + 1;
        if max_attempts.is_some_and(|most| attempt >= most) {
            self.emit(TaskEvent::MergeExhausted { attempts: attempt });
            let message = format!(
                "{message}; \"{}\" has sent it back {} times already; look at it and decide",
                state.name,
                attempt - 1
            );
            self.enter_state(exhausted, false, Some(&message))?;
            self.annotate(kind, message, details);
            return Ok(());
        }
        let conflict = matches!(result, LandResult::Conflict { .. });
        let trial = match result {
            LandResult::ChecksFailed { commit, .. } => Some(commit.clone()),
            _ => None,
        };
        self.emit(TaskEvent::MergeSentBack { to: edge.name().clone(), conflict, attempt, trial });
        self.emit(TaskEvent::WorkspaceRebasing);
        let culprits = result.culprits();
        let told = (!culprits.is_empty())
            .then(|| format!("These tasks landed meanwhile: {}.", culprits.join(", ")));
        self.plan_effect(Effect::Rebase { visit: self.task.visit, message: told });
        if let Some(details) = details.as_object_mut() {
            details.insert("returns".to_owned(), true.into());
        }
        self.annotate(kind, message, details);
        Ok(())
    }

    /// Lands a task again that waited to be sent back, because its target moved. If the task moved on meanwhile, the
    /// branch stays as it is and its rebase ends.
    pub(crate) fn try_landing_again(&mut self, visit: u64) -> Result<(), Refusal> {
        let rebasing = self.task.activity == Some(TaskActivity::Rebasing);
        let waits =
            rebasing && visit == self.task.visit && self.task.post_landing.returning.is_some();
        if waits && matches!(self.state()?.behaviour, StateBehaviour::Merge { .. }) {
            self.emit(TaskEvent::MergeTriedAgain);
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
            return self.start_state_work();
        }
        if rebasing {
            let target = self.task.merge_config.target_branch.clone().unwrap_or_default();
            self.emit(TaskEvent::WorkspaceRebased { result: RebaseResult::UpToDate { target } });
        }
        Ok(())
    }

    /// Sends the task back to work after its target was merged into the branch. Returns whether its merge state had
    /// asked for that.
    pub(crate) fn return_to_work(&mut self, message: Option<&str>) -> Result<bool, Refusal> {
        let StateBehaviour::Merge { .. } = &self.state()?.behaviour else { return Ok(false) };
        let Some(returning) = self.task.post_landing.returning.clone() else { return Ok(false) };
        debug_assert!(self.task.activity != Some(TaskActivity::Landing));
        let back = self.workflow.state(&returning.to).map(StateRef::from);
        let back = back.unwrap_or_else(|| self.workflow.fault());
        if let StateBehaviour::Work { role, .. } = &self.resolve(&back)?.behaviour {
            let said = self.task.feedback.clone().into_iter().chain(message.map(str::to_owned));
            let said = said.collect::<Vec<_>>().join("\n\n");
            self.message_worker(role, said, message);
        }
        let reason = if returning.conflict { "conflict" } else { "checks failed when merged" };
        self.enter_state(&back, false, Some(reason))?;
        Ok(true)
    }
}
