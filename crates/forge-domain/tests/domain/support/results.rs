//! What effects find, in short words.

use forge_domain::{
    CheckOutcome, CheckResult, Ending, FailureClass, LandResult, RunFailure, RunResult, Told,
    Verdict,
};

/// A turn that ended this way and changed something.
pub(crate) fn turn(ending: Ending) -> RunResult {
    RunResult {
        base: None,
        ending,
        head: Some("c0ffee".to_owned()),
        changed: true,
        verdict: None,
        tail: "last words".to_owned(),
        told: forge_domain::Told::default(),
    }
}

/// A turn that ended because the agent's allowance was used up.
pub(crate) fn out_of_quota() -> RunResult {
    let message = "no more today".to_owned();
    let failure = RunFailure { class: FailureClass::Quota, message, until: None };
    let told = Told { failure: Some(failure), ..Told::default() };
    RunResult { told, ..turn(Ending::Exited { code: 1 }) }
}

/// A reviewer's turn that ended well.
pub(crate) fn judged(verdict: Option<Verdict>) -> RunResult {
    RunResult { changed: false, verdict, ..turn(Ending::Exited { code: 0 }) }
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
    LandResult::CheckoutDirty { checkout: "home".to_owned(), files: vec!["src/a.rs".to_owned()] }
}
