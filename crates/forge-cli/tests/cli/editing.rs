//! `forge task edit`, `new` in an editor, and `delete` (SPEC S-4, P-1).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::cli_fixture::CliFixture;
use crate::forge::{CliUser, search_path};

/// A program that edits the file of its last argument like this shell script, as `$1`.
fn editor(fixture: &mut CliFixture, script: &str) -> PathBuf {
    let path = fixture.user.home.path().join("editor.sh");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("executable");
    fixture.user.set("PATH", &search_path());
    fixture.user.set("EDITOR", path.to_str().expect("UTF-8"));
    path
}

/// The file that an error names as the place of the typed text.
fn kept_file(err: &str) -> PathBuf {
    let line = err.lines().find_map(|line| line.strip_prefix("hint: your text is in "));
    Path::new(line.unwrap_or_else(|| panic!("a file: {err}"))).to_owned()
}

#[test]
fn s_4_edit_changes_the_named_fields_only() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Old", "-d", "Long", "-l", "a", "--ci", "make"]);
    let edit = ["task", "edit", "T-1", "--title", "New", "--priority", "-2", "--label", "b"];
    let checks = ["--ci", "true", "--target", "main"];
    assert_eq!(fixture.run(&[&edit[..], &checks[..]].concat()), "T-1  changed  New\n");
    let task = fixture.json(&["task", "show", "T-1"]);
    assert_eq!((&task["title"], &task["description"]), (&json!("New"), &json!("Long")));
    assert_eq!((&task["priority"], &task["labels"]), (&json!(-2), &json!(["b"])));
    assert_eq!(task["review_config"]["ci_steps"], json!(["true"]));
    assert_eq!(task["merge_config"]["target_branch"], "main");
    fixture.run(&["task", "edit", "T-1", "--no-labels", "--no-ci", "--default-target"]);
    let task = fixture.json(&["task", "show", "T-1"]);
    assert_eq!((&task["labels"], &task["title"]), (&json!([]), &json!("New")));
    assert_eq!(task["review_config"]["ci_steps"], json!([]));
    assert_eq!(task["merge_config"]["target_branch"], json!(null));
    let refused = fixture.fail(1, &["task", "edit", "T-1", "--title", ""]);
    assert!(refused.err.contains("[invalid_field]"), "{}", refused.err);
    fixture.stop();
}

#[test]
fn s_4_edit_without_options_opens_the_editor() {
    let mut fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Old title", "-d", "First line"]);
    editor(
        &mut fixture,
        r#"cp "$1" "$HOME/seen"; sed -i '1s/.*/New title/; s/First/Second/' "$1""#,
    );
    assert_eq!(fixture.run(&["task", "edit", "T-1"]), "T-1  changed  New title\n");
    let seen = fs::read_to_string(fixture.user.home.path().join("seen")).expect("the editor ran");
    assert!(seen.starts_with("Old title\n\nFirst line\n---"), "{seen}");
    let task = fixture.json(&["task", "show", "T-1"]);
    assert_eq!(
        (&task["title"], &task["description"]),
        (&json!("New title"), &json!("Second line"))
    );
    editor(&mut fixture, ":");
    assert_eq!(fixture.run(&["task", "edit", "T-1"]), "T-1  unchanged\n");
    assert_eq!(fixture.json(&["task", "show", "T-1"])["version"], 2);
    fixture.stop();
}

#[test]
fn s_4_a_refused_edit_keeps_what_was_typed() {
    let mut fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Old"]);
    let binary = env!("CARGO_BIN_EXE_forge");
    // While the editor is open, the task changes.
    let script =
        format!("{binary} task edit T-1 --title Other >/dev/null && sed -i '1s/.*/Mine/' \"$1\"");
    editor(&mut fixture, &script);
    let refused = fixture.fail(1, &["task", "edit", "T-1"]);
    assert!(refused.err.contains("[version_conflict]"), "{}", refused.err);
    let kept = kept_file(&refused.err);
    assert!(fs::read_to_string(&kept).expect("kept").starts_with("Mine\n"));
    fs::remove_file(kept).expect("removed");
    editor(&mut fixture, "exit 3");
    let refused = fixture.fail(2, &["task", "edit", "T-1"]);
    assert!(refused.err.contains("the editor ended with an error"), "{}", refused.err);
    fs::remove_file(kept_file(&refused.err)).expect("kept");
    assert_eq!(fixture.json(&["task", "show", "T-1"])["title"], "Other");
    fixture.stop();
}

#[test]
fn s_4_without_an_editor_or_a_terminal_the_options_are_named() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "One"]);
    for words in [&["task", "edit", "T-1"][..], &["task", "new"]] {
        let refused = fixture.fail(2, words);
        assert!(
            refused.err.contains("there is no terminal to open an editor on"),
            "{}",
            refused.err
        );
        assert!(refused.err.contains("hint: set VISUAL or EDITOR"), "{}", refused.err);
    }
    fixture.stop();
}

#[test]
fn s_4_a_new_task_is_written_in_the_editor() {
    let mut fixture = CliFixture::with_project();
    editor(&mut fixture, r#"printf 'From the editor\n\n# Why\n\nBecause\n' > "$1""#);
    let out = fixture.run(&["task", "new", "-q"]);
    assert_eq!(out, "T-1  backlog  From the editor\n");
    assert_eq!(fixture.json(&["task", "show", "T-1"])["description"], "# Why\n\nBecause");
    editor(&mut fixture, r#"sed -i '2a Added' "$1""#);
    fixture.run(&["task", "new", "Given", "--edit", "-q"]);
    assert_eq!(fixture.json(&["task", "show", "T-2"])["title"], "Given");
    assert_eq!(fixture.json(&["task", "show", "T-2"])["description"], "Added");
    editor(&mut fixture, r#": > "$1""#);
    let refused = fixture.fail(2, &["task", "new"]);
    assert!(refused.err.contains("the text has no title"), "{}", refused.err);
    fs::remove_file(kept_file(&refused.err)).expect("kept");
    fixture.stop();
}

#[test]
fn p_1_delete_asks_and_refuses_work() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Mistake"]);
    fixture.run(&["task", "new", "Begun"]);
    fixture.run(&["task", "claim", "T-2"]);
    let asked = fixture.fail(2, &["task", "delete", "T-1"]);
    assert!(asked.err.contains("hint: add --yes to confirm"), "{}", asked.err);
    assert_eq!(fixture.run(&["task", "delete", "T-1", "--yes"]), "T-1  deleted  Mistake\n");
    fixture.fail(3, &["task", "show", "T-1"]);
    let refused = fixture.fail(1, &["task", "rm", "T-2", "-y"]);
    assert!(refused.err.contains("T-2 cannot be deleted: it had a workspace"), "{}", refused.err);
    assert!(refused.err.contains("`forge task archive T-2`) [not_deletable]"), "{}", refused.err);
    let other = CliUser::new();
    assert_eq!(other.run(&["--url", "http://127.0.0.1:1", "task", "delete", "T-2", "-y"]).code, 5);
    fixture.stop();
}
