//! The command `forge journal` (SPEC W-14).

use forge_api::EventType;

use crate::cli_fixture::{CliFixture, release_reader, wait_for_writer};
use crate::forge::CliUser;
use crate::stable_text::stable_text;
use crate::walk::git;

/// Replaces a tracked file by a named pipe, which no entry can contain, and later by another file. Each change is one
/// rename, so that no entry contains half of it.
const SCRIPT: &str = r#"tracked=$(printf 'pipe\033[2J'); mkfifo "$HOME/next"; mv "$HOME/next" "$tracked"
cat "$HOME/first"; echo new > "$HOME/next"; mv -f "$HOME/next" "$tracked"; cat "$HOME/second""#;

/// The entries of a task at work, and of its workspace that is damaged and then gone.
#[test]
fn w_14_the_journal_is_listed() {
    let fixture = CliFixture::start_with(&[("FORGE_JOURNAL_SECONDS", "1")]);
    fixture.commit("pipe\u{1b}[2J", "tracked\n");
    fixture.run(&["init"]);
    let [first, second] = ["first", "second"].map(|name| fixture.make_pipe(name));
    fixture.add_agent("ada", SCRIPT);
    fixture.start_task("T-1", "Fix", "ada");
    for (count, pipe) in [(1, &first), (2, &second)] {
        fixture.wait_for_events(EventType::JournalRecorded, count);
        release_reader(pipe);
    }
    fixture.wait_until_passed("T-1");
    let workspace = fixture.workspace("T-1");
    std::fs::remove_file(workspace.join(".git")).expect("removed");
    fixture.fail(1, &["task", "move", "T-1", "in_progress"]);
    std::fs::rename(&workspace, fixture.user.home.path().join("taken")).expect("moved away");
    std::fs::write(&workspace, "not a directory").expect("written");
    fixture.run(&["workspace", "reset", "T-1", "--yes"]);
    let listed = fixture.run(&["journal", "T-1"]);
    insta::assert_snapshot!("journal_list", stable_text(&listed));
    assert_eq!(fixture.run(&["journal", "T-1", "list"]), listed);
    fixture.stop();
}

#[test]
fn w_14_an_entry_is_shown_restored_and_forked() {
    let fixture = CliFixture::with_project();
    let [up, go] = ["up", "go"].map(|name| fixture.make_pipe(name));
    let again = "echo up > \"$HOME/up\"; cat \"$HOME/go\"; echo new > a";
    fixture.add_agent("ada", &format!("if [ -e a ]; then {again}; else echo old > a; fi"));
    fixture.finish_task("T-1", "Fix", "ada");
    fixture.run(&["task", "follow-up", "T-1", "once more"]);
    wait_for_writer(&up);
    let locked = fixture.fail(1, &["journal", "T-1", "restore", "1"]);
    assert!(locked.err.contains("[workspace_locked]"), "{}", locked.err);
    release_reader(&go);
    fixture.wait_until_passed("T-1");
    let listed = fixture.run(&["journal", "T-1"]);
    assert_eq!(listed.matches("  turn ended  forge/1-fix  ").count(), 2, "{listed}");
    let changes = |against: &str, lines: &str| {
        let patch = fixture.run(&["journal", "T-1", "diff", "2", "--against", against]);
        assert!(patch.starts_with("diff --git a/a b/a\n"), "{patch}");
        assert!(patch.ends_with(lines), "{against}: {patch}");
    };
    changes("base", "@@ -0,0 +1 @@\n+new\n");
    changes("previous", "@@ -1 +1 @@\n-old\n+new\n");

    let worked = git(&fixture.repo, &["rev-parse", "forge/1-fix"]);
    let restored = fixture.run(&["journal", "T-1", "restore", "1"]);
    assert_eq!(restored, "Restored entry 1; what was there before is entry 3\n");
    let content = || std::fs::read_to_string(fixture.workspace("T-1").join("a")).expect("a file");
    assert_eq!(content(), "old\n");
    assert_eq!(git(&fixture.repo, &["rev-parse", "forge/1-fix"]), worked, "the branch stays");
    fixture.run(&["journal", "T-1", "restore", "1", "--move-branch"]);
    let moved = git(&fixture.repo, &["rev-parse", "forge/1-fix"]);
    assert_eq!(moved, git(&fixture.repo, &["rev-parse", "main"]), "the commit of entry 1");

    let forked = fixture.run(&["journal", "T-1", "fork", "1", "--title", "Another way"]);
    assert_eq!(forked, "T-2  backlog  Another way\n");
    fixture.fail(3, &["journal", "T-1", "restore", "99"]);
    for wrong in [&["journal"][..], &["journal", "T-1", "diff", "x"], &["journal", "what"]] {
        assert_eq!(CliUser::new().run(wrong).code, 2, "{wrong:?}");
    }
    fixture.stop();
}
