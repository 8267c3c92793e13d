//! What must hold of a task after every step, whatever the workflow and whoever acts.

use super::cast::{by_agent, person};
use super::desk::Desk;
use super::effects::Step;
use forge_domain::task::{Activity, Snapshot};
use forge_domain::workflow::{Standing, StateName};
use forge_domain::{Action, ActionKind, Actor, Assignee, Command, Effect, Lane, Refusal, allowed};

/// A task that has not ended is never left alone: the engine is at something and has the effect for it, or a landing
/// waits to look again, or somebody can do something that is more than giving up.
pub(crate) fn check_step(desk: &Desk) {
    let task = &desk.task;
    if let Some(activity) = task.activity {
        assert!(
            desk.steps.iter().any(|step| serves(step.effect(), activity, task)),
            "{activity:?} in \"{}\" has no effect behind it, only {:?}; {}",
            task.state,
            desk.outstanding(),
            desk.story()
        );
    }
    if task.postponed.is_some() {
        let waits = |step: &Step| step.lane() == Lane::Waiting;
        assert!(desk.steps.iter().any(waits), "nothing ends the wait; {}", desk.story());
        assert!(task.run.is_none() && task.activity.is_none(), "who waits does not run");
    }
    if is_over(task) {
        assert!(task.run.is_none() || desk.is_stopping(), "an ended task runs: {:?}", task.run);
        return;
    }
    let looks_again =
        desk.steps.iter().any(|step| *step.effect() == Effect::Land { visit: task.visit });
    if task.activity.is_none() && !looks_again {
        let ways: Vec<_> = ways_on(desk).into_iter().map(|action| action.kind).collect();
        assert!(!ways.is_empty(), "\"{}\" is a dead end; {}", task.state, desk.story());
    }
}

/// Once the engine rests, nothing is left behind: no activity, and no workspace of a task that has ended.
pub(crate) fn check_rest(desk: &Desk) {
    assert!(
        desk.steps.is_empty(),
        "the engine rests, but {:?} are outstanding",
        desk.outstanding()
    );
    assert_eq!(desk.task.activity, None, "the engine rests in \"{}\"", desk.task.state);
    if is_over(&desk.task) {
        let left = desk.task.workspace.as_ref().map(|workspace| workspace.status);
        assert!(
            left.is_none_or(|status| status == forge_domain::task::WorkspaceStatus::Cleaned),
            "the workspace of an ended task is left over as {left:?}; {}",
            desk.story()
        );
    }
}

