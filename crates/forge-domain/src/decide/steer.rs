//! Messages to agents at work (T-22): told once, in the middle of the turn where the program can hear, else by the next.

use super::draft::Draft;
use crate::report::RunResult;
use crate::task::{Activity, FollowUp, Run, Steer};
use crate::workflow::RoleName;
use crate::{Effect, Event, ExecutionId, Refusal};

const LONGEST_MESSAGE: usize = 100_000;

impl Draft<'_> {
    pub(super) fn steer(
        &mut self,
        execution: ExecutionId,
        message: &str,
        live: bool,
    ) -> Result<(), Refusal> {
        let run = self.check_steer(execution)?;
        if message.trim().is_empty() || message.len() > LONGEST_MESSAGE {
            let problem = format!("must have between 1 and {LONGEST_MESSAGE} bytes");
            return Err(Refusal::InvalidField { field: "message", problem });
        }
        let steer = Steer {
            id: self.fresh(),
            execution,
            role: run.role,
            message: message.to_owned(),
            live,
            by: self.actor().clone(),
            at: self.now(),
        };
        self.emit(Event::ExecutionSteered { steer: Box::new(steer) });
        if live {
            self.want(Effect::DeliverSteer { execution });
        }
        Ok(())
    }

    /// The run that can be spoken to: an agent's, and not one that is being ended.
    pub(super) fn check_steer(&self, execution: ExecutionId) -> Result<Run, Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("steer a run"));
        }
        let stopping = matches!(self.task.activity, Some(Activity::Stopping { .. }));
        let run = self.task.run.clone().filter(|run| run.execution == execution && !stopping);
        run.filter(|run| run.assignee.agent().is_some())
            .ok_or_else(|| Refusal::ExecutionOver { key: self.task.key() })
    }

    /// What the role has not been told yet, and is told by the run that is opened now.
    pub(super) fn untold(&self, role: &RoleName) -> Vec<Steer> {
        self.task.steers.iter().filter(|steer| steer.role == *role).cloned().collect()
    }

    /// A turn that came to its end well although something was left to say goes on with that.
    pub(super) fn say_the_rest(&mut self, run: &Run, result: &RunResult) -> Result<bool, Refusal> {
        if self.untold(&run.role).is_empty() {
            return Ok(false);
        }
        let session = result.told.session.clone();
        self.follow_up = session.map(|session| FollowUp { session, message: String::new() });
        self.open_run(&run.role, run.purpose)?;
        Ok(true)
    }
}
