//! What a task waits for, as text.

use crate::Timestamp;
use crate::task::{
    AnnotationType, ExecutionPurpose, PostponeCause, PullRequestWait, TaskActivity, TaskExecution,
    TaskSnapshot,
};
use crate::task_wait::guidance::{NextStepKind, ProblemGuidance};
use crate::task_wait::person_reason::PersonReason;
use crate::workflow::{StateBehaviour, Workflow};

/// The actor or event for which a task waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitTarget {
    Person,
    /// A person, who queues or claims it.
    Queueing,
    /// An agent that claims it.
    Agent,
    /// The running execution of an agent or a person.
    Execution,
    Checks,
    Landing,
    /// A short effect of the server.
    Server,
    /// A known time, or a connection that comes back.
    Time,
    /// The ordered turns in its workspace.
    Turns,
    /// Nothing, because it has ended or is archived.
    Nothing,
}

/// What a task waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskWait {
    pub waits_for: WaitTarget,
    /// The reason, if it waits for a person.
    pub person: Option<PersonReason>,
    /// Description for the user.
    pub message: String,
    /// Files in conflict, or in the way.
    pub files: Vec<String>,
    /// Since when, as far as the task itself knows.
    pub since: Option<Timestamp>,
    pub(crate) steps: &'static [NextStepKind],
}

impl TaskWait {
    /// Derives what the task waits for now.
    pub fn of(workflow: &Workflow, task: &TaskSnapshot) -> Self {
        match PersonReason::of(workflow, task) {
            Some(reason) => wait_for_person(workflow, task, reason),
            None => wait_without_person(workflow, task),
        }
    }

    fn new(
        waits_for: WaitTarget,
        message: impl Into<String>,
        steps: &'static [NextStepKind],
    ) -> Self {
        let message = message.into();
        Self { waits_for, person: None, message, files: Vec::new(), since: None, steps }
    }
}

fn wait_for_person(workflow: &Workflow, task: &TaskSnapshot, reason: PersonReason) -> TaskWait {
    use NextStepKind as Step;
    let state = workflow.state(&task.state);
    let (message, steps): (String, &'static [NextStepKind]) = match reason {
        PersonReason::Question => {
            (describe_questions(task), &[Step::Answer, Step::ReadLog, Step::ReadDiff])
        }
        PersonReason::Trouble(_) => match &task.annotation {
            Some(trouble) => (trouble.message.clone(), ProblemGuidance::of(trouble).steps),
            None => (String::new(), &[]),
        },
        PersonReason::ReviewPassed => {
            let next = match state.map(|state| &state.behaviour) {
                Some(StateBehaviour::Gate { pass, .. }) => {
                    format!("move it to \"{}\"", pass.name())
                }
                _ => "move it on".to_owned(),
            };
            let message = format!("attempt {} passed; {next}, or send it back", task.attempts);
            (message, &[Step::MoveOn, Step::Reject, Step::ReadDiff])
        }
        PersonReason::Verdict => {
            let message = format!(
                "attempt {} passed its checks and waits for its reviewer, who is a person",
                task.attempts
            );
            (message, &[Step::Approve, Step::Reject, Step::ReadDiff])
        }
        PersonReason::PullRequest => (describe_pull_request(task), &[Step::ShowTask]),
        PersonReason::Claim => {
            let message = "it is assigned to a person, who has not claimed it yet".to_owned();
            (message, &[Step::ClaimSelf, Step::Assign])
        }
        PersonReason::Decision => match state.map(|state| &state.behaviour) {
            Some(StateBehaviour::Gate { .. }) => {
                let message = format!("attempt {} waits for a person's decision", task.attempts);
                (message, &[Step::ReadReview, Step::Approve, Step::Reject, Step::Move])
            }
            _ => {
                let message = format!("it is in \"{}\", and only a person moves it on", task.state);
                (message, &[Step::Restart, Step::Claim, Step::Move])
            }
        },
    };
    let since = match reason {
        PersonReason::Trouble(_) => task.annotation.as_ref().map(|trouble| trouble.at),
        PersonReason::ReviewPassed => task.review_passed_at,
        PersonReason::Question => task.questions.first().map(|question| question.at),
        _ => None,
    };
    let mut wait = TaskWait::new(WaitTarget::Person, message, steps);
    wait.person = Some(reason);
    wait.since = since;
    wait.files = annotated_files(task);
    wait
}

fn wait_without_person(workflow: &Workflow, task: &TaskSnapshot) -> TaskWait {
    use NextStepKind as Step;
    if task.archived_at.is_some() {
        return TaskWait::new(WaitTarget::Nothing, "it is archived", &[Step::Unarchive]);
    }
    if let Some(activity) = task.activity {
        return wait_for_activity(task, activity);
    }
    if let Some(run) = task.run.as_ref() {
        let message = format!("a person works on it as {}", run.role);
        return TaskWait::new(WaitTarget::Execution, message, &[Step::MoveOn, Step::ReadDiff]);
    }
    if let Some(waits) = &task.postponed {
        let message = match waits.cause {
            PostponeCause::Quota { .. } => "its agent waits for its quota, and then goes on",
            PostponeCause::Login => "its agent is not signed in",
            PostponeCause::Budget => "a budget is used up",
        };
        return TaskWait::new(WaitTarget::Time, annotation_or(task, message), &[Step::Assign]);
    }
    if task.in_turns {
        let message = "its own work is done; it waits for the ordered turns in its workspace";
        return TaskWait::new(WaitTarget::Turns, message, &[Step::ShowTask]);
    }
    let state = workflow.state(&task.state);
    match state.map(|state| &state.behaviour) {
        Some(StateBehaviour::Queue { claim: Some(_) }) if task.turn().is_some() => {
            let message = "it is an ordered turn, which its parent begins";
            TaskWait::new(WaitTarget::Turns, message, &[Step::ShowTask])
        }
        Some(StateBehaviour::Queue { claim: Some(_) }) => {
            TaskWait::new(WaitTarget::Agent, "it waits for an agent", &[Step::Claim])
        }
        Some(StateBehaviour::Queue { claim: None }) => {
            let message = format!("it is in \"{}\", which is not claimable", task.state);
            TaskWait::new(WaitTarget::Queueing, message, &[Step::Move, Step::Claim])
        }
        _ => TaskWait::new(WaitTarget::Nothing, describe_end(task), &[]),
    }
}

