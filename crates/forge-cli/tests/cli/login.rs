//! `forge login`, `forge logout` and the credentials file (SPEC S-6).

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::answers::page;
use crate::cli_fixture::{CREDENTIALS, CliFixture, PASSWORD, send_request};
use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};
use crate::stub_server::StubServer;

const OTHER_TOKEN: &str = "fg_fedcba9876543210fedcba9876543210";

#[test]
fn s_6_a_piped_token_is_checked_stored_privately_and_used() {
    let server = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
    let user = CliUser::at(server.url());
    assert_eq!(user.run(&["project", "list"]).code, 4, "nothing is stored yet");
    let login = user.pipe(&format!("{TOKEN}\n"), &["login", "--with-token"]);
    assert_eq!(login.code, 0, "{login:?}");
    assert_eq!(login.out, format!("Signed in to {} as admin\n", server.url()));
    let file = user.home.path().join(CREDENTIALS);
    let mode = fs::metadata(&file).expect("stored").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(user.run(&["project", "list"]).code, 0);

    // Another program, which notes what it is sent.
    let elsewhere = StubServer::new(|_| page(json!([])));
    assert_eq!(user.run(&["--url", &elsewhere.url, "project", "list"]).code, 0);
    assert!(!elsewhere.requests()[0].contains("Bearer"), "a token goes to its own server only");

    let logout = user.run(&["logout"]);
    assert_eq!((logout.code, logout.out), (0, format!("Signed out of {}\n", server.url())));
    assert!(!fs::read_to_string(&file).expect("still there").contains(TOKEN));
    assert_eq!(user.run(&["logout"]).out, format!("Not signed in to {}\n", server.url()));
    assert_eq!(user.run(&["project", "list"]).code, 4);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn s_6_a_wrong_token_is_not_stored() {
    let server = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
    let user = CliUser::at(server.url());
    let login = user.pipe(OTHER_TOKEN, &["login"]);
    assert_eq!(login.code, 4);
    assert!(login.err.contains("the token is wrong: "), "{}", login.err);
    assert!(login.err.contains(server.url()), "{login:?}");
    assert!(login.err.contains("[unauthorized]"), "{login:?}");
    assert!(!login.err.contains("forge login"), "issue 13.22: no advice in a circle: {login:?}");
    assert!(!login.err.contains(OTHER_TOKEN), "{}", login.err);
    assert!(!user.home.path().join(CREDENTIALS).exists());
    assert_eq!(user.pipe("", &["login"]).code, 2);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn issue_13_22_a_wrong_password_is_called_wrong() {
    let fixture = CliFixture::start();
    fixture.create_user("ann");
    let login = CliUser::at(fixture.serving.url()).pipe("wrong", &["login", "--name", "ann"]);
    assert_eq!(login.code, 4);
    assert!(login.err.contains("the name or the password is wrong"), "{}", login.err);
    fixture.stop();
}

#[test]
fn issue_13_22_the_server_of_the_last_login_is_the_default() {
    let servers = [("first", TOKEN), ("second", OTHER_TOKEN)].map(|(project, token)| {
        let server = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", token)]);
        send_request(server.url(), token, "POST", "/projects", &json!({ "name": project }));
        server
    });
    let [first, second] = &servers;
    let user = CliUser::new();
    let lists = |arguments: &[&str], project: &str| {
        let ended = user.run(arguments);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(ended.out.contains(project), "{arguments:?}: {}", ended.out);
    };
    let login = user.pipe(TOKEN, &["login", "--url", first.url()]);
    assert_eq!(login.code, 0, "{login:?}");
    assert!(login.err.contains(&format!("go to {} from now on", first.url())), "{login:?}");
    lists(&["project", "list"], "first");
    user.pipe(OTHER_TOKEN, &["login", "--url", second.url()]);
    lists(&["project", "list"], "second");
    // An option goes first, and each server gets its own token.
    lists(&["--url", first.url(), "project", "list"], "first");
    user.run(&["logout"]);
    let lost = user.run(&["project", "list"]);
    assert_ne!(lost.code, 0, "the usual address again, where nothing of ours listens: {lost:?}");
    for server in servers {
        assert_eq!(server.stop(), Some(0));
    }
}

#[test]
fn s_6_a_password_becomes_a_token_that_logout_revokes() {
    let fixture = CliFixture::start();
    fixture.call("POST", "/users", &json!({ "name": "ann", "password": PASSWORD }));
    let user = CliUser::at(fixture.serving.url());
    let login = user.pipe(&format!("{PASSWORD}\n"), &["login", "--name", "ann"]);
    assert_eq!(login.code, 0, "{login:?}");
    assert_eq!(login.out, format!("Signed in to {} as ann\n", fixture.serving.url()));
    let stored = fs::read_to_string(user.home.path().join(CREDENTIALS)).expect("stored");
    assert!(!stored.contains(PASSWORD), "a token instead of the password");
    let token = stored.lines().find_map(|line| line.trim().strip_prefix("token = "));
    let copy = fixture.user_with_token(token.expect("a token").trim_matches('"'));
    assert_eq!(copy.run(&["project", "list"]).code, 0, "the token works");
    let logout = user.run(&["logout"]);
    assert_eq!((logout.code, logout.err.as_str()), (0, ""));
    assert_eq!(copy.run(&["project", "list"]).code, 4, "and is revoked");
    fixture.stop();
}

#[test]
fn s_6_the_environment_overrides_the_file() {
    let fixture = CliFixture::start();
    fixture.create_user("ann");
    let mut user = CliUser::at(fixture.serving.url());
    assert_eq!(user.pipe(PASSWORD, &["login", "--name", "ann"]).code, 0);
    let caller = |user: &CliUser| {
        let ended = user.run(&["doctor", "--json"]).out;
        let report: serde_json::Value = serde_json::from_str(&ended).expect("one document");
        let findings = report["findings"].as_array().expect("a list").iter();
        let mut tokens = findings.filter(|finding| finding["name"] == "token");
        tokens.next().expect("a finding")["message"].as_str().expect("text").to_owned()
    };
    assert_eq!(caller(&user), "works, as ann");
    user.set("FORGE_TOKEN", TOKEN);
    assert_eq!(caller(&user), "works, as admin");
    fixture.stop();
}

#[test]
fn s_6_a_broken_file_is_named_and_not_quoted() {
    let user = CliUser::at("http://127.0.0.1:1");
    let file = user.home.path().join(CREDENTIALS);
    fs::create_dir_all(file.parent().expect("a directory")).expect("made");
    fs::write(&file, "[servers\ntoken = \"fg_secret\"").expect("written");
    let ended = user.run(&["project", "list"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("credentials.toml cannot be used"), "{}", ended.err);
    assert!(!ended.err.contains("fg_secret"), "{}", ended.err);
}
