//! `forge login`, `forge logout` and the credentials file (SPEC S-6).

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::answers::{AT, PROJECT, failure, me, page, project};
use crate::forge::CliUser;
use crate::played_server::StubServer;

const FILE: &str = ".config/forge/credentials.toml";

#[test]
fn s_6_a_piped_token_is_checked_stored_privately_and_used() {
    let server = StubServer::new(|asked| match asked {
        "GET /auth/me" => me(),
        _ => page(json!([project("Alpha")])),
    });
    let user = CliUser::at(&server.url);
    let login = user.pipe("fg_piped_token\n", &["login", "--with-token"]);
    assert_eq!(login.code, 0, "{login:?}");
    assert_eq!(login.out, format!("Signed in to {} as ann\n", server.url));
    let file = user.home.path().join(FILE);
    let mode = fs::metadata(&file).expect("stored").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    assert_eq!(user.run(&["project", "list"]).code, 0);
    let requests = server.requests();
    assert_eq!(requests[0], "GET /auth/me Bearer fg_piped_token");
    assert!(requests[1].contains(" Bearer fg_piped_token"), "{requests:?}");

    let elsewhere = StubServer::new(|_| page(json!([])));
    assert_eq!(user.run(&["--url", &elsewhere.url, "project", "list"]).code, 0);
    assert!(!elsewhere.requests()[0].contains("Bearer"), "a token goes to its own server only");

    let logout = user.run(&["logout"]);
    assert_eq!((logout.code, logout.out), (0, format!("Signed out of {}\n", server.url)));
    assert!(!fs::read_to_string(&file).expect("still there").contains("fg_piped_token"));
    assert_eq!(user.run(&["logout"]).out, format!("Not signed in to {}\n", server.url));
}

#[test]
fn s_6_a_wrong_token_is_not_stored() {
    let server = StubServer::new(|_| failure(401, "unauthorized", json!(null)));
    let user = CliUser::at(&server.url);
    let login = user.pipe("fg_wrong_token", &["login"]);
    assert_eq!(login.code, 4);
    assert!(login.err.contains("the token is wrong: "), "{}", login.err);
    assert!(login.err.contains(&server.url) && login.err.contains("[unauthorized]"), "{login:?}");
    assert!(!login.err.contains("forge login"), "issue 13.22: no advice in a circle: {login:?}");
    assert!(!login.err.contains("fg_wrong_token"), "{}", login.err);
    assert!(!user.home.path().join(FILE).exists());
    assert_eq!(user.pipe("", &["login"]).code, 2);
}

#[test]
fn issue_13_22_a_wrong_password_is_called_wrong() {
    let server = StubServer::new(|_| failure(401, "unauthorized", json!(null)));
    let login = CliUser::at(&server.url).pipe("wrong", &["login", "--name", "ann"]);
    assert_eq!(login.code, 4);
    assert!(login.err.contains("the name or the password is wrong"), "{}", login.err);
}

#[test]
fn issue_13_22_the_server_of_the_last_login_is_the_default() {
    let answers = |asked: &str| match asked {
        "GET /auth/me" => me(),
        _ => page(json!([project("Alpha")])),
    };
    let (first, second) = (StubServer::new(answers), StubServer::new(answers));
    let user = CliUser::new();
    let login = user.pipe("fg_one", &["login", "--url", &first.url]);
    assert_eq!(login.code, 0, "{login:?}");
    assert!(login.err.contains(&format!("go to {} from now on", first.url)), "{login:?}");
    assert_eq!(user.run(&["project", "list"]).code, 0);
    assert!(first.requests()[1].ends_with("Bearer fg_one"), "{:?}", first.requests());
    user.pipe("fg_two", &["login", "--url", &second.url]);
    user.run(&["project", "list"]);
    assert!(second.requests()[1].ends_with("Bearer fg_two"), "{:?}", second.requests());
    user.run(&["--url", &first.url, "project", "list"]);
    assert!(first.requests()[2].ends_with("Bearer fg_one"), "an option goes first");
    user.run(&["logout"]);
    let lost = user.run(&["project", "list"]);
    assert_ne!(lost.code, 0, "the usual address again, where nothing of ours listens: {lost:?}");
}

#[test]
fn s_6_a_password_becomes_a_token_that_logout_revokes() {
    let server = StubServer::new(|asked| match asked {
        "POST /auth/login" => {
            let user = json!({ "id": PROJECT, "name": "ann", "role": "admin", "created_at": AT });
            Some((200, json!({ "user": user })))
        }
        "POST /tokens" => {
            let token = json!({
                "id": PROJECT, "name": "cli", "user_id": PROJECT, "scope": "full", "created_at": AT,
                "last_used_at": null, "expires_at": null, "revoked_at": null,
            });
            Some((201, json!({ "token": token, "secret": "fg_made" })))
        }
        "GET /auth/me" => me(),
        _ => Some((200, json!(null))),
    });
    let user = CliUser::at(&server.url);
    let login = user.pipe("correct horse\n", &["login", "--name", "ann"]);
    assert_eq!(login.code, 0, "{login:?}");
    let logout = user.run(&["logout"]);
    assert_eq!((logout.code, logout.err.as_str()), (0, ""));
    let requests = server.requests();
    assert_eq!(requests[0], r#"POST /auth/login {"name":"ann","password":"correct horse"}"#);
    assert!(requests[1].starts_with("POST /tokens forge_session=abc "), "{requests:?}");
    assert_eq!(requests[2], "POST /auth/logout forge_session=abc");
    assert_eq!(requests[3], "GET /auth/me Bearer fg_made");
    assert_eq!(requests[4], format!("DELETE /tokens/{PROJECT} Bearer fg_made"));
}

#[test]
fn s_6_the_environment_overrides_the_file() {
    let server = StubServer::new(|_| page(json!([])));
    let mut user = CliUser::at(&server.url);
    user.set("FORGE_TOKEN", "fg_from_environment");
    assert_eq!(user.run(&["project", "list"]).code, 0);
    assert!(server.requests()[0].ends_with("Bearer fg_from_environment"));
}

#[test]
fn s_6_a_broken_file_is_named_and_not_quoted() {
    let user = CliUser::at("http://127.0.0.1:1");
    let file = user.home.path().join(FILE);
    fs::create_dir_all(file.parent().expect("a directory")).expect("made");
    fs::write(&file, "[servers\ntoken = \"fg_secret\"").expect("written");
    let ended = user.run(&["project", "list"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("credentials.toml cannot be used"), "{}", ended.err);
    assert!(!ended.err.contains("fg_secret"), "{}", ended.err);
}
