//! The target merged into a task's branch, for whoever works on it (M-9).

use super::draft::Draft;
use crate::joined::Rebased;
use crate::task::{Activity, FollowUp, Workspace, WorkspaceStatus};
use crate::workflow::{Behaviour, RoleName, State, StateRef};
use crate::{Assignee, Effect, Event, Refusal};

const LONGEST_MESSAGE: usize = 100_000;

/// Where a task goes once its branch has met its target.
enum Back {
    /// Nowhere: whoever claims it finds the work.
    Waits,
    /// The state it is in is the work.
    Here(RoleName),
    /// To the work.
    To(StateRef, RoleName),
}

impl Draft<'_> {
    /// Has the target merged into the branch; then the task goes back to work.
    pub(super) fn rebase(&mut self, message: Option<&str>) -> Result<(), Refusal> {
        self.check_rebase()?;
        if message.is_some_and(|message| message.len() > LONGEST_MESSAGE) {
            let problem = "has at most 100,000 bytes; commit the rest as a file".to_owned();
            return Err(Refusal::InvalidField { field: "message", problem });
        }
        if let Back::Here(role) | Back::To(_, role) = self.way_back(self.state()?)
            && let Some(holder) = self.task.roles.get(&role)
        {
            self.check_paid(*holder)?;
        }
        // A removal that waits would take the place away again.
        self.supersede();
        self.emit(Event::WorkspaceRebasing);
        let message = message.filter(|words| !words.trim().is_empty()).map(str::to_owned);
        self.want(Effect::Rebase { visit: self.task.visit, message });
        Ok(())
    }

    /// Whether the target can be merged in now.
    pub(super) fn check_rebase(&self) -> Result<(), Refusal> {
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
        self.check_nobody_works()?;
        if self.task.review.is_some() {
            let holder = "its review".to_owned();
            return Err(Refusal::WorkspaceLocked { key, holder });
        }
        let problem = match self.way_back(state) {
            Back::Waits if matches!(state.behaviour, Behaviour::Queue { .. }) => return Ok(()),
            Back::Waits => format!(
                "from \"{}\" it cannot go back to work; move it on the board first",
                state.name
            ),
            Back::Here(role) | Back::To(_, role) if !self.task.roles.contains_key(&role) => {
                format!("nobody holds the role \"{role}\"; assign it first")
            }
            Back::To(target, _) => return self.check_move(state, &target),
            Back::Here(_) => return Ok(()),
        };
        Err(Refusal::NotRebasable { key, problem })
    }

    /// The branch has met its target.
    pub(super) fn rebased(
        &mut self,
        visit: u64,
        workspace: &Workspace,
        result: &Rebased,
        message: Option<&str>,
    ) -> Result<(), Refusal> {
        let expected = self.task.activity == Some(Activity::Rebasing) && visit == self.task.visit;
        self.emit(Event::WorkspaceRebased { result: result.clone() });
        let known = self.task.workspace.as_ref().map(|known| known.status);
        let made_again = known != Some(WorkspaceStatus::Ready);
        if made_again {
            self.emit(Event::WorkspaceCreated { workspace: workspace.clone() });
        }
        let state = self.state()?;
        let rests = matches!(state.behaviour, Behaviour::Hold { .. } | Behaviour::Terminal { .. });
        if !expected || matches!(result, Rebased::UpToDate { .. }) {
            // It was moved meanwhile, or is where it was: a state that cleans up does so after all.
            let idle = self.task.activity.is_none();
            return if rests && made_again && idle { self.begin() } else { Ok(()) };
        }
        match self.way_back(state) {
            Back::Waits => Ok(()),
            Back::Here(role) => {
                self.tell(&role, result, message);
                if self.task.annotation.is_some() {
                    self.emit(Event::TaskAnnotated { annotation: None });
                }
                self.begin()
            }
            Back::To(target, role) => {
                self.tell(&role, result, message);
                let reason = Some("rebased");
                self.leave(state, &target, reason)?;
                self.arrive(&target, false, reason)
            }
        }
    }

    /// Who goes on hears it in the conversation they had, else in the prompt, which says the rest itself.
    fn tell(&mut self, role: &RoleName, result: &Rebased, message: Option<&str>) {
        let holder = self.task.roles.get(role).and_then(Assignee::agent);
        let session = self.task.sessions.get(role).filter(|known| Some(known.agent) == holder);
        match session {
            Some(session) => {
                let said = result.feedback().into_iter().chain(message.map(str::to_owned));
                let message = said.collect::<Vec<_>>().join("\n\n");
                self.follow_up = Some(FollowUp { session: session.id.clone(), message });
            }
            None => self.messages = message.map(str::to_owned).into_iter().collect(),
        }
    }

    /// The work that the task can go on with: where it is, else where a person could move it, by who last worked on it.
    fn way_back(&self, state: &State) -> Back {
        let role_in = |state: &State| match &state.behaviour {
            Behaviour::Work { role, .. } => Some(role.clone()),
            _ => None,
        };
        if let Some(role) = role_in(state) {
            return Back::Here(role);
        }
        if matches!(state.behaviour, Behaviour::Queue { .. }) {
            return Back::Waits;
        }
        let works = self.move_targets(state).into_iter().filter_map(|target| {
            let role = role_in(self.resolve(&target).ok()?)?;
            Some((target, role))
        });
        let mut works: Vec<_> = works.collect();
        let held = |role: &RoleName| self.task.roles.contains_key(role);
        works.sort_by_key(|(_, role)| !held(role));
        match works.into_iter().next() {
            Some((target, role)) => Back::To(target, role),
            None => Back::Waits,
        }
    }
}
