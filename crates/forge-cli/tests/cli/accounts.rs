//! `forge whoami`, `forge config` and `forge user add|remove` (SPEC S-4, S-6).

use serde_json::{Value, json};

use crate::cli_fixture::{CREDENTIALS, CliFixture, PASSWORD};
use crate::forge::CliUser;

#[test]
fn s_4_whoami_names_the_user_the_role_and_the_way_in() {
    let fixture = CliFixture::with_project();
    let url = fixture.serving.url();
    assert_eq!(fixture.run(&["whoami"]), format!("admin  admin  by token  on {url}\n"));
    let me = fixture.json(&["whoami"]);
    assert_eq!((&me["user"]["name"], &me["via"]), (&json!("admin"), &json!("token")));
    let ended = CliUser::at(url).run(&["whoami"]);
    assert_eq!(ended.code, 4, "{ended:?}");
    assert!(ended.err.contains("hint: sign in with `forge login`"), "{}", ended.err);
    fixture.stop();
}

#[test]
fn s_4_config_says_where_each_value_comes_from() {
    let mut user = CliUser::new();
    let shown = |user: &CliUser| user.run(&["config"]).out;
    assert!(shown(&user).starts_with("  url         http://127.0.0.1:8080  (default)\n"));
    assert!(shown(&user).contains("  credential  -  (none; sign in with `forge login`)\n"));
    let set = user.run(&["config", "set", "url", "https://forge.example/"]);
    assert_eq!(set.code, 0, "{set:?}");
    assert_eq!(set.out, "Commands without --url go to https://forge.example from now on\n");
    assert!(shown(&user).contains("  url         https://forge.example  (the file below)\n"));
    let file = user.home.path().join(CREDENTIALS);
    assert!(shown(&user).contains(&format!("  file        {}\n", file.display())));
    let option = user.run(&["config", "--url", "http://other:1", "--json"]);
    let document: Value = serde_json::from_str(&option.out).expect("JSON");
    assert_eq!(document["url"], json!({ "value": "http://other:1", "source": "--url" }));
    let unset = user.run(&["config", "unset", "url"]);
    assert!(unset.out.contains("http://127.0.0.1:8080"), "{unset:?}");
    user.set("FORGE_URL", "http://third:2");
    user.set("FORGE_TOKEN", "fg_secret");
    user.set("FORGE_PROJECT", "widget");
    let all = shown(&user);
    assert!(all.contains("http://third:2  (FORGE_URL)"), "{all}");
    assert!(all.contains("token  (FORGE_TOKEN)") && !all.contains("fg_secret"), "{all}");
    assert!(all.contains("widget  (FORGE_PROJECT)"), "{all}");
    for words in [&["config", "set", "url", "nonsense"][..], &["config", "set", "colour", "red"]] {
        assert_eq!(user.run(words).code, 2, "{words:?}");
    }
}

#[test]
fn s_6_an_admin_adds_a_user_by_link_or_password() {
    let fixture = CliFixture::with_project();
    let out = fixture.run(&["user", "add", "Ada"]);
    let url = out.lines().find(|line| line.contains("/welcome#code=")).expect("a link");
    let (_, code) = url.split_once("#code=").expect("a code");
    let answer = fixture.call("POST", "/auth/link", &json!({ "code": code, "password": PASSWORD }));
    assert_eq!(answer["user"]["name"], "Ada");
    let added = fixture.user.pipe(PASSWORD, &["user", "add", "Ben", "--admin", "--password"]);
    assert_eq!((added.code, added.out.as_str()), (0, "Created user Ben, admin\n"), "{added:?}");
    for name in ["Ada", "Ben"] {
        let home = CliUser::at(fixture.serving.url());
        assert_eq!(home.pipe(PASSWORD, &["login", "--name", name]).code, 0, "{name}");
        assert!(home.run(&["whoami"]).out.starts_with(name));
    }
    let twice = fixture.fail(1, &["user", "add", "Ada"]);
    assert!(twice.err.contains("[duplicate]"), "{}", twice.err);
    let list = fixture.run(&["user", "list"]);
    assert!(list.contains("Ada") && list.contains("member"), "{list}");
    fixture.stop();
}

#[test]
fn s_6_a_removed_user_is_signed_out_at_once() {
    let fixture = CliFixture::with_project();
    let token = fixture.create_user("Ada");
    fixture.run(&["project", "add-member", "widget", "Ada"]);
    let ada = fixture.user_with_token(&token);
    assert_eq!(ada.run(&["whoami"]).code, 0);
    let asked = fixture.fail(2, &["user", "remove", "Ada"]);
    assert!(asked.err.contains("hint: add --yes"), "{}", asked.err);
    assert_eq!(ada.run(&["user", "remove", "admin", "--yes"]).code, 4, "a member may not");
    assert_eq!(fixture.run(&["user", "remove", "Ada", "--yes"]), "Removed user Ada\n");
    assert_eq!(ada.run(&["whoami"]).code, 4);
    let own = fixture.fail(4, &["user", "remove", "me", "--yes"]);
    assert!(own.err.contains("Ask another admin"), "{}", own.err);
    fixture.fail(3, &["user", "remove", "Ada", "--yes"]);
    fixture.stop();
}
