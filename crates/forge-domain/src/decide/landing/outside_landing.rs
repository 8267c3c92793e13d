//! Work that is on the target without a recorded landing: a person decides about it (W-19).

use crate::decide::decision_builder::DecisionBuilder;
use crate::land_result::LandResult;
use crate::task::{Annotation, AnnotationType};
use crate::workflow::{StateBehaviour, StateRef, TerminalOutcome};
use crate::{Refusal, TaskEvent};

impl DecisionBuilder<'_> {
    /// Parks the task once and stops its execution.
    pub(crate) fn landed_outside(
        &mut self,
        message: &str,
        details: &serde_json::Value,
    ) -> Result<(), Refusal> {
        if self.state()?.is_terminal() || self.outside_landing().is_some() {
            return Ok(());
        }
        if let Some(review) = self.task.review {
            self.abandon_review(review);
        }
        self.park(AnnotationType::LandedOutside, message, details.clone())
    }

    /// A person accepts the work as landed. The task ends as if Forge had landed it.
    pub(crate) fn accept_landed(&mut self, reason: Option<&str>) -> Result<(), Refusal> {
        let (commit, target) = self.check_accept_landed()?;
        let merged = self.workflow.states().find_map(|state| match &state.behaviour {
            StateBehaviour::Merge { merged, .. } => Some(merged.clone()),
            _ => None,
        });
        let ended = || {
            let mut states = self.workflow.states();
            let success = states.find(|state| {
                matches!(
                    state.behaviour,
                    StateBehaviour::Terminal { outcome: TerminalOutcome::Success, .. }
                )
            });
            success.map(StateRef::from)
        };
        let Some(to) = merged.or_else(ended) else {
            return Err(Refusal::NotLandedOutside { key: self.task.key() });
        };
        self.emit(TaskEvent::MergeFinished { result: LandResult::Merged { commit, target } });
        let reason = reason.filter(|words| !words.trim().is_empty());
        self.enter_state(&to, false, Some(reason.unwrap_or("accepted as landed outside Forge")))
    }

    /// Checks that there is work to accept. Returns the commit and the target that contains it.
    pub(crate) fn check_accept_landed(&self) -> Result<(String, String), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("accept work that landed outside Forge"));
        }
        let key = self.task.key();
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        let found = self.outside_landing().and_then(|found| {
            let word = |name: &str| Some(found.details.get(name)?.as_str()?.to_owned());
            Some((word("commit")?, word("target")?))
        });
        found.ok_or(Refusal::NotLandedOutside { key })
    }

    /// The finding, while a person has not decided about it.
    pub(crate) fn outside_landing(&self) -> Option<&Annotation> {
        self.task.outside_landing()
    }
}
