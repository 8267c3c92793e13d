//! Silent agents (T-23).

use crate::support::{TaskFixture, person, turn};
use forge_domain::task::{AnnotationType, TaskActivity};
use forge_domain::{
    Effect, EffectReport, ExecutionEnding, ExecutionId, SilenceChange, TaskCommand, Timestamp,
};

fn since() -> Timestamp {
    Timestamp::from_millis(500)
}

fn tell(
    fixture: &mut TaskFixture,
    execution: ExecutionId,
    silence: SilenceChange,
) -> Vec<&'static str> {
    let decision = fixture.report(EffectReport::Silence { execution, silence });
    decision.events.iter().map(|recorded| recorded.event.kind().0).collect()
}

fn trouble(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|trouble| trouble.kind)
}

#[test]
fn t_23_a_silent_agent_is_annotated_once_and_continues() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    let stalled = SilenceChange::Stalled { since: since() };
    assert_eq!(tell(&mut fixture, execution, stalled), ["execution.stalled", "task.annotated"]);
    assert_eq!(trouble(&fixture), Some(AnnotationType::Stalled));
    assert_eq!(
        fixture.task.activity,
        Some(TaskActivity::Running { execution }),
        "nothing is touched"
    );
    assert!(tell(&mut fixture, execution, stalled).is_empty(), "it is said once");
    assert_eq!(tell(&mut fixture, execution, SilenceChange::Broken), ["task.annotated"]);
    assert_eq!(trouble(&fixture), None, "a sign of life ends it");
    tell(&mut fixture, execution, stalled);
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_eq!((fixture.state(), trouble(&fixture)), ("review", None), "and so does the end");
}

#[test]
fn t_23_an_agent_that_stays_silent_is_stopped_and_its_task_parked() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    tell(&mut fixture, execution, SilenceChange::Stalled { since: since() });
    tell(&mut fixture, execution, SilenceChange::Stuck { since: since() });
    assert_eq!((fixture.state(), trouble(&fixture)), ("blocked", Some(AnnotationType::Stuck)));
    let mark = execution.uuid();
    assert!(fixture.steps.iter().any(|step| *step.effect() == Effect::Stop { mark }));
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    assert_eq!((fixture.state(), trouble(&fixture)), ("blocked", Some(AnnotationType::Stuck)));
    assert!(fixture.task.workspace.is_some() && fixture.outstanding().is_empty());
}

#[test]
fn t_23_a_judge_that_stays_silent_ends_its_review_undecided() {
    let mut fixture = TaskFixture::judging();
    let execution = fixture.execution();
    tell(&mut fixture, execution, SilenceChange::Stuck { since: since() });
    assert_eq!((fixture.state(), fixture.task.review), ("blocked", None));
    assert!(fixture.task.rejections.is_empty(), "it does not count against the work");
}

#[test]
fn t_23_a_report_about_another_execution_or_a_late_one_changes_nothing() {
    let mut fixture = TaskFixture::working();
    let stranger = ExecutionId::new(crate::support::uuid(5));
    assert!(tell(&mut fixture, stranger, SilenceChange::Stuck { since: since() }).is_empty());
    let execution = fixture.execution();
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert!(tell(&mut fixture, execution, SilenceChange::Stuck { since: since() }).is_empty());
}
