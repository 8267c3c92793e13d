//! The rules of the house over this workspace. Each rule's file proves that it catches a planted offence.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use xtask::offence::Offence;
use xtask::rules::{file_budget, file_names, leftovers, machine_paths, module_files};
use xtask::tidy::Tidy;

fn tidy() -> Tidy {
    Tidy::load(Path::new(".")).expect("a readable workspace")
}

fn assert_none(offences: &[Offence]) {
    let lines: Vec<_> = offences.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} offence(s):\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn crates_follow_the_arrows() {
    assert_none(&tidy().arrows());
}

#[test]
fn files_stay_within_their_budget() {
    assert_none(&tidy().each_file(file_budget::check));
}

#[test]
fn files_are_named_after_one_noun() {
    assert_none(&tidy().each_file(file_names::check));
}

#[test]
fn nothing_is_left_over() {
    assert_none(&tidy().each_file(leftovers::check));
}

#[test]
fn no_path_of_one_machine() {
    assert_none(&tidy().each_file(machine_paths::check));
}

#[test]
fn module_files_hold_no_logic() {
    assert_none(&tidy().each_file(module_files::check));
}

/// P-7: renaming every state of the default workflow changes no behaviour.
#[test]
fn p_7_no_state_of_the_default_workflow_is_spelled_in_code() {
    assert_none(&tidy().state_names().expect("a default workflow"));
}
