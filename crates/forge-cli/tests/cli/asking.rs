//! Agents that use `forge` inside their executions: their own task (E-3) and questions (T-27).

use serde_json::Value;

use crate::forge::CliUser;
use crate::walk::{git, start_server, wait_until};

/// The path of `forge` of this build.
fn forge() -> String {
    assert_cmd::cargo::cargo_bin!("forge").display().to_string()
}

#[test]
fn t_27_e_3_an_agent_asks_about_its_own_task_and_continues_with_the_answer() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    let script = "cat > prompt.txt
         if grep -q 8080 prompt.txt; then mv prompt.txt \"$HOME/second\"; echo 8080 > port; exit; fi
         rm prompt.txt; echo begun > begun.txt
         { forge task show; forge task show T-1 --quiet; forge task diff --stat
           forge task comment 'half way'; forge task comment; forge task log
           forge ask 'Which port?'; forge task questions
           forge task move T-1 review || echo \"exit $?\"; } > \"$HOME/said\" 2>&1";
    run(&["agent", "add", "ada", "--", "sh", "-ec", script]);
    run(&["task", "new", "Open a port"]);
    run(&["task", "claim", "T-1", "--agent", "ada"]);
    let waiting = wait_until(serving.url(), |task, _| {
        task.busy.is_none() && (!task.questions.is_empty() || task.error_annotation.is_some())
    });
    let said = std::fs::read_to_string(serving.home().join("said")).expect("what it saw");
    assert_eq!(
        (waiting.status.as_str(), waiting.error_annotation),
        ("in_progress", None),
        "{said}"
    );
    assert_eq!(said.matches("T-1  Open a port").count(), 2, "{said}");
    for words in [
        "begun.txt",
        "Comment written",
        "half way",
        "Question 1 was asked",
        "End your turn now",
        "It waits for an answer.",
        "[question_open]",
        "exit 1",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }

    let inbox = run(&["inbox"]);
    assert!(inbox.contains("question") && inbox.contains("its coder asks: Which port?"), "{inbox}");
    assert!(inbox.contains("forge task answer T-1 TEXT --question 1"), "{inbox}");
    let why = run(&["why", "T-1"]);
    assert!(why.contains("waits for a person") && why.contains("forge task answer T-1"), "{why}");
    assert!(run(&["task", "show", "T-1"]).contains("Which port?"));

    assert_eq!(run(&["task", "answer", "T-1", "8080"]), "Question 1 is answered\n");
    wait_until(serving.url(), |task, _| task.review_passed_at.is_some());
    let prompt = std::fs::read_to_string(serving.home().join("second")).expect("a second turn");
    assert!(prompt.contains("Which port?") && prompt.contains("8080"), "{prompt}");
    let questions = run(&["task", "questions", "T-1"]);
    assert!(questions.contains("Answer by user") && questions.contains("8080"), "{questions}");
    let late = user.run_in(&repo, &["task", "answer", "T-1", "9090"]);
    assert!(late.code == 3 && late.err.contains("no open question"), "{late:?}");
    run(&["task", "move", "T-1", "merging"]);
    assert_eq!(git(&repo, &["show", "main:port"]), "8080\n");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn t_27_an_agent_waits_for_its_answer_and_gets_it_once() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    let forge = forge();
    let script = format!(
        "cat > /dev/null; {forge} ask --wait=1 'Which host?' > late || echo \"exit $?\" >> late
         {forge} ask --wait 'Which port?' > port"
    );
    run(&["agent", "add", "ada", "--", "sh", "-ec", &script]);
    run(&["task", "new", "Open a port"]);
    run(&["task", "claim", "T-1", "--agent", "ada"]);
    wait_until(serving.url(), |task, _| task.questions.len() == 2);
    let several = user.run_in(&repo, &["task", "answer", "T-1", "8080"]);
    assert!(several.code == 2 && several.err.contains("--question 2: Which port?"), "{several:?}");
    run(&["task", "answer", "T-1", "example.org", "--question", "1"]);
    run(&["task", "answer", "T-1", "8080", "--question", "2"]);
    // The first answer came too late for the command, so it is the second turn.
    wait_until(serving.url(), |task, runs| runs == 2 && task.questions.len() == 2);
    let all = run(&["task", "questions", "T-1", "--json"]);
    let all: Value = serde_json::from_str(&all).expect("one document");
    assert_eq!(all["items"].as_array().map(Vec::len), Some(4), "{all}");
    let workspace = run(&["workspace", "show", "T-1", "--json"]);
    let workspace: Value = serde_json::from_str(&workspace).expect("one document");
    let place = std::path::Path::new(workspace["path"].as_str().expect("a path"));
    let committed = |name: &str| git(place, &["show", &format!("HEAD:{name}")]);
    assert_eq!(committed("port"), "8080\n");
    assert_eq!(committed("late"), "Question 1 has no answer yet\nexit 1\n");
    run(&["task", "cancel", "T-1"]);
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn t_27_e_3_outside_of_an_execution_the_task_must_be_named() {
    let user = CliUser::at("http://127.0.0.1:9");
    for arguments in
        [&["ask", "Why?"][..], &["task", "show"], &["task", "comment"], &["task", "questions"]]
    {
        let ended = user.run(arguments);
        assert!(ended.code == 2, "{arguments:?}: {ended:?}");
    }
}

#[test]
fn e_3_the_skill_teaches_the_commands_that_exist() {
    let user = CliUser::at("http://127.0.0.1:9");
    let skill = user.run(&["skill"]);
    assert!(
        skill.code == 0 && skill.out.starts_with("---\nname: forge\ndescription: "),
        "{skill:?}"
    );
    let section = user.run(&["skill", "--agents-md"]);
    assert!(section.out.starts_with("# Working inside a Forge task"), "{section:?}");
    assert!(skill.out.ends_with(&section.out), "both teach the same");
    let commands: std::collections::BTreeSet<Vec<&str>> = skill
        .out
        .split('`')
        .filter_map(|text| text.strip_prefix("forge "))
        .map(|text| text.split(' ').take_while(|word| word.chars().all(|c| c.is_ascii_lowercase())))
        .map(Iterator::collect)
        .collect();
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands {
        let arguments: Vec<_> = command.iter().copied().chain(["--help"]).collect();
        let help = user.run(&arguments);
        assert!(help.code == 0, "{command:?}: {help:?}");
    }
}
