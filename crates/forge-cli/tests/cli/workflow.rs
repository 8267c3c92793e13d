//! `forge workflow`, without a server (SPEC F-5, F-7).

use serde_json::Value;

use crate::forge::CliUser;

const FIVE_MISTAKES: &str = r#"name = "odd"
initial = "ready"
fault = "held"
cancel = "held"

[[state]]
name = "ready"
kind = "queue"
claimable = true
claim_target = "code"

[[state]]
name = "code"
kind = "work"
role = "coder"
done = "nowhere"
pass = "held"

[[state]]
name = "code"
kind = "queue"
manual = ["code"]

[[state]]
name = "held"
kind = "hold"

[[state]]
name = "island"
kind = "terminal"
outcome = "success"
"#;

#[test]
fn f_5_all_problems_are_listed_with_their_lines() {
    let user = CliUser::new();
    std::fs::write(user.home.path().join("odd.toml"), FIVE_MISTAKES).expect("written");
    let ended = user.run(&["workflow", "check", "odd.toml"]);
    assert_eq!((ended.code, ended.err.as_str()), (1, ""));
    insta::assert_snapshot!("five_mistakes", ended.out);

    let ended = user.run(&["workflow", "check", "odd.toml", "--json"]);
    assert_eq!((ended.code, ended.err.as_str()), (1, ""));
    let document: Value = serde_json::from_str(&ended.out).expect("one document");
    assert_eq!(document["valid"], false);
    let problems = document["problems"].as_array().expect("a list");
    assert!(problems.len() >= 5, "{document}");
    assert!(problems.iter().all(|problem| problem["line"].is_u64()), "{document}");
}

#[test]
fn f_7_a_sound_file_is_drawn() {
    let user = CliUser::new();
    let toml = user.run(&["workflow", "show", "no-review", "--toml"]);
    assert_eq!(toml.code, 0);
    let text = user.pipe(&toml.out, &["workflow", "check", "-"]);
    assert_eq!((text.code, text.err.as_str()), (0, "Workflow `no-review` is sound.\n"));
    insta::assert_snapshot!("no_review", text.out);
    let mermaid = user.pipe(&toml.out, &["workflow", "check", "-", "--mermaid", "-q"]);
    assert_eq!(mermaid.err, "");
    assert!(mermaid.out.starts_with("flowchart LR\n"), "{}", mermaid.out);
}

#[test]
fn f_4_the_shipped_workflows_are_listed_and_checked_sound() {
    let user = CliUser::new();
    let list = user.run(&["workflow", "list", "--json"]);
    let definitions: Value = serde_json::from_str(&list.out).expect("one document");
    let definitions = definitions.as_array().expect("a list");
    assert_eq!(definitions.len(), 7);
    for definition in definitions {
        let name = definition["name"].as_str().expect("a name");
        assert_eq!(user.run(&["workflow", "show", name]).code, 0, "{name}");
    }
    let unknown = user.run(&["workflow", "show", "nope"]);
    assert_eq!(unknown.code, 3);
    assert!(unknown.err.contains("hint: workflows: default, "), "{}", unknown.err);
}

#[test]
fn an_unreadable_workflow_file_is_one_problem() {
    let user = CliUser::new();
    let ended = user.pipe("name = 3\n[[state", &["workflow", "check", "-"]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.starts_with("-:2: file: "), "{}", ended.out);
}
