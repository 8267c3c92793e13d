//! Tests of the help of every command (SPEC S-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use clap::Command;
use unicode_width::UnicodeWidthStr;

use crate::help::command_groups::{HELP_WIDTH, TASK_GROUPS, TOP_GROUPS, names_in};
use crate::help::command_tree::command_tree;

/// Most lines of a help; one of 50 fits a usual window, and only `forge agent add` has a few more.
const SCREEN_LINES: usize = 56;

/// One command's help, as `-h` and `--help` print it.
struct HelpPage {
    words: String,
    short: String,
    long: String,
}

/// The help of every command, and of the topics.
fn help_pages() -> Vec<HelpPage> {
    let mut commands = Vec::new();
    collect_commands(&command_tree(), "forge", &mut commands);
    commands
        .into_iter()
        .map(|words| {
            let (short, long) = (print_help(&words, "-h"), print_help(&words, "--help"));
            HelpPage { words, short, long }
        })
        .collect()
}

fn collect_commands(command: &Command, words: &str, commands: &mut Vec<String>) {
    commands.push(words.to_owned());
    for sub in command.get_subcommands() {
        collect_commands(sub, &format!("{words} {}", sub.get_name()), commands);
    }
}

fn print_help(words: &str, flag: &str) -> String {
    let tree = command_tree().term_width(HELP_WIDTH);
    let help = tree.try_get_matches_from(words.split(' ').chain([flag]));
    help.expect_err("the help").render().to_string()
}

#[test]
fn s_4_every_help_fits_a_screen() {
    for page in help_pages() {
        let HelpPage { words, short, long } = page;
        for (text, limit) in [(&short, SCREEN_LINES), (&long, SCREEN_LINES)] {
            let lines = text.lines().count();
            let is_server = words == "forge serve" && *text == long;
            assert!(lines <= limit || is_server, "{words}: {lines} lines\n{text}");
        }
        for line in short.lines().chain(long.lines()) {
            assert!(line.width() <= HELP_WIDTH, "{words}: {line}");
        }
        assert!(!long.contains("--quiet") || words == "forge options", "{words}: {long}");
    }
}

#[test]
fn s_4_every_command_says_what_it_does() {
    for page in help_pages() {
        let first = page.long.lines().next().unwrap_or_default();
        assert!(first.split_whitespace().count() >= 2, "{}: {first:?}", page.words);
    }
}

/// One snapshot for each command of the first level, with all commands below it.
#[test]
fn s_4_the_help_of_every_command_is_kept() {
    let mut files: Vec<(String, String)> = Vec::new();
    for page in help_pages() {
        let name = page.words.split(' ').nth(1).unwrap_or("forge").replace('-', "_");
        let text = format!("$ {} --help\n{}\n", page.words, page.long.trim_end());
        match files.last_mut().filter(|(last, _)| *last == name) {
            Some((_, file)) => file.push_str(&format!("\n{text}")),
            None => files.push((name, text)),
        }
    }
    // Beside the tests of the binary: a folder of sources has at most 20 files.
    insta::with_settings!({ snapshot_path => "../../tests/help" }, {
        for (name, text) in files {
            insta::assert_snapshot!(name, text);
        }
    });
}

#[test]
fn s_4_every_command_is_in_one_group() {
    let tree = command_tree();
    let task = tree.find_subcommand("task").expect("a command").clone();
    for (command, groups) in [(tree, TOP_GROUPS), (task, TASK_GROUPS)] {
        let mut grouped: Vec<_> = groups.iter().flat_map(names_in).collect();
        for name in &grouped {
            assert!(command.find_subcommand(name).is_some(), "{name} is no command");
        }
        grouped.sort_unstable();
        let count = grouped.len();
        grouped.dedup();
        assert_eq!(grouped.len(), count, "a command is in two groups");
    }
}
