//! The command `forge repo` (SPEC S-4, M-15).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, failure, page, project};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn repo(id: &str, name: &str) -> Value {
    json!({ "id": id, "project_id": PROJECT, "name": name, "path": format!("/src/{name}"), "url": null,
            "default_branch": "main", "primary": true, "created_at": AT })
}

fn answer(asked: &str) -> Option<(u16, Value)> {
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    if asked.starts_with(&format!("GET /projects/{PROJECT}/repos?")) {
        return page(json!([repo(TASK, "shop")]));
    }
    let (method, rest) = asked.split_once(' ')?;
    let remote = json!({ "url": "https://example.org/shop.git", "push": true,
                         "installation_id": null, "has_token": false });
    match (method, rest.strip_prefix(&format!("/projects/{PROJECT}/repos/{TASK}"))?) {
        ("DELETE", "") => failure(409, "repo_in_use", json!({ "tasks": ["T-3"] })),
        ("DELETE" | "PUT", "/credential") => Some((204, Value::String(String::new()))),
        ("PATCH" | "GET", "/remote") => Some((200, remote)),
        _ => None,
    }
}

#[test]
fn m_15_pushing_and_the_token_are_set_without_a_token_argument() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let ended = user.run(&["repo", "push", "on"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(ended.out, "What lands in shop is pushed to https://example.org/shop.git\n");
    let file = user.home.path().join("token");
    std::fs::write(&file, "hunter2hunter2\n").expect("written");
    let named = format!("@{}", file.display());
    for ended in [
        user.run(&["repo", "token", "set", &named, "--user-name", "me"]),
        user.pipe("hunter2hunter2\n", &["repo", "token", "set", "--repo", "shop"]),
        user.run(&["repo", "token", "remove"]),
    ] {
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(!format!("{ended:?}").contains("hunter2"), "{ended:?}");
    }
    let refused = user.run(&["repo", "token", "set", "hunter2hunter2"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("can be read by others"), "{}", refused.err);
    let changes: Vec<_> = server.requests();
    let changes: Vec<_> = changes
        .iter()
        .filter(|request| !request.starts_with("GET"))
        .map(|request| request.replace(&format!("/projects/{PROJECT}/repos/{TASK}"), ""))
        .collect();
    let set = r#"PUT /credential {"token":"hunter2hunter2","user_name":"#;
    assert_eq!(
        changes,
        [
            r#"PATCH /remote {"push":true}"#.to_owned(),
            format!(r#"{set}"me"}}"#),
            format!("{set}null}}"),
            "DELETE /credential".to_owned(),
        ]
    );
}

#[test]
fn s_4_removing_a_repository_needs_confirmation_and_reports_a_refusal() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let asked = user.run(&["repo", "remove", "shop"]);
    assert_eq!(asked.code, 2, "{asked:?}");
    let refused = user.run(&["repo", "remove", "shop", "--yes"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("repo_in_use"), "{}", refused.err);
    let unknown = user.run(&["repo", "remove", "shed", "--yes"]);
    assert!(unknown.err.contains("repositories: shop"), "{}", unknown.err);
}
