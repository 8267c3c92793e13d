//! Invariants of a task after every step, for any workflow and any actor.

use super::cast::{by_agent, person};
use super::effects::EffectEntry;
use super::fixture::TaskFixture;
use forge_domain::task::{TaskActivity, TaskSnapshot};
use forge_domain::workflow::{StateName, TaskStanding};
use forge_domain::{
    Actor, Assignee, Effect, EffectLane, Refusal, TaskAction, TaskActionKind, TaskCommand,
    allowed_actions,
};

/// An open task is never stranded: the engine has an activity with its effect, or a landing waits for a retry, or an
/// actor has an action other than giving up.
pub(crate) fn check_step(fixture: &TaskFixture) {
    let task = &fixture.task;
    if let Some(activity) = task.activity {
        assert!(
            fixture.steps.iter().any(|step| serves(step.effect(), activity, task)),
            "{activity:?} in \"{}\" has no effect behind it, only {:?}; {}",
            task.state,
            fixture.outstanding(),
            fixture.story()
        );
    }
    if task.postponed.is_some() {
        let waits = |step: &EffectEntry| step.lane() == EffectLane::Waiting;
        assert!(fixture.steps.iter().any(waits), "nothing ends the wait; {}", fixture.story());
        assert!(task.run.is_none() && task.activity.is_none(), "who waits does not run");
    }
    if is_over(task) {
        assert!(task.run.is_none() || fixture.is_stopping(), "an ended task runs: {:?}", task.run);
        return;
    }
    let looks_again =
        fixture.steps.iter().any(|step| *step.effect() == Effect::Land { visit: task.visit });
    if task.activity.is_none() && !looks_again {
        let ways: Vec<_> = ways_on(fixture).into_iter().map(|action| action.kind).collect();
        assert!(!ways.is_empty(), "\"{}\" is a dead end; {}", task.state, fixture.story());
    }
}

/// Once the engine is idle, nothing is left over: no activity, and no workspace of an ended task.
pub(crate) fn check_rest(fixture: &TaskFixture) {
    assert!(
        fixture.steps.is_empty(),
        "the engine rests, but {:?} are outstanding",
        fixture.outstanding()
    );
    assert_eq!(fixture.task.activity, None, "the engine rests in \"{}\"", fixture.task.state);
    if is_over(&fixture.task) {
        let left = fixture.task.workspace.as_ref().map(|workspace| workspace.status);
        assert!(
            left.is_none_or(|status| status == forge_domain::task::WorkspaceStatus::Cleaned),
            "the workspace of an ended task is left over as {left:?}; {}",
            fixture.story()
        );
    }
}

/// An effect that starts is still needed; others were superseded.
pub(crate) fn check_begin(fixture: &TaskFixture, step: &EffectEntry) {
    let task = &fixture.task;
    let wanted = match step.effect().clone() {
        Effect::PrepareWorkspace { execution }
        | Effect::SetUpWorkspace { execution }
        | Effect::RunExecution { execution } => {
            task.run.as_ref().is_some_and(|run| run.execution == execution)
                && !fixture.is_stopping()
        }
        Effect::RunChecks { review } => task.review == Some(review),
        Effect::Land { visit } => task.visit == visit,
        Effect::AwaitQuota { .. } | Effect::AwaitBudget => task.postponed.is_some(),
        Effect::Stop { .. }
        | Effect::DeliverSteer { .. }
        | Effect::CleanWorkspace { .. }
        | Effect::ResetWorktree
        | Effect::Rebase { .. }
        | Effect::Revert { .. }
        | Effect::VerifyLanding { .. }
        | Effect::TellParent { .. }
        | Effect::BeginTurn { .. }
        | Effect::EndTurns
        | Effect::ResetWorkspace => true,
    };
    assert!(
        wanted,
        "{:?} begins in \"{}\" although it is not needed; {}",
        step.effect(),
        task.state,
        fixture.story()
    );
}

