//! Rebase, revert and regressions on the command line, and the report of a landing (SPEC M-9, M-10).

use crate::cli_fixture::CliFixture;
use crate::stable_text::stable_text;

/// Writes the task's number into a file, and leaves a nested repository that no commit contains.
const NESTED: &str = r#"echo "$FORGE_TASK_ID" > a.rs; echo nested > .gitignore
git init -q nested; git -C nested -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m Begin"#;

#[test]
fn m_9_m_10_the_result_of_the_work_is_shown_and_can_be_reverted() {
    let fixture = CliFixture::start();
    fixture.commit("a.rs", "begun\n");
    fixture.run(&["init"]);
    fixture.add_agent("ada", NESTED);
    fixture.add_agent("bob", "cat > \"$HOME/prompt\"; echo \"$FORGE_TASK_ID\" > a.rs");
    fixture.finish_task("T-1", "Fix", "ada");
    fixture.finish_task("T-2", "Also", "bob");

    let said = fixture.run(&["task", "move", "T-1", "merging"]);
    let (landed, cleaned) = said.split_once("  removed: ").expect("what was removed");
    assert_eq!(stable_text(landed), "T-1  done\n  landed: 0123456789 on main\n");
    let kept = "worktree, branch, git's entry; nested; its files are in ";
    assert!(cleaned.starts_with(kept), "{said}");

    let said = fixture.run(&["task", "rebase", "T-2", "--message", "keep both"]);
    assert_eq!(said, "T-2  in_progress\n  conflicts with main are in its workspace, in: a.rs\n");
    fixture.wait_until_passed("T-2");
    let prompt = std::fs::read_to_string(fixture.serving.home().join("prompt")).expect("text");
    assert!(prompt.contains("keep both"), "the message reaches the agent: {prompt}");
    fixture.run(&["task", "move", "T-2", "merging"]);

    let said = fixture.run(&["task", "revert", "T-1"]);
    assert!(said.starts_with("T-3  "), "{said}");
    assert!(said.contains("  Revert \"Fix\"\n"), "{said}");
    assert!(said.contains("later changes conflict with it, in: a.rs"), "{said}");
    let said = fixture.run(&["task", "revert", "T-1"]);
    assert!(said.contains("\n  already reverts it\n"), "{said}");
    let said = fixture.run(&["task", "regressed", "T-1", "--reason", "slow"]);
    assert_eq!(said, "T-4  todo  Fix what \"Fix\" broke\n");
    let said = fixture.run(&["task", "regressed", "T-1", "--reason", "slow"]);
    assert_eq!(said, "T-4  todo  Fix what \"Fix\" broke\n  already fixes it\n");
    fixture.fail(2, &["task", "regressed", "T-1"]);
    fixture.stop();
}
