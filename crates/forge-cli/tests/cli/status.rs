//! `forge status` (SPEC S-4).

use crate::cli_fixture::{CliFixture, wait_for_writer};

#[test]
fn s_4_status_is_one_screen_with_the_next_commands() {
    let fixture = CliFixture::with_project();
    let none = fixture.run(&["status"]);
    assert!(none.starts_with("Needs you  none\n\nWorking  none\n"), "{none}");
    let up = fixture.make_pipe("up");
    fixture.add_agent("ada", "echo x > \"$FORGE_TASK_ID\"");
    fixture.add_agent("bob", "echo up > \"$HOME/up\"; exec tail -f /dev/null");
    fixture.finish_task("T-1", "Land me", "ada");
    fixture.run(&["task", "move", "T-1", "merging"]);
    fixture.finish_task("T-2", "Review me", "ada");
    fixture.start_task("T-3", "Add tests", "bob");
    wait_for_writer(&up);
    fixture.run(&["task", "new", "Queue me"]);
    fixture.run(&["task", "move", "T-4", "todo"]);
    fixture.run(&["task", "new", "Later"]);
    fixture.wait_until("T-1", |task| task.landing.is_some() && task.busy.is_none());
    let status = fixture.run(&["status"]);
    insta::assert_snapshot!("status", status);
    assert!(status.lines().all(|line| line.chars().count() <= 80), "{status}");
    let document = fixture.json(&["status"]);
    assert_eq!(document["queued"]["tasks"][0]["key"], "T-4", "{document}");
    fixture.run(&["task", "stop", "T-3"]);
    fixture.stop();
}
