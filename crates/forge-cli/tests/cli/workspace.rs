//! Cleanup of workspaces on the command line (SPEC W-7, W-9, W-10).

use crate::cli_fixture::{CliFixture, wait_for_writer};
use crate::stable_text::stable_table;

#[test]
fn w_9_a_reset_asks_unless_confirmed() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "echo x > f.txt");
    fixture.finish_task("T-1", "Fix", "ada");
    let asked = fixture.fail(2, &["workspace", "reset", "T-1"]);
    assert!(asked.err.contains("--yes"), "{asked:?}");
    assert!(fixture.workspace("T-1").join("f.txt").exists(), "nothing was done");
    let done = fixture.fail(0, &["workspace", "reset", "T-1", "--yes"]);
    assert_eq!(done.out, "T-1  todo\n", "{done:?}");
    assert!(done.err.contains("forge task claim T-1"), "{done:?}");
    assert!(!fixture.workspace("T-1").join("f.txt").exists(), "the work is out of the workspace");
    fixture.stop();
}

#[test]
fn w_7_a_removal_names_each_workspace_and_why() {
    let fixture = CliFixture::with_project();
    let up = fixture.make_pipe("up");
    fixture.add_agent("ada", "echo up > \"$HOME/up\"; exec tail -f /dev/null");
    fixture.run(&["task", "new", "Fix"]);
    fixture.run(&["task", "claim", "T-1"]);
    let workspace = fixture.workspace("T-1");
    std::fs::write(workspace.join("notes.txt"), "not committed\n").expect("written");
    fixture.run(&["task", "cancel", "T-1"]);
    fixture.start_task("T-2", "Work", "ada");
    wait_for_writer(&up);
    let lost = fixture.workspaces().join("lost");
    std::fs::create_dir(&lost).expect("made");

    let stable = |text: &str| stable_table(text, fixture.serving.home());
    let all = fixture.run(&["workspace", "clean", "--dry-run"]);
    insta::assert_snapshot!("workspace_clean", stable(&all));
    let one = fixture.run(&["workspace", "clean", "-n", "T-1"]);
    assert!(one.contains("would go") && one.contains("refs/forge/journal/"), "{one}");
    let held = fixture.run(&["workspace", "clean", "-n", "T-2"]);
    insta::assert_snapshot!("workspace_stays", stable(&held));
    assert!(workspace.is_dir() && lost.is_dir(), "nothing was removed");
    fixture.run(&["workspace", "clean", "T-1"]);
    assert!(!workspace.exists(), "without the option it goes");
    fixture.run(&["task", "stop", "T-2"]);
    fixture.stop();
}

#[test]
fn w_10_orphans_are_listed_with_their_details() {
    let fixture = CliFixture::with_project();
    // Sparse: a size class of its own without bytes on the disk.
    let lost = fixture.workspaces().join("lost");
    std::fs::create_dir_all(&lost).expect("made");
    let big = std::fs::File::create(lost.join("big")).expect("a file");
    big.set_len(50 << 20).expect("a size");
    let home = fixture.serving.home().to_str().expect("text");
    let listed = fixture.run(&["workspace", "orphans"]).replace(home, "");
    let listed: Vec<&str> = listed.lines().collect();
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert!(listed[0].starts_with("PLACE "), "{listed:?}");
    let cells: Vec<&str> = listed[1].split("  ").filter(|cell| !cell.is_empty()).collect();
    let [place, size, changed, record, why] = cells[..] else { panic!("{cells:?}") };
    assert_eq!(changed.trim(), "just now");
    assert_eq!((place, size, record.trim()), ("/data/workspaces/lost", "< 1 GiB", "none"));
    assert_eq!(why.trim(), "no task has it as its workspace");
    fixture.stop();
}
