//! `forge project workflow` against the real server (SPEC F-5).

use serde_json::Value;

use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};

#[test]
fn f_5_a_projects_workflow_is_shown_refused_and_replaced() {
    let serving = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
    let mut user = CliUser::at(serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    let run = |arguments: &[&str]| {
        let ended = user.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
        ended.out
    };
    run(&["project", "new", "shop"]);
    run(&["task", "new", "Wait"]);
    let shown = run(&["project", "workflow", "shop"]);
    assert!(shown.starts_with("backlog [queue] (initial)\n  manual       → todo\n"), "{shown}");
    assert!(shown.contains("  exhausted    → blocked\n"), "{shown}");
    let graph = run(&["project", "workflow", "shop", "--mermaid"]);
    assert!(graph.starts_with("flowchart LR\n"), "{graph}");

    let text = run(&["workflow", "show", "no-review", "--toml"]);
    let text = text.replace("\"backlog\"", "\"ideas\"");
    std::fs::write(user.home.path().join("mine.toml"), text).expect("written");
    let refused = user.run(&["project", "workflow", "shop", "mine.toml"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("\"backlog\" (1 task)"), "{}", refused.err);
    assert!(
        refused.err.contains("[workflow_in_use]\nhint: map their states with --map OLD=NEW\n"),
        "{}",
        refused.err
    );
    let told = run(&["project", "workflow", "shop", "mine.toml", "--map", "backlog=ideas"]);
    assert_eq!(told, "Project shop has the workflow no-review now\n");
    let task: Value =
        serde_json::from_str(&run(&["task", "show", "T-1", "--json"])).expect("one document");
    assert_eq!(task["status"], "ideas");
    let back = run(&["project", "workflow", "shop", "default", "--map", "ideas=backlog", "--json"]);
    let project: Value = serde_json::from_str(&back).expect("one document");
    assert_eq!((&project["version"], &project["workflow"]["name"]), (&3.into(), &"default".into()));
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn an_invalid_mapping_is_a_usage_error() {
    let user = CliUser::at("http://127.0.0.1:9");
    for arguments in [
        ["project", "workflow", "shop", "default", "--map", "backlog"].as_slice(),
        &["project", "workflow", "shop", "default", "--map", "=todo"],
        &["project", "workflow", "shop", "--map", "backlog=todo"],
        &["project", "workflow", "shop", "default", "--map", "a=b", "--map", "a=c"],
    ] {
        let ended = user.run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{arguments:?}: {ended:?}");
    }
}
