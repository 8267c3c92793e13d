//! The project rules, applied to this workspace. Each rule's file proves that it catches a planted violation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use xtask::rule_violation::RuleViolation;
use xtask::rules::{
    banned_pronouns, file_budget, file_names, folder_size, leftovers, machine_paths,
    module_comments, module_files, short_docs, type_names,
};
use xtask::tidy::TidyCheck;

fn tidy() -> TidyCheck {
    TidyCheck::load(Path::new(".")).expect("a readable workspace")
}

fn assert_none(offences: &[RuleViolation]) {
    let lines: Vec<_> = offences.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} offence(s):\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn crates_follow_the_arrows() {
    assert_none(&tidy().check_dependencies());
}

#[test]
fn files_stay_within_their_budget() {
    assert_none(&tidy().check_files(file_budget::check));
}

#[test]
fn files_are_named_after_one_noun() {
    assert_none(&tidy().check_files(file_names::check));
}

#[test]
fn no_leftovers_remain() {
    assert_none(&tidy().check_files(leftovers::check));
}

#[test]
fn no_path_of_one_machine() {
    assert_none(&tidy().check_files(machine_paths::check));
}

#[test]
fn module_files_hold_no_logic() {
    assert_none(&tidy().check_files(module_files::check));
}

#[test]
fn prose_names_its_subject() {
    assert_none(&tidy().check_files(banned_pronouns::check));
}

#[test]
fn doc_comments_have_three_words_or_more() {
    assert_none(&tidy().check_files(short_docs::check));
}

#[test]
fn type_names_have_one_meaning() {
    assert_none(&tidy().check_tree(type_names::check));
}

#[test]
fn folders_begin_with_a_comment() {
    assert_none(&tidy().check_files(module_comments::check));
}

#[test]
fn folders_stay_small() {
    assert_none(&tidy().check_tree(folder_size::check));
}

#[test]
fn commit_subjects_have_an_area_and_fit_on_one_line() {
    assert_none(&tidy().check_commits().expect("a readable history"));
}

/// P-7: renaming every state of the default workflow changes no behaviour.
#[test]
fn p_7_no_state_of_the_default_workflow_is_spelled_in_code() {
    assert_none(&tidy().check_state_names().expect("a default workflow"));
}
