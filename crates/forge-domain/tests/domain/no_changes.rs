//! Work without changes stops at the gate (E-6, issue 13 number 11).

use crate::support::{TaskFixture, person, workflow};
use forge_domain::task::AnnotationType;
use forge_domain::workflow::StateName;
use forge_domain::{EffectReport, RefusedTool, TaskCommand};

fn stopped() -> TaskFixture {
    let mut fixture = TaskFixture::in_review();
    let review = fixture.take_checks();
    let refused = RefusedTool { tool: "Bash".to_owned(), ..RefusedTool::default() };
    fixture.report(EffectReport::NoChanges {
        review,
        commit: "c0ffee".to_owned(),
        answer: "I could not run it".to_owned(),
        refused: vec![refused],
    });
    fixture
}

#[test]
fn issue_13_11_a_review_without_changes_waits_for_a_person_and_does_not_count() {
    let fixture = stopped();
    assert_eq!(
        (fixture.state(), fixture.task.review, fixture.task.activity),
        ("review", None, None)
    );
    assert!(fixture.task.rejections.is_empty() && fixture.task.review_passed_at.is_none());
    let note = fixture.task.annotation.clone().expect("noted");
    assert_eq!(note.kind, AnnotationType::NoChanges);
    assert!(note.message.contains("refused it: Bash"), "{}", note.message);
    assert_eq!(note.details["answer"], "I could not run it");
    assert_eq!(fixture.outstanding(), Vec::<&str>::new());
}

#[test]
fn issue_13_11_a_person_approves_without_a_reason() {
    let mut fixture = stopped();
    let attempt = fixture.task.attempts;
    fixture.accept(person(1), TaskCommand::Approve { attempt, reason: None });
    assert_eq!(fixture.task.annotation, None);
    assert!(fixture.task.review_passed_at.is_some());
}

#[test]
fn issue_13_11_a_person_sends_it_back() {
    let mut fixture = stopped();
    let attempt = fixture.task.attempts;
    fixture.accept(person(1), TaskCommand::Reject { attempt, reason: "use the editor".to_owned() });
    assert_eq!((fixture.state(), fixture.task.sent_back), ("in_progress", true));
    assert_eq!(fixture.task.feedback.as_deref(), Some("use the editor"));
    assert!(fixture.task.rejections.is_empty(), "a person's word costs no attempt");
}

#[test]
fn issue_13_11_only_the_gate_after_the_claimed_work_requires_changes() {
    let default = workflow("default");
    assert!(default.reviews_claimed_work(&StateName::new("review")));
    for other in ["todo", "in_progress", "merging", "done", "nowhere"] {
        assert!(!default.reviews_claimed_work(&StateName::new(other)), "{other}");
    }
}
