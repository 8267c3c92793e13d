//! The command `forge workspace setup` (SPEC W-13).

use serde_json::json;

use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;
use crate::stable_text::stable_text;

#[test]
fn w_13_a_setup_is_shown_with_its_whole_output() {
    let fixture = CliFixture::with_project();
    let prints = r"printf '\033[31mnot found\r\n'; exit 1";
    fixture.change_settings(json!({ "setup": { "commands": [prints], "ports": 2 } }));
    fixture.run(&["task", "new", "Fix"]);
    fixture.run(&["task", "claim", "T-1"]);
    let document = fixture.json(&["workspace", "setup", "T-1"]);
    // Another program of this machine may use the first ports of the range.
    let ports: Vec<_> = document["ports"].as_array().expect("ports").iter().collect();
    let [first, second] = ports.as_slice() else { panic!("{ports:?}") };
    for port in [first, second] {
        assert!((42_000..43_000).contains(&port.as_u64().expect("a number")), "{port}");
    }
    let shown = stable_text(&fixture.run(&["workspace", "setup", "T-1"]));
    let shown = shown.replace(&format!("{first}, {second}"), "FIRST, SECOND");
    insta::assert_snapshot!("workspace_setup", shown);
    assert_eq!(document["log"]["text"], format!("$ {prints}\n\u{1b}[31mnot found\r\n"));
    fixture.stop();
}

#[test]
fn w_13_a_log_in_several_parts_is_shown_as_one() {
    let fixture = CliFixture::with_project();
    // More than the server puts into one answer.
    fixture.change_settings(json!({ "setup": { "commands": ["seq 1 300000"] } }));
    fixture.run(&["task", "new", "Fix"]);
    fixture.run(&["task", "claim", "T-1"]);
    let document = fixture.json(&["workspace", "setup", "T-1"]);
    let text = document["log"]["text"].as_str().expect("text");
    let numbers: Vec<u32> =
        text.lines().skip(1).map(|line| line.parse().expect("a number")).collect();
    assert_eq!(numbers, (1..=300_000).collect::<Vec<_>>());
    assert_eq!(document["log"]["end"], true);
    fixture.stop();
}

#[test]
fn s_4_the_help_explains_the_setup() {
    let ended = CliUser::new().run(&["workspace", "setup", "--help"]);
    assert_eq!(ended.code, 0);
    assert!(ended.out.contains("how the setup of a task's workspace went"), "{}", ended.out);
    let list = CliUser::new().run(&["workspace", "--help"]);
    assert!(list.out.contains("setup"), "{}", list.out);
}
