//! `forge doctor` about the server's last start (SPEC E-12, W-10).

use serde_json::Value;

use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;

fn orphans_finding(user: &CliUser) -> Option<Value> {
    let ended = user.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&ended.out).expect("one document");
    let findings = report["findings"].as_array().expect("a list").clone();
    assert!(findings.iter().any(|finding| finding["name"] == "token"), "{report}");
    findings.into_iter().find(|finding| finding["name"] == "orphans")
}

#[test]
fn w_10_the_doctor_names_orphans_of_the_last_start() {
    let fixture = CliFixture::start();
    assert_eq!(orphans_finding(&fixture.user), None, "there are none");
    for name in ["lost", "lost-too"] {
        std::fs::create_dir_all(fixture.workspaces().join(name)).expect("made");
    }
    let fixture = fixture.restart();
    let found = orphans_finding(&fixture.user).expect("a finding");
    assert_eq!(found["verdict"], "warn");
    let message = found["message"].as_str().expect("text");
    assert!(message.contains('2') && message.contains("/data/workspaces/lost"), "{message}");
    assert!(found["next"].as_str().expect("text").contains("forge workspace orphans"));

    let token = fixture.create_user("bo");
    let bo = fixture.user_with_token(&token);
    assert_eq!(orphans_finding(&bo), None, "only admins see them");
    fixture.stop();
}