fn wait_for_activity(task: &TaskSnapshot, activity: TaskActivity) -> TaskWait {
    use NextStepKind as Step;
    let server = |message: &str| TaskWait::new(WaitTarget::Server, message, &[]);
    match activity {
        TaskActivity::Running { .. } => wait_for_execution(task, task.run.as_ref()),
        TaskActivity::Preparing { .. } => {
            let message = "its workspace is being prepared; then its agent starts";
            TaskWait::new(WaitTarget::Server, message, &[Step::ReadSetup])
        }
        TaskActivity::Checking { .. } => {
            let message = format!("the checks of attempt {} are running", task.attempts);
            TaskWait::new(WaitTarget::Checks, message, &[Step::FollowChecks])
        }
        TaskActivity::Landing if task.waits_for_pull_request() => {
            TaskWait::new(WaitTarget::Landing, describe_pull_request(task), &[Step::ShowTask])
        }
        TaskActivity::Landing if task.annotation.is_some() => {
            let message = annotation_or(task, "its landing is retried");
            TaskWait::new(WaitTarget::Time, message, &[Step::ShowTrain])
        }
        TaskActivity::Landing => {
            let message = "it is being landed, or waits for its turn in the merge train";
            TaskWait::new(WaitTarget::Landing, message, &[Step::ShowTrain])
        }
        TaskActivity::Cleaning => server("its workspace is being removed or recreated"),
        TaskActivity::Rebasing => server("the target branch is being merged into its branch"),
        TaskActivity::Reverting => server("its revert is being made"),
        TaskActivity::EndingTurns => server("the ordered turns in its workspace are being stopped"),
        TaskActivity::Stopping { .. } => server("its last run is being stopped"),
    }
}

fn wait_for_execution(task: &TaskSnapshot, run: Option<&TaskExecution>) -> TaskWait {
    if let Some(trouble) = &task.annotation
        && trouble.kind == AnnotationType::Stalled
    {
        let steps = ProblemGuidance::of(trouble).steps;
        let mut wait = TaskWait::new(WaitTarget::Execution, trouble.message.clone(), steps);
        wait.since = Some(trouble.at);
        return wait;
    }
    let message = match run {
        Some(run) if run.purpose == ExecutionPurpose::Judge => {
            format!("its {} reviews attempt {}", run.role, task.attempts)
        }
        Some(run) => format!("its {} is at work", run.role),
        None => "its agent is at work".to_owned(),
    };
    TaskWait::new(WaitTarget::Execution, message, &[NextStepKind::FollowLog])
}

/// The oldest open question, and what else is to be known.
fn describe_questions(task: &TaskSnapshot) -> String {
    let Some(question) = task.questions.first() else { return String::new() };
    let asker = match &question.role {
        Some(role) => format!("its {role} asks"),
        None => "it has a question".to_owned(),
    };
    let mut text = format!("{asker}: {}", question.text);
    let others = task.questions.len() - 1;
    if others > 0 {
        text.push_str(&format!(" (and {others} more)"));
    }
    let trouble =
        task.annotation.as_ref().filter(|trouble| ProblemGuidance::of(trouble).needs_person);
    if let Some(trouble) = trouble {
        text.push_str(&format!("; besides: {}", trouble.message));
    }
    text
}

fn describe_pull_request(task: &TaskSnapshot) -> String {
    let Some(pull) = &task.pull_request else { return String::new() };
    let what = match pull.waits_for {
        Some(PullRequestWait::Checks) => "its checks",
        Some(PullRequestWait::Rules) => "an approval, or another rule of its target",
        Some(PullRequestWait::Draft) => "being marked as ready: it is a draft",
        Some(PullRequestWait::Pause) => "landing to be resumed in this project",
        Some(PullRequestWait::Mergeability) | None => "its merge",
    };
    format!("pull request #{} waits for {what}: {}", pull.number, pull.url)
}

fn describe_end(task: &TaskSnapshot) -> String {
    match &task.post_landing.landed {
        Some(landed) => match &landed.commit {
            Some(commit) => {
                let short = commit.get(..10).unwrap_or(commit);
                format!("it has landed on {} as {short}", landed.target)
            }
            None => format!("it has ended; {} had all of its work", landed.target),
        },
        None => format!("it has ended in \"{}\"", task.state),
    }
}

fn annotation_or(task: &TaskSnapshot, otherwise: &str) -> String {
    let trouble = task.annotation.as_ref().map(|trouble| trouble.message.clone());
    trouble.unwrap_or_else(|| otherwise.to_owned())
}

/// The files that the task's annotation names.
fn annotated_files(task: &TaskSnapshot) -> Vec<String> {
    let details = task.annotation.as_ref().map(|trouble| &trouble.details);
    let files = details.and_then(|details| details["files"].as_array());
    let names = files.into_iter().flatten().filter_map(|file| file.as_str());
    names.map(str::to_owned).collect()
}
