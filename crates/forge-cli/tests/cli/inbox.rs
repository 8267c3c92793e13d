//! The inbox, project checks and reviewers, against the real server (issue 13.19, T-28).

use serde_json::Value;

use crate::forge::CliUser;
use crate::walk::{git, start_server, wait_until};

#[test]
fn issue_13_19_the_inbox_lists_waiting_tasks_and_its_commands_work() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    let empty = user.run_in(&repo, &["inbox"]);
    assert_eq!((empty.code, empty.out.as_str()), (0, ""), "{empty:?}");
    assert!(empty.err.contains("Nothing waits for a person."), "{empty:?}");
    run(&["agent", "add", "ada", "--", "sh", "-c", "echo theirs > same.txt"]);
    run(&["task", "new", "Greet"]);
    run(&["task", "claim", "T-1", "--agent", "ada"]);
    wait_until(serving.url(), |task, _| task.review_passed_at.is_some() && task.busy.is_none());
    let inbox = run(&["inbox"]);
    assert!(inbox.starts_with("T-1  widget  review passed  "), "{inbox}");
    assert!(inbox.contains("  next  forge task move T-1 merging -p widget"), "{inbox}");
    assert!(inbox.lines().all(|line| line.chars().count() <= 80), "{inbox}");
    let document: Value = serde_json::from_str(&run(&["needs-me", "--json"])).expect("JSON");
    assert_eq!(document["items"][0]["reason"], "review_passed", "{document}");
    let check = user.run_in(&repo, &["agent", "check"]);
    assert!(check.out.contains("waiting") && !check.out.contains("abandoned"), "{check:?}");

    std::fs::write(repo.join("same.txt"), "mine\n").expect("written");
    let landing = user.run_in(&repo, &["task", "move", "#1", "merging", "-p", "widget"]);
    assert_eq!(landing.code, 1, "{landing:?}");
    assert!(
        landing.out.contains("\n    same.txt"),
        "issue 13.22: the files are named: {landing:?}"
    );
    for words in [&["why", "T-1"][..], &["inbox"], &["task", "show", "T-1"]] {
        let found = run(words);
        assert!(found.contains("    same.txt\n"), "{words:?}: {found}");
        assert!(found.contains("git -C "), "{words:?}: {found}");
    }
    std::fs::remove_file(repo.join("same.txt")).expect("moved away");
    wait_until(serving.url(), |task, _| task.landing.is_some() && task.busy.is_none());
    assert_eq!(git(&repo, &["show", "main:same.txt"]), "theirs\n");
    assert!(
        run(&["why", "T-1"]).starts_with("T-1  done  waits for nothing\n  it has landed on main")
    );
    assert_eq!(run(&["inbox"]), "");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn issue_13_19_checks_and_reviewer_of_a_project_are_set_by_the_command_line() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    assert_eq!(run(&["project", "checks"]), "New tasks of widget have no checks\n");
    let set = run(&["project", "checks", "--ci", "test -f x", "--ci", "true", "--timeout", "60"]);
    assert!(set.contains("\n  check    test -f x\n  check    true\n  timeout  60 s"), "{set}");
    assert_eq!(run(&["project", "checks", "widget"]), set, "looking changes nothing");
    let verdict = "echo '{\"verdict\":\"fail\",\"feedback\":\"say please\"}'";
    run(&["agent", "add", "rex", "--role", "reviewer", "--", "sh", "-c", verdict]);
    let reviewer = run(&["project", "reviewer", "--agent", "rex", "--prompt", "Is it polite?"]);
    assert_eq!(reviewer, "rex reviews the tasks of widget\n  asked    Is it polite?\n");
    let shown = run(&["project", "show"]);
    assert!(shown.contains("  check       test -f x\n"), "{shown}");
    assert!(shown.contains("  reviewer    rex\n"), "{shown}");
    run(&["agent", "add", "ada", "--", "sh", "-c", "echo x > x"]);
    run(&["task", "new", "Greet"]);
    run(&["task", "claim", "T-1", "--agent", "ada"]);
    wait_until(serving.url(), |task, _| task.error_annotation.is_some() && task.busy.is_none());
    let review = user.run_in(&repo, &["task", "review", "T-1"]);
    assert!(review.out.contains("say please") && review.out.contains("test -f x"), "{review:?}");
    let why = run(&["why", "T-1"]);
    assert!(why.contains("forge task review T-1"), "{why}");
    let none = run(&["project", "reviewer", "--none"]);
    assert!(none.starts_with("Tasks of widget have no default reviewer"), "{none}");
    assert_eq!(run(&["project", "checks", "--none"]), "New tasks of widget have no checks\n");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn issue_13_22_edge_cases_have_clear_answers() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let ended = user.run_in(&repo, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {ended:?}");
        for word in words {
            assert!(ended.err.contains(word), "{word:?} is missing in {ended:?}");
        }
    };
    assert_eq!(run(&["task", "list"]), "", "no heading over nothing");
    assert_eq!(run(&["agent", "list"]), "");
    refused(&["task", "list", "--status", "banana"], 1, &["banana", "backlog", "[invalid_query]"]);
    let missing = user.run_in(&repo, &["task", "show", "T-99"]);
    assert!(missing.code == 3 && !missing.err.contains("GET /"), "{missing:?}");
    let words = ["no-such-agent", "[program_missing]", "forge agent probe"];
    refused(&["agent", "add", "ghost", "--", "no-such-agent", "--flag"], 1, &words);
    run(&["agent", "add", "ada", "--", "sh", "-c", "true"]);
    refused(&["agent", "add", "ada", "--", "sh"], 1, &["already an agent with"]);
    assert_eq!(run(&["train", "status"]), "no branch waits to land\n");
    assert_eq!(run(&["dispatch", "on"]), "Tasks of widget are assigned to agents automatically\n");
    run(&["dispatch", "off"]);
    run(&["task", "new", "Mine"]);
    let claimed = user.run_in(&repo, &["task", "claim", "T-1"]);
    assert!(claimed.err.contains("Next: cd /"), "{claimed:?}");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn issue_13_22_help_has_help_and_manual_pages_create_their_directory() {
    let user = CliUser::new();
    for words in [&["help", "--help"][..], &["help", "-h"], &["task", "help", "--help"]] {
        let ended = user.run(words);
        assert!(ended.code == 0 && !ended.out.is_empty(), "{words:?}: {ended:?}");
    }
    let ended = user.run(&["man", "--into", "new/pages"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(user.home.path().join("new/pages/forge.1").is_file());
    assert!(user.home.path().join("new/pages/forge-inbox.1").is_file());
}
