//! From an empty machine to a running agent in three commands, as the README shows them (SPEC S-4).

use serde_json::Value;

use crate::cli_fixture::wait_for_writer;
use crate::empty_machine::EmptyMachine;

const README: &str = include_str!("../../../../README.md");

/// The commands of the README's section, without their comments and the prompt of the terminal.
fn commands() -> Vec<Vec<String>> {
    let (_, section) = README.split_once("## Your own repository\n").expect("the section");
    let (_, block) = section.split_once("```sh\n").expect("a block");
    let (block, _) = block.split_once("```").expect("its end");
    let lines = block.lines().map(|line| line.split_once('#').map_or(line, |(command, _)| command));
    lines.filter(|line| !line.trim().is_empty()).map(words).collect()
}

/// Splits a line as a shell does, as far as the README needs it.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.trim().split('"').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn s_4_three_commands_lead_from_an_empty_machine_to_a_running_agent() {
    let machine = EmptyMachine::with_claude();
    let started = machine.make_pipe("started");
    let commands = commands();
    assert_eq!(commands.len(), 3, "{commands:?}");
    let [change, init, new] = commands.as_slice() else { panic!("{commands:?}") };
    assert_eq!(change.first().map(String::as_str), Some("cd"), "{change:?}");
    for command in [init, new] {
        let (program, arguments) = command.split_first().expect("words");
        assert_eq!(program, "forge");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        machine.succeed(&arguments);
    }
    wait_for_writer(&started);
    machine.wait_until_running();
    assert_eq!(machine.json(&["task", "show", "T-1"])["status"], "in_progress");
    let agents = machine.json(&["agent", "list"]);
    assert_eq!(agents["items"][0]["name"], "claude", "{agents}");
    let workspace = machine.json(&["workspace", "show", "T-1"]);
    assert!(
        workspace["path"]
            .as_str()
            .is_some_and(|path| std::fs::exists(path).is_ok_and(|there| there))
    );
    machine.succeed(&["task", "stop", "T-1"]);
}

#[test]
fn t_3_a_new_task_starts_with_overrides() {
    let machine = EmptyMachine::with_claude();
    let started = machine.make_pipe("started");
    machine.succeed(&["init", "--agent", "claude"]);
    let new = ["task", "new", "One", "--agent", "claude", "--start"];
    let options = ["--model", "opus", "--effort", "high", "--policy", "plan", "--deadline", "30m"];
    let claimed = machine.json(&[&new[..], &options[..]].concat());
    let arguments = std::fs::read_to_string(&started).expect("the program writes");
    assert!(arguments.contains("--permission-mode plan --model opus --effort high"), "{arguments}");
    let overrides: Value = serde_json::json!({
        "model": "opus", "reasoning_effort": "high", "permission_policy": "plan", "deadline_seconds": 1800,
    });
    assert_eq!(claimed["execution"]["overrides"], overrides);
    let shown = machine.succeed(&["task", "show", "T-1"]).out;
    let line = "overrides   model opus, effort high, policy plan, deadline 1800 s";
    assert!(shown.contains(line), "{shown}");
    machine.succeed(&["task", "stop", "T-1"]);

    machine.succeed(&["task", "new", "Two"]);
    let refused =
        machine.run(&["task", "claim", "T-2", "--agent", "claude", "--effort", "minimal"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("[override_unsupported]"), "{refused:?}");
    assert!(refused.err.contains("low, medium, high, xhigh, max"), "{refused:?}");
    let wrong = machine.run(&["task", "claim", "T-2", "--agent", "claude", "--deadline", "soon"]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
    let idle = machine.run(&["task", "new", "Three", "--model", "opus"]);
    assert_eq!(idle.code, 2, "no agent starts: {idle:?}");
}

#[test]
fn e_10_with_dispatch_on_a_new_task_waits_in_the_queue() {
    let machine = EmptyMachine::with_claude();
    let started = machine.make_pipe("started");
    machine.succeed(&["init"]);
    machine.succeed(&["dispatch", "on"]);
    let queued = machine.succeed(&["task", "new", "One"]);
    assert_eq!(queued.out, "T-1  todo  One\n");
    assert!(queued.err.contains("dispatch gives it to a free agent"), "{queued:?}");
    let held = machine.succeed(&["task", "new", "Two", "--no-queue"]);
    assert_eq!(held.out, "T-2  backlog  Two\n");
    machine.succeed(&["init", "--agent", "claude"]);
    wait_for_writer(&started);
    machine.wait_until_running();
    machine.succeed(&["task", "stop", "T-1"]);
}
