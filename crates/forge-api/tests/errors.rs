//! The closed list of error codes (SPEC S-1).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use forge_api::{ErrorBody, ErrorCode};
use serde_json::{Value, json};

#[test]
fn s_1_every_code_has_its_own_name_and_survives_the_wire() {
    let mut names = BTreeSet::new();
    for &code in ErrorCode::ALL {
        assert!(names.insert(code.as_str()), "{code} is there twice");
        let wire = serde_json::to_value(code).expect("a code is a string");
        assert_eq!(wire, Value::from(code.as_str()), "serde and as_str agree");
        let back: ErrorCode = serde_json::from_value(wire).expect("what is written can be read");
        assert_eq!(back, code);
    }
}

/// Scripts rely on names and statuses: a change must be visible in review.
#[test]
fn s_1_codes_and_statuses_are_as_documented() {
    let table: String =
        ErrorCode::ALL.iter().map(|code| format!("{} {code}\n", code.status())).collect();
    insta::assert_snapshot!(table);
}

#[test]
fn s_1_every_code_says_when_it_occurs_and_what_to_do() {
    for &code in ErrorCode::ALL {
        let sentences = code.hint().split(". ").filter(|part| !part.is_empty());
        let actions = code.hint().contains(';') || sentences.count() >= 2;
        assert!(actions, "{code}: {}", code.hint());
        assert!(code.status() >= 400, "{code} is an error");
    }
}

#[test]
fn s_1_the_body_has_all_four_fields() {
    let body = json!({
        "code": "version_conflict",
        "message": "the task changed since version 2; fetch it and retry",
        "details": {"expected": 2, "actual": 3},
        "request_id": "r-1",
    });
    let parsed: ErrorBody = serde_json::from_value(body.clone()).expect("a body");
    assert_eq!(parsed.code, ErrorCode::VersionConflict);
    assert_eq!(serde_json::to_value(parsed).expect("json"), body);
}