/// An effect that begins still has its point; what lost it was superseded.
pub(crate) fn check_begin(desk: &Desk, step: &Step) {
    let task = &desk.task;
    let wanted = match step.effect().clone() {
        Effect::PrepareWorkspace { execution }
        | Effect::SetUpWorkspace { execution }
        | Effect::RunTurn { execution } => {
            task.run.as_ref().is_some_and(|run| run.execution == execution) && !desk.is_stopping()
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
        "{:?} begins in \"{}\" although nobody wants it; {}",
        step.effect(),
        task.state,
        desk.story()
    );
}

/// T-11: what is offered can be done, and what can be done is offered.
pub(crate) fn check_actions(desk: &Desk, actor: &Actor) {
    let actions: Vec<_> =
        allowed(&desk.workflow, &desk.task, actor).into_iter().map(|action| action.kind).collect();
    for (i, action) in actions.iter().enumerate() {
        assert!(!actions[..i].contains(action), "{action:?} is offered twice");
    }
    let cancel = desk.workflow.cancel();
    for state in desk.workflow.states() {
        let moving = desk.moving(state.name.as_str(), None);
        let answer = desk.consider(actor.clone(), moving);
        let offered = if state.name == *cancel.name() {
            actions.contains(&ActionKind::Cancel)
        } else {
            actions.contains(&ActionKind::Move { to: state.name.clone() })
        };
        assert_eq!(
            offered,
            answer.is_ok(),
            "from \"{}\" to \"{}\" by {actor:?}: {:?}",
            desk.task.state,
            state.name,
            answer.err()
        );
    }
    if let Some(execution) = desk.task.last_run.as_ref().map(|run| run.execution) {
        let reason = None;
        let rescues = [
            (
                ActionKind::Steer { execution },
                Command::Steer { execution, message: "faster".to_owned(), live: true },
            ),
            (ActionKind::StopRun { execution }, Command::StopRun { execution, reason: None }),
            (ActionKind::Restart { execution }, Command::Restart { execution }),
            (ActionKind::MarkFailed { execution }, Command::MarkFailed { execution, reason }),
        ];
        for (kind, command) in rescues {
            let answer = desk.consider(actor.clone(), command);
            assert_eq!(actions.contains(&kind), answer.is_ok(), "{kind:?}: {answer:?}");
        }
    }
    let note = Command::HandOff { message: "half done".to_owned() };
    let handed = desk.consider(actor.clone(), note);
    assert_eq!(actions.contains(&ActionKind::HandOff), handed.is_ok(), "{handed:?}");
    let reset = desk.consider(actor.clone(), Command::ResetWorkspace);
    assert_eq!(actions.contains(&ActionKind::ResetWorkspace), reset.is_ok(), "{reset:?}");
    let attempt = desk.task.attempts;
    let rebase = desk.consider(actor.clone(), Command::Rebase { message: None });
    assert_eq!(actions.contains(&ActionKind::Rebase), rebase.is_ok(), "{rebase:?}");
    let offered = |wanted: &dyn Fn(&ActionKind) -> bool| actions.iter().any(wanted);
    let reason = "good enough".to_owned();
    let approve = Command::Approve { attempt, reason: Some(reason.clone()) };
    let approved = desk.consider(actor.clone(), approve);
    let approves = offered(&|kind| matches!(kind, ActionKind::Approve { .. }));
    assert_eq!(approves, approved.is_ok(), "{approved:?}");
    let rejected = desk.consider(actor.clone(), Command::Reject { attempt, reason });
    let rejects = offered(&|kind| matches!(kind, ActionKind::Reject { .. }));
    assert_eq!(rejects, rejected.is_ok(), "{rejected:?}");
    if actor.is_person() {
        let by = desk.task.id;
        let revert = desk.consider(actor.clone(), Command::Revert { by });
        assert_eq!(actions.contains(&ActionKind::Revert), revert.is_ok(), "{revert:?}");
    }
    let claim = desk.consider(actor.clone(), Command::Claim { claimer: by_agent(1) });
    let closed = |refusal: &Refusal| {
        matches!(
            refusal,
            Refusal::AlreadyClaimed | Refusal::NotClaimable { .. } | Refusal::Archived
        )
    };
    let claimable = !claim.as_ref().is_err_and(closed);
    assert_eq!(actions.contains(&ActionKind::Claim), claimable, "claim by {actor:?}: {claim:?}");
}

/// What the person the task waits for can do, besides giving up, parking, and talk.
fn ways_on(desk: &Desk) -> Vec<Action> {
    let fault: StateName = desk.workflow.fault().name().clone();
    let actor = match desk.task.run.as_ref().map(|run| run.assignee) {
        Some(Assignee::User { id }) => Actor::User { id },
        _ => person(1),
    };
    let mut actions = allowed(&desk.workflow, &desk.task, &actor);
    actions.retain(|action| match &action.kind {
        ActionKind::Claim | ActionKind::Unarchive | ActionKind::Restart { .. } => true,
        ActionKind::Move { to } => *to != fault,
        _ => false,
    });
    actions
}

fn serves(effect: &Effect, activity: Activity, task: &Snapshot) -> bool {
    match (activity, effect) {
        (
            Activity::Preparing { execution },
            Effect::PrepareWorkspace { execution: of }
            | Effect::SetUpWorkspace { execution: of }
            | Effect::RunTurn { execution: of },
        )
        | (Activity::Running { execution }, Effect::RunTurn { execution: of }) => execution == *of,
        (Activity::Checking { review }, Effect::RunChecks { review: of }) => review == *of,
        (Activity::Landing, Effect::Land { visit }) => *visit == task.visit,
        (Activity::Cleaning, Effect::CleanWorkspace { .. } | Effect::ResetWorkspace) => true,
        (Activity::Rebasing, Effect::Rebase { .. }) => true,
        (Activity::Reverting, Effect::Revert { .. }) => true,
        (Activity::Stopping { mark }, Effect::Stop { mark: of }) => mark == *of,
        _ => false,
    }
}

fn is_over(task: &Snapshot) -> bool {
    matches!(task.standing, Standing::Succeeded | Standing::Ended)
}
