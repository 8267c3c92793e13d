//! Members of a project, on the command line (SPEC S-4, S-6).

use crate::cli_fixture::CliFixture;

#[test]
fn s_6_members_are_listed_added_and_removed_by_name() {
    let fixture = CliFixture::with_project();
    let token = fixture.create_user("bo");
    let bo = fixture.user_with_token(&token);
    let as_bo = |arguments: &[&str]| bo.run_in(&fixture.repo, arguments);
    assert_eq!(as_bo(&["project", "list"]).out, "", "no project of hers yet");

    let added = fixture.run(&["project", "add-member", "widget", "bo"]);
    assert_eq!(added.trim(), "Added bo to widget");
    let listed = fixture.run(&["project", "members", "widget"]);
    assert!(listed.lines().any(|line| line.starts_with("bo ")), "{listed}");
    assert_eq!(as_bo(&["task", "list", "--project", "widget"]).code, 0);

    let removed = fixture.run(&["project", "remove-member", "widget", "bo"]);
    assert_eq!(removed.trim(), "Removed bo from widget");
    let listed = fixture.run(&["project", "members", "widget"]);
    assert!(!listed.contains("bo"), "{listed}");
    assert_eq!(as_bo(&["task", "list", "--project", "widget"]).code, 3, "hidden again");
    fixture.stop();
}

#[test]
fn s_6_an_unknown_user_is_named_with_the_known_ones() {
    let fixture = CliFixture::with_project();
    fixture.create_user("bo");
    let ended = fixture.fail(3, &["project", "add-member", "widget", "carol"]);
    assert!(
        ended.err.contains("there is no user `carol`") && ended.err.contains("bo"),
        "{ended:?}"
    );
    fixture.stop();
}
