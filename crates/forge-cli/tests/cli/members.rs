//! Members of a project, on the command line (SPEC S-4, S-6).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, me, page, project};
use crate::forge::CliUser;
use crate::played_server::StubServer;

const BO: &str = "01900000-0000-7000-8000-0000000000b0";

fn answer(asked: &str) -> Option<(u16, Value)> {
    let member = json!({ "user_id": BO, "name": "bo", "created_at": AT });
    let members = format!("/projects/{PROJECT}/members");
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    if asked.starts_with(&format!("GET {members}?")) {
        return page(json!([member]));
    }
    if asked.starts_with("GET /users?") {
        return page(json!([{ "id": BO, "name": "bo", "role": "member", "created_at": AT }]));
    }
    match asked {
        "GET /auth/me" => me(),
        asked if asked == format!("POST {members}") => Some((201, member)),
        asked if asked == format!("DELETE {members}/{BO}") => {
            Some((204, Value::String(String::new())))
        }
        _ => None,
    }
}

#[test]
fn s_6_members_are_listed_added_and_removed_by_name() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let listed = user.run(&["project", "members", "Alpha"]);
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(listed.out.contains("bo"), "{listed:?}");
    let added = user.run(&["project", "add-member", "Alpha", "bo"]);
    assert_eq!((added.code, added.out.trim()), (0, "Added bo to Alpha"), "{added:?}");
    let removed = user.run(&["project", "remove-member", "Alpha", "bo"]);
    assert_eq!((removed.code, removed.out.trim()), (0, "Removed bo from Alpha"), "{removed:?}");
    let requests = server.requests();
    let sent = |line: &str| requests.iter().any(|request| request.starts_with(line));
    assert!(sent(&format!("POST /projects/{PROJECT}/members")), "{requests:?}");
    assert!(requests.iter().any(|request| request.contains(&format!(r#"{{"user_id":"{BO}"}}"#))));
    assert!(sent(&format!("DELETE /projects/{PROJECT}/members/{BO}")), "{requests:?}");
}

#[test]
fn s_6_an_unknown_user_is_named_with_the_known_ones() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["project", "add-member", "Alpha", "carol"]);
    assert_ne!(ended.code, 0);
    assert!(
        ended.err.contains("there is no user `carol`") && ended.err.contains("bo"),
        "{ended:?}"
    );
}
