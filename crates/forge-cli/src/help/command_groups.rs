//! The groups of commands in the help, by what a user does with them.

use std::fmt::Write as _;

use clap::Command;
use unicode_width::UnicodeWidthStr;

/// Widest line of the help.
pub(crate) const HELP_WIDTH: usize = 80;

const INDENT: usize = 2;
const OTHER_GROUP: &str = "Other";

/// A heading, and the names of the commands below it.
pub(crate) type CommandGroup = (&'static str, &'static str);

/// The groups of `forge --help`.
pub(crate) const TOP_GROUPS: &[CommandGroup] = &[
    ("Start", "init login logout whoami demo"),
    ("See what is going on", "status board inbox why usage open"),
    ("Tasks", "task merge workspace journal"),
    ("Agents", "agent dispatch budget mcp ask verdict skill"),
    ("Landing", "train conflicts"),
    ("Projects", "project repo workflow webhook"),
    ("Server", "serve user config backup doctor"),
    ("Shell", "completions man"),
];

/// The groups of `forge task --help`.
pub(crate) const TASK_GROUPS: &[CommandGroup] = &[
    ("Create and read", "new edit delete list show log watch diff comment history prompt open"),
    ("Plan", "claim checkout complete assign depend move handoff cancel archive unarchive"),
    (
        "While an agent works",
        "pulse steer questions answer follow-up stop restart mark-failed effects",
    ),
    ("Review and landing", "review approve reject rebase accept-landed revert regressed"),
];

/// The names of the commands in a group.
pub(crate) fn names_in(group: &CommandGroup) -> impl Iterator<Item = &'static str> {
    group.1.split(' ')
}

/// The template of a command's help with its subcommands in groups. A subcommand that no group names is in the last
/// one.
pub(crate) fn grouped_template(command: &Command, groups: &[CommandGroup]) -> String {
    let is_grouped = |name: &str| groups.iter().flat_map(names_in).any(|grouped| grouped == name);
    let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let others: Vec<_> = visible.map(Command::get_name).filter(|name| !is_grouped(name)).collect();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for group in groups {
        let names: Vec<_> = names_in(group).collect();
        write_group(&mut text, command, group.0, &names);
    }
    write_group(&mut text, command, OTHER_GROUP, &others);
    text.truncate(text.trim_end().len());
    text.push_str("{after-help}");
    text
}

/// Writes a heading and the commands below it; nothing if there are none.
fn write_group(text: &mut String, command: &Command, heading: &str, names: &[&str]) {
    let found: Vec<_> = names.iter().filter_map(|name| command.find_subcommand(name)).collect();
    if found.is_empty() {
        return;
    }
    let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let width = visible.map(|sub| sub.get_name().width()).max().unwrap_or_default();
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let _ = writeln!(text, "{header}{heading}:{header:#}");
    for sub in found {
        let name = sub.get_name();
        let gap = " ".repeat(width.saturating_sub(name.width()) + INDENT);
        let about = wrapped_about(sub, INDENT + width + INDENT);
        let _ = writeln!(text, "  {literal}{name}{literal:#}{gap}{about}");
    }
}

/// The first line of a command's help.
fn wrapped_about(command: &Command, indent: usize) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let aliases: Vec<_> = command.get_visible_aliases().collect();
    let aliases = match aliases.as_slice() {
        [] => String::new(),
        names => format!(" (or {})", names.join(", ")),
    };
    wrap_text(&format!("{about}{aliases}"), indent)
}

/// The text on lines of the help's width; the second and later ones are indented.
pub(crate) fn wrap_text(given: &str, indent: usize) -> String {
    let mut text = String::new();
    let mut room = HELP_WIDTH - indent;
    for word in given.split_whitespace() {
        if text.is_empty() {
            room = room.saturating_sub(word.width());
        } else if word.width() < room {
            text.push(' ');
            room -= word.width() + 1;
        } else {
            let _ = write!(text, "\n{}", " ".repeat(indent));
            room = (HELP_WIDTH - indent).saturating_sub(word.width());
        }
        text.push_str(word);
    }
    text
}