/// T-11: an offered action can be taken, and an action that can be taken is offered.
pub(crate) fn check_actions(fixture: &TaskFixture, actor: &Actor) {
    let actions: Vec<_> = allowed_actions(&fixture.workflow, &fixture.task, actor)
        .into_iter()
        .map(|action| action.kind)
        .collect();
    for (i, action) in actions.iter().enumerate() {
        assert!(!actions[..i].contains(action), "{action:?} is offered twice");
    }
    let cancel = fixture.workflow.cancel();
    for state in fixture.workflow.states() {
        let moving = fixture.moving(state.name.as_str(), None);
        let answer = fixture.consider(actor.clone(), moving);
        let offered = if state.name == *cancel.name() {
            actions.contains(&TaskActionKind::Cancel)
        } else {
            actions.contains(&TaskActionKind::Move { to: state.name.clone() })
        };
        assert_eq!(
            offered,
            answer.is_ok(),
            "from \"{}\" to \"{}\" by {actor:?}: {:?}",
            fixture.task.state,
            state.name,
            answer.err()
        );
    }
    if let Some(execution) = fixture.task.last_run.as_ref().map(|run| run.execution) {
        let reason = None;
        let rescues = [
            (
                TaskActionKind::Steer { execution },
                TaskCommand::Steer { execution, message: "faster".to_owned(), live: true },
            ),
            (
                TaskActionKind::StopRun { execution },
                TaskCommand::StopRun { execution, reason: None },
            ),
            (TaskActionKind::Restart { execution }, TaskCommand::Restart { execution }),
            (
                TaskActionKind::MarkFailed { execution },
                TaskCommand::MarkFailed { execution, reason },
            ),
        ];
        for (kind, command) in rescues {
            let answer = fixture.consider(actor.clone(), command);
            assert_eq!(actions.contains(&kind), answer.is_ok(), "{kind:?}: {answer:?}");
        }
    }
    let ask = TaskCommand::Ask { text: "Which port?".to_owned(), is_awaited: false };
    if matches!(actor, Actor::Agent { .. }) {
        let asked = fixture.consider(actor.clone(), ask);
        assert_eq!(actions.contains(&TaskActionKind::Ask), asked.is_ok(), "{asked:?}");
    }
    for question in 1..=fixture.task.asked_questions {
        let answer = TaskCommand::Answer { number: question, text: "8080".to_owned(), live: true };
        let answered = fixture.consider(actor.clone(), answer);
        let kind = TaskActionKind::Answer { question };
        assert_eq!(actions.contains(&kind), answered.is_ok(), "{answered:?}");
    }
    let note = TaskCommand::HandOff { message: "half done".to_owned() };
    let handed = fixture.consider(actor.clone(), note);
    assert_eq!(actions.contains(&TaskActionKind::HandOff), handed.is_ok(), "{handed:?}");
    let reset = fixture.consider(actor.clone(), TaskCommand::ResetWorkspace);
    assert_eq!(actions.contains(&TaskActionKind::ResetWorkspace), reset.is_ok(), "{reset:?}");
    let attempt = fixture.task.attempts;
    let rebase = fixture.consider(actor.clone(), TaskCommand::Rebase { message: None });
    assert_eq!(actions.contains(&TaskActionKind::Rebase), rebase.is_ok(), "{rebase:?}");
    let offered = |wanted: &dyn Fn(&TaskActionKind) -> bool| actions.iter().any(wanted);
    let reason = "good enough".to_owned();
    let approve = TaskCommand::Approve { attempt, reason: Some(reason.clone()) };
    let approved = fixture.consider(actor.clone(), approve);
    let approves = offered(&|kind| matches!(kind, TaskActionKind::Approve { .. }));
    assert_eq!(approves, approved.is_ok(), "{approved:?}");
    let rejected = fixture.consider(actor.clone(), TaskCommand::Reject { attempt, reason });
    let rejects = offered(&|kind| matches!(kind, TaskActionKind::Reject { .. }));
    assert_eq!(rejects, rejected.is_ok(), "{rejected:?}");
    if actor.is_person() {
        let by = fixture.task.id;
        let revert = fixture.consider(actor.clone(), TaskCommand::Revert { by });
        assert_eq!(actions.contains(&TaskActionKind::Revert), revert.is_ok(), "{revert:?}");
    }
    let claim = fixture.consider(actor.clone(), TaskCommand::Claim { claimer: by_agent(1) });
    let closed = |refusal: &Refusal| {
        matches!(
            refusal,
            Refusal::AlreadyClaimed
                | Refusal::ExecutionEnding
                | Refusal::NotClaimable { .. }
                | Refusal::Archived
        )
    };
    let claimable = !claim.as_ref().is_err_and(closed);
    assert_eq!(
        actions.contains(&TaskActionKind::Claim),
        claimable,
        "claim by {actor:?}: {claim:?}"
    );
}

/// Actions of the awaited person other than giving up, parking and commenting.
fn ways_on(fixture: &TaskFixture) -> Vec<TaskAction> {
    let fault: StateName = fixture.workflow.fault().name().clone();
    let actor = match fixture.task.run.as_ref().map(|run| run.assignee) {
        Some(Assignee::User { id }) => Actor::User { id },
        _ => person(1),
    };
    let mut actions = allowed_actions(&fixture.workflow, &fixture.task, &actor);
    actions.retain(|action| match &action.kind {
        TaskActionKind::Claim | TaskActionKind::Unarchive | TaskActionKind::Restart { .. } => true,
        TaskActionKind::Move { to } => *to != fault,
        _ => false,
    });
    actions
}

fn serves(effect: &Effect, activity: TaskActivity, task: &TaskSnapshot) -> bool {
    match (activity, effect) {
        (
            TaskActivity::Preparing { execution },
            Effect::PrepareWorkspace { execution: of }
            | Effect::SetUpWorkspace { execution: of }
            | Effect::RunExecution { execution: of },
        )
        | (TaskActivity::Running { execution }, Effect::RunExecution { execution: of }) => {
            execution == *of
        }
        (TaskActivity::Checking { review }, Effect::RunChecks { review: of }) => review == *of,
        (TaskActivity::Landing, Effect::Land { visit }) => *visit == task.visit,
        (TaskActivity::Cleaning, Effect::CleanWorkspace { .. } | Effect::ResetWorkspace) => true,
        (TaskActivity::Rebasing, Effect::Rebase { .. }) => true,
        (TaskActivity::Reverting, Effect::Revert { .. }) => true,
        (TaskActivity::Stopping { mark }, Effect::Stop { mark: of }) => mark == *of,
        _ => false,
    }
}

fn is_over(task: &TaskSnapshot) -> bool {
    matches!(task.standing, TaskStanding::Succeeded | TaskStanding::Ended)
}
