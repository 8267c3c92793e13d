//! Agents that show no sign of life (T-23).

use crate::support::{Desk, person, turn};
use forge_domain::task::{Activity, AnnotationType};
use forge_domain::{Command, Effect, Ending, ExecutionId, Report, Silence, Timestamp};

fn since() -> Timestamp {
    Timestamp::from_millis(500)
}

fn tell(desk: &mut Desk, execution: ExecutionId, silence: Silence) -> Vec<&'static str> {
    let decision = desk.report(Report::Silence { execution, silence });
    decision.events.iter().map(|recorded| recorded.event.kind().0).collect()
}

fn trouble(desk: &Desk) -> Option<AnnotationType> {
    desk.task.annotation.as_ref().map(|trouble| trouble.kind)
}

#[test]
fn t_23_a_silent_agent_is_shown_once_and_goes_on() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    let stalled = Silence::Stalled { since: since() };
    assert_eq!(tell(&mut desk, execution, stalled), ["execution.stalled", "task.annotated"]);
    assert_eq!(trouble(&desk), Some(AnnotationType::Stalled));
    assert_eq!(desk.task.activity, Some(Activity::Running { execution }), "nothing is touched");
    assert!(tell(&mut desk, execution, stalled).is_empty(), "it is said once");
    assert_eq!(tell(&mut desk, execution, Silence::Broken), ["task.annotated"]);
    assert_eq!(trouble(&desk), None, "a sign of life ends it");
    tell(&mut desk, execution, stalled);
    desk.end_turn(turn(Ending::Exited { code: 0 }));
    assert_eq!((desk.state(), trouble(&desk)), ("review", None), "and so does the end");
}

#[test]
fn t_23_one_that_stays_silent_is_stopped_and_its_task_parked() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    tell(&mut desk, execution, Silence::Stalled { since: since() });
    tell(&mut desk, execution, Silence::Stuck { since: since() });
    assert_eq!((desk.state(), trouble(&desk)), ("blocked", Some(AnnotationType::Stuck)));
    let mark = execution.uuid();
    assert!(desk.steps.iter().any(|step| *step.effect() == Effect::Stop { mark }));
    desk.end_turn(turn(Ending::Stopped));
    desk.stop();
    assert_eq!((desk.state(), trouble(&desk)), ("blocked", Some(AnnotationType::Stuck)));
    assert!(desk.task.workspace.is_some() && desk.outstanding().is_empty());
}

#[test]
fn t_23_a_judge_that_stays_silent_ends_its_review_undecided() {
    let mut desk = Desk::judging();
    let execution = desk.execution();
    tell(&mut desk, execution, Silence::Stuck { since: since() });
    assert_eq!((desk.state(), desk.task.review), ("blocked", None));
    assert!(desk.task.rejections.is_empty(), "it does not count against the work");
}

#[test]
fn t_23_what_is_said_of_another_run_or_too_late_changes_nothing() {
    let mut desk = Desk::working();
    let stranger = ExecutionId::new(crate::support::uuid(5));
    assert!(tell(&mut desk, stranger, Silence::Stuck { since: since() }).is_empty());
    let execution = desk.execution();
    desk.accept(person(1), Command::Cancel { reason: None });
    assert!(tell(&mut desk, execution, Silence::Stuck { since: since() }).is_empty());
}
