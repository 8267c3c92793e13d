//! Short constructors for results of effects.

use forge_domain::{
    AgentFailure, AgentReport, CheckOutcome, CheckResult, ExecutionEnding, ExecutionResult,
    FailureClass, LandResult, Verdict,
};

/// An execution that ended this way and changed something.
pub(crate) fn turn(ending: ExecutionEnding) -> ExecutionResult {
    ExecutionResult {
        base: None,
        ending,
        head: Some("c0ffee".to_owned()),
        changed: true,
        verdict: None,
        tail: "last words".to_owned(),
        told: forge_domain::AgentReport::default(),
    }
}

/// An execution that ended because the agent's quota was used up.
pub(crate) fn out_of_quota() -> ExecutionResult {
    let message = "no more today".to_owned();
    let failure = AgentFailure { class: FailureClass::Quota, message, until: None };
    let told = AgentReport { failure: Some(failure), ..AgentReport::default() };
    ExecutionResult { told, ..turn(ExecutionEnding::Exited { code: 1 }) }
}

/// An execution that failed because the agent is not signed in.
pub(crate) fn signed_out() -> ExecutionResult {
    let message = "Not logged in\nrun login".to_owned();
    let failure = AgentFailure { class: FailureClass::Auth, message, until: None };
    let told = AgentReport { failure: Some(failure), ..AgentReport::default() };
    ExecutionResult { told, ..turn(ExecutionEnding::Exited { code: 1 }) }
}

/// A reviewer's execution that ended well.
pub(crate) fn judged(verdict: Option<Verdict>) -> ExecutionResult {
    ExecutionResult { changed: false, verdict, ..turn(ExecutionEnding::Exited { code: 0 }) }
}

fn check(outcome: CheckOutcome, exit_code: Option<i32>) -> CheckResult {
    CheckResult {
        command: "cargo test".to_owned(),
        exit_code,
        outcome,
        duration_ms: 12,
        output_tail: "output".to_owned(),
        log: forge_domain::LogSpan::default(),
    }
}

pub(crate) fn passed() -> CheckResult {
    check(CheckOutcome::Passed, Some(0))
}

pub(crate) fn failed() -> CheckResult {
    check(CheckOutcome::Failed, Some(101))
}

pub(crate) fn merged() -> LandResult {
    LandResult::Merged { commit: "beef".to_owned(), target: "main".to_owned() }
}

pub(crate) fn nothing_to_merge() -> LandResult {
    LandResult::NothingToMerge { target: "main".to_owned() }
}

pub(crate) fn conflict() -> LandResult {
    LandResult::Conflict {
        files: vec!["src/a.rs".to_owned()],
        target: "main".to_owned(),
        hunks: Vec::new(),
        culprits: Vec::new(),
    }
}

pub(crate) fn dirty() -> LandResult {
    let (checkout, files) = ("home".to_owned(), vec!["src/a.rs".to_owned()]);
    LandResult::CheckoutDirty { checkout, files, moved_under: None }
}
