//! Reasons why a task waits for a person.

use crate::Assignee;
use crate::task::{AnnotationType, ExecutionPurpose, PullRequestWait, TaskActivity, TaskSnapshot};
use crate::task_wait::guidance::ProblemGuidance;
use crate::workflow::{StateBehaviour, Workflow, WorkflowState};

/// Reason why a task waits for a person. It depends only on the task and its workflow, so the list of such tasks is
/// updated in the transaction that changes the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonReason {
    /// A question to the person in charge has no answer yet (T-27).
    Question,
    /// The task has a problem that does not resolve itself.
    Trouble(AnnotationType),
    /// It passed a gate that does not advance by itself.
    ReviewPassed,
    /// A person holds the reviewing role.
    Verdict,
    /// Its pull request waits for an approval, or is a draft.
    PullRequest,
    /// It is queued for the person who holds the claim role.
    Claim,
    /// It is in a state that only a person can move it out of.
    Decision,
}

impl PersonReason {
    /// The reason for this task; `None` if it waits for no person.
    pub fn of(workflow: &Workflow, task: &TaskSnapshot) -> Option<Self> {
        if task.archived_at.is_some() {
            return None;
        }
        if !task.questions.is_empty() {
            return Some(Self::Question);
        }
        if let Some(run) = &task.run {
            let judges = run.purpose == ExecutionPurpose::Judge && run.assignee.user().is_some();
            return (judges && task.activity.is_none()).then_some(Self::Verdict);
        }
        let trouble = task.annotation.as_ref();
        let trouble = trouble.filter(|trouble| ProblemGuidance::of(trouble).needs_person);
        let trouble = trouble.map(|trouble| Self::Trouble(trouble.kind));
        match task.activity {
            None if trouble.is_some() => return trouble,
            None => {}
            Some(TaskActivity::Landing) => return trouble.or_else(|| pull_request_reason(task)),
            Some(_) => return None,
        }
        if task.postponed.is_some() || task.in_turns {
            return None;
        }
        let state = workflow.state(&task.state)?;
        match &state.behaviour {
            StateBehaviour::Queue { .. } => {
                is_for_person(workflow, state, task).then_some(Self::Claim)
            }
            StateBehaviour::Terminal { .. } => None,
            StateBehaviour::Gate { .. } if task.review_passed_at.is_some() => {
                Some(Self::ReviewPassed)
            }
            StateBehaviour::Work { .. }
            | StateBehaviour::Gate { .. }
            | StateBehaviour::Merge { .. }
            | StateBehaviour::Hold { .. } => Some(Self::Decision),
        }
    }

    /// Name on the wire: that of the annotation type, or one of `question`, `review_passed`, `verdict`,
    /// `pull_request`, `claim`, `decision`.
    pub fn code(self) -> String {
        let own = match self {
            Self::Trouble(kind) => return kind.code(),
            Self::Question => "question",
            Self::ReviewPassed => "review_passed",
            Self::Verdict => "verdict",
            Self::PullRequest => "pull_request",
            Self::Claim => "claim",
            Self::Decision => "decision",
        };
        own.to_owned()
    }
}

fn pull_request_reason(task: &TaskSnapshot) -> Option<PersonReason> {
    let wait = task.pull_request.as_ref().filter(|_| task.waits_for_pull_request())?.waits_for;
    matches!(wait, Some(PullRequestWait::Rules | PullRequestWait::Draft))
        .then_some(PersonReason::PullRequest)
}

/// Whether the next claim in the queue is for a person. An ordered turn is started by its parent.
fn is_for_person(workflow: &Workflow, state: &WorkflowState, task: &TaskSnapshot) -> bool {
    let path = workflow.claim_path(state, false).filter(|_| task.turn().is_none());
    let holder = path.and_then(|path| task.roles.get(&path.role).copied());
    holder.as_ref().and_then(Assignee::user).is_some()
}
